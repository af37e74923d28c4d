// A store for tests, whose commits fail when they say so.
#pragma once

#include <atomic>
#include <thread>

#include "store/store.h"

namespace pawl::engine {

// Hands everything to another store, but the commits that are to fail: those roll back.
class FailingStore final : public store::Store {
 public:
  explicit FailingStore(store::Store& wrapped) : real_(wrapped) {}
  store::CommitResult commit(std::span<const store::Batch> batches) override {
    const bool is_doomed = entered.fetch_add(1) + 1 == fails_at.load();
    while (is_held.load()) std::this_thread::yield();
    if (!fails.load() && !is_doomed) return real_.commit(batches);
    return std::unexpected(
        store::CommitError{store::CommitFailure::kRolledBack, {"STORE_FULL_OR_BUSY", "", "full", ""}});
  }
  std::optional<store::ExecutionRow> find_execution(ExecutionId id) const override { return real_.find_execution(id); }
  std::optional<store::LiveRow> find_live(ExecutionId id) const override { return real_.find_live(id); }
  Result<std::vector<store::Chunk>> load_chunks_after(ExecutionId id, store::ChunkId after,
                                                      store::ChunkId head) const override {
    return real_.load_chunks_after(id, after, head);
  }
  std::optional<store::SnapshotRow> snapshot_before(ExecutionId id, EventId event) const override {
    return real_.snapshot_before(id, event);
  }
  store::ChunkId snapshot_chunk_with(ExecutionId id, EventId event) const override {
    return real_.snapshot_chunk_with(id, event);
  }
  std::vector<ExecutionId> find_names(uint64_t hash) const override { return real_.find_names(hash); }
  std::vector<store::LiveRow> needing_attention(ExecutionId after, size_t limit) const override {
    return real_.needing_attention(after, limit);
  }
  std::vector<store::Wake> due(Timestamp until, const store::Wake& after, size_t limit) const override {
    return real_.due(until, after, limit);
  }
  Timestamp next_wake() const override { return real_.next_wake(); }
  std::vector<store::ExecutionRow> list_executions(const store::ListFilter& filter) const override {
    return real_.list_executions(filter);
  }
  std::vector<store::Document> documents(const std::string& kind) const override { return real_.documents(kind); }
  std::vector<store::Message> messages(store::MessageId after, size_t limit) const override {
    return real_.messages(after, limit);
  }
  store::MessageId last_message() const override { return real_.last_message(); }
  store::ChunkId last_chunk() const override { return real_.last_chunk(); }
  ExecutionId last_execution() const override { return real_.last_execution(); }
  std::vector<store::SubscriptionRow> subscriptions(const store::EventKey& key, const store::SubscriptionRow& after,
                                                    size_t limit) const override {
    return real_.subscriptions(key, after, limit);
  }
  bool has_subscription(const store::SubscriptionRow& row) const override { return real_.has_subscription(row); }
  std::vector<store::SpentWait> spent_waits(store::EventNumber after, size_t limit) const override {
    return real_.spent_waits(after, limit);
  }
  std::vector<store::DefinitionId> subscribed_definitions(const store::EventKey& key) const override {
    return real_.subscribed_definitions(key);
  }
  std::vector<store::EventRow> events(store::EventNumber after, size_t limit, Bodies bodies) const override {
    return real_.events(after, limit, bodies);
  }
  std::optional<store::EventRow> find_event(store::EventNumber number) const override {
    return real_.find_event(number);
  }
  store::EventNumber last_event() const override { return real_.last_event(); }
  std::vector<store::PartialSetRow> partial_sets(const store::EventKey& key) const override {
    return real_.partial_sets(key);
  }
  std::optional<store::PartialSetRow> find_partial_set(store::EventNumber id) const override {
    return real_.find_partial_set(id);
  }
  std::vector<store::SinkItem> sink_queue(const std::string& sink, store::SinkItemId after,
                                          size_t limit) const override {
    return real_.sink_queue(sink, after, limit);
  }
  store::SinkItemId last_sink_item() const override { return real_.last_sink_item(); }
  Result<Epoch> acquire(ShardId shard) override { return real_.acquire(shard); }
  std::string dump() const override { return real_.dump(); }

  std::atomic<bool> fails{false};
  std::atomic<bool> is_held{false};
  std::atomic<int> entered{0};
  std::atomic<int> fails_at{0};  // this commit only, counted from 1

 private:
  store::Store& real_;
};

}  // namespace pawl::engine
