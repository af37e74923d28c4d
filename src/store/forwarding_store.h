// A store that hands everything to another one: the base of those that change a part of it.
#pragma once

#include "store/store.h"

namespace pawl::store {

// Concurrency as of the other store, which outlives this one, or is turned away from before it ends.
class ForwardingStore : public Store {
 public:
  explicit ForwardingStore(Store& real) : real_(&real) {}
  // From now on another: nobody may be calling.
  void turn_to(Store& real) { real_ = &real; }

  CommitResult commit(std::span<const Batch> batches) override { return real_->commit(batches); }
  std::optional<ExecutionRow> find_execution(ExecutionId id) const override { return real_->find_execution(id); }
  std::optional<LiveRow> find_live(ExecutionId id) const override { return real_->find_live(id); }
  Result<std::vector<Chunk>> load_chunks_after(ExecutionId id, ChunkId after, ChunkId head) const override {
    return real_->load_chunks_after(id, after, head);
  }
  std::optional<SnapshotRow> snapshot_before(ExecutionId id, EventId event) const override {
    return real_->snapshot_before(id, event);
  }
  ChunkId snapshot_chunk_with(ExecutionId id, EventId event) const override {
    return real_->snapshot_chunk_with(id, event);
  }
  std::vector<ExecutionId> find_names(uint64_t hash) const override { return real_->find_names(hash); }
  std::vector<LiveRow> needing_attention(ExecutionId after, size_t limit) const override {
    return real_->needing_attention(after, limit);
  }
  std::vector<Wake> due(Timestamp until, const Wake& after, size_t limit) const override {
    return real_->due(until, after, limit);
  }
  Timestamp next_wake() const override { return real_->next_wake(); }
  std::vector<ExecutionRow> list_executions(const ListFilter& filter) const override {
    return real_->list_executions(filter);
  }
  std::vector<Document> documents(const std::string& kind) const override { return real_->documents(kind); }
  std::vector<Message> messages(MessageId after, size_t limit) const override { return real_->messages(after, limit); }
  MessageId last_message() const override { return real_->last_message(); }
  ChunkId last_chunk() const override { return real_->last_chunk(); }
  ExecutionId last_execution() const override { return real_->last_execution(); }
  std::vector<SubscriptionRow> subscriptions(const EventKey& key, const SubscriptionRow& after,
                                             size_t limit) const override {
    return real_->subscriptions(key, after, limit);
  }
  bool has_subscription(const SubscriptionRow& row) const override { return real_->has_subscription(row); }
  std::vector<SpentWait> spent_waits(EventNumber after, size_t limit) const override {
    return real_->spent_waits(after, limit);
  }
  std::vector<DefinitionId> subscribed_definitions(const EventKey& key) const override {
    return real_->subscribed_definitions(key);
  }
  std::vector<EventRow> events(EventNumber after, size_t limit, Bodies bodies) const override {
    return real_->events(after, limit, bodies);
  }
  std::optional<EventRow> find_event(EventNumber number) const override { return real_->find_event(number); }
  EventNumber last_event() const override { return real_->last_event(); }
  std::vector<PartialSetRow> partial_sets(const EventKey& key) const override { return real_->partial_sets(key); }
  std::optional<PartialSetRow> find_partial_set(EventNumber id) const override { return real_->find_partial_set(id); }
  std::vector<SinkItem> sink_queue(const std::string& sink, SinkItemId after, size_t limit) const override {
    return real_->sink_queue(sink, after, limit);
  }
  SinkItemId last_sink_item() const override { return real_->last_sink_item(); }
  Result<Epoch> acquire(ShardId shard) override { return real_->acquire(shard); }
  std::string dump() const override { return real_->dump(); }

 private:
  Store* real_;
};

}  // namespace pawl::store
