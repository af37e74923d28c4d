// A store that is watched: whatever SQLite says is durable is kept beside it, in memory, and must be there after every
// crash, to the byte.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "store/memory/memory_store.h"
#include "store/store.h"

namespace pawl::sim {

class WitnessStore final : public store::Store {
 public:
  // The store that is used from now on; null: none is open.
  void use(store::Store* real) { real_ = real; }
  // After a crash: everything that was durable is there, and the commit that the crash cut short wholly or not at all.
  void check_survival();
  // Called before each read: what may become durable between two of them, as a writer's thread would have it.
  void set_meanwhile(std::function<void()> meanwhile) { meanwhile_ = std::move(meanwhile); }
  // What is durable.
  const store::Store& durable() const { return durable_; }
  // Executions whose retention ended, as they were.
  const std::map<ExecutionId, store::ExecutionRow>& removed() const { return removed_; }
  uint64_t commits() const { return commits_; }
  uint64_t rolled_back() const { return rolled_back_; }

  store::CommitResult commit(std::span<const store::Batch> batches) override;
  std::optional<store::ExecutionRow> find_execution(ExecutionId id) const override { return now().find_execution(id); }
  std::optional<store::LiveRow> find_live(ExecutionId id) const override { return now().find_live(id); }
  Result<std::vector<store::Chunk>> load_chunks_after(ExecutionId id, store::ChunkId after,
                                                      store::ChunkId head) const override {
    return now().load_chunks_after(id, after, head);
  }
  std::optional<store::SnapshotRow> snapshot_before(ExecutionId id, EventId event) const override {
    return now().snapshot_before(id, event);
  }
  store::ChunkId snapshot_chunk_with(ExecutionId id, EventId event) const override {
    return now().snapshot_chunk_with(id, event);
  }
  std::vector<ExecutionId> find_names(uint64_t hash) const override { return now().find_names(hash); }
  std::vector<store::LiveRow> needing_attention(ExecutionId after, size_t limit) const override {
    return now().needing_attention(after, limit);
  }
  std::vector<store::Wake> due(Timestamp until, const store::Wake& after, size_t limit) const override {
    return now().due(until, after, limit);
  }
  Timestamp next_wake() const override { return real_->next_wake(); }
  std::vector<store::ExecutionRow> list_executions(const store::ListFilter& filter) const override {
    return real_->list_executions(filter);
  }
  std::vector<store::Document> documents(const std::string& kind) const override { return real_->documents(kind); }
  std::vector<store::Message> messages(store::MessageId after, size_t limit) const override {
    return real_->messages(after, limit);
  }
  store::MessageId last_message() const override { return real_->last_message(); }
  store::ChunkId last_chunk() const override { return real_->last_chunk(); }
  ExecutionId last_execution() const override { return real_->last_execution(); }
  std::vector<store::SubscriptionRow> subscriptions(const store::EventKey& key, const store::SubscriptionRow& after,
                                                    size_t limit) const override {
    return now().subscriptions(key, after, limit);
  }
  bool has_subscription(const store::SubscriptionRow& row) const override { return now().has_subscription(row); }
  std::vector<store::SpentWait> spent_waits(store::EventNumber after, size_t limit) const override {
    return real_->spent_waits(after, limit);
  }
  std::vector<store::DefinitionId> subscribed_definitions(const store::EventKey& key) const override {
    return now().subscribed_definitions(key);
  }
  std::vector<store::EventRow> events(store::EventNumber after, size_t limit, Bodies bodies) const override {
    return real_->events(after, limit, bodies);
  }
  std::optional<store::EventRow> find_event(store::EventNumber number) const override {
    return real_->find_event(number);
  }
  store::EventNumber last_event() const override { return real_->last_event(); }
  std::vector<store::PartialSetRow> partial_sets(const store::EventKey& key) const override {
    return now().partial_sets(key);
  }
  std::optional<store::PartialSetRow> find_partial_set(store::EventNumber id) const override {
    return now().find_partial_set(id);
  }
  std::vector<store::SinkItem> sink_queue(const std::string& sink, store::SinkItemId after,
                                          size_t limit) const override {
    return real_->sink_queue(sink, after, limit);
  }
  store::SinkItemId last_sink_item() const override { return real_->last_sink_item(); }
  Result<Epoch> acquire(ShardId shard) override;
  std::string dump() const override { return real_->dump(); }

 private:
  void keep(std::vector<store::Batch> batches);
  const store::Store& now() const {
    if (meanwhile_) meanwhile_();
    return *real_;
  }

  store::Store* real_ = nullptr;
  std::function<void()> meanwhile_;
  store::MemoryStore durable_;
  std::map<ShardId, Epoch> epochs_;     // as durable_ gave them
  std::vector<store::Batch> in_doubt_;  // handed to SQLite, which has not said what became of them
  std::map<ExecutionId, store::ExecutionRow> removed_;
  uint64_t commits_ = 0;
  uint64_t rolled_back_ = 0;
};

}  // namespace pawl::sim
