// The store in memory: for tests and the simulator. Nothing survives the process.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "store/store.h"

namespace pawl::store {

class Dump;

// Any thread may call anything; one mutex guards all.
class MemoryStore : public Store {
 public:
  CommitResult commit(std::span<const Batch> batches) override;
  std::optional<ExecutionRow> find_execution(ExecutionId id) const override;
  std::optional<LiveRow> find_live(ExecutionId id) const override;
  Result<std::vector<Chunk>> load_chunks_after(ExecutionId id, ChunkId after, ChunkId head) const override;
  std::optional<SnapshotRow> snapshot_before(ExecutionId id, EventId event) const override;
  ChunkId snapshot_chunk_with(ExecutionId id, EventId event) const override;
  std::vector<ExecutionId> find_names(uint64_t hash) const override;
  std::vector<LiveRow> needing_attention(ExecutionId after, size_t limit) const override;
  std::vector<Wake> due(Timestamp until, const Wake& after, size_t limit) const override;
  Timestamp next_wake() const override;
  std::vector<ExecutionRow> list_executions(const ListFilter& filter) const override;
  std::vector<Document> documents(const std::string& kind) const override;
  std::vector<Message> messages(MessageId after, size_t limit) const override;
  MessageId last_message() const override;
  ChunkId last_chunk() const override;
  ExecutionId last_execution() const override;
  std::vector<SubscriptionRow> subscriptions(const EventKey& key, const SubscriptionRow& after,
                                             size_t limit) const override;
  bool has_subscription(const SubscriptionRow& row) const override;
  std::vector<SpentWait> spent_waits(EventNumber after, size_t limit) const override;
  std::vector<DefinitionId> subscribed_definitions(const EventKey& key) const override;
  std::vector<EventRow> events(EventNumber after, size_t limit, Bodies bodies) const override;
  std::optional<EventRow> find_event(EventNumber number) const override;
  EventNumber last_event() const override;
  std::vector<PartialSetRow> partial_sets(const EventKey& key) const override;
  std::optional<PartialSetRow> find_partial_set(EventNumber id) const override;
  std::vector<SinkItem> sink_queue(const std::string& sink, SinkItemId after, size_t limit) const override;
  SinkItemId last_sink_item() const override;
  Result<Epoch> acquire(ShardId shard) override;
  std::string dump() const override;

 private:
  void apply(const Batch& batch);
  void set_live(const LiveRow& row);
  void drop_live(ExecutionId id);
  void remove(const Removal& removal);
  void apply_events(const Batch& batch);
  void dump_events(Dump& dump) const;

  mutable std::mutex mutex_;  // guards everything below
  std::map<ExecutionId, ExecutionRow> executions_;
  std::map<ExecutionId, LiveRow> live_;
  std::map<ChunkId, Chunk> chunks_;
  std::map<std::pair<ExecutionId, FactSeq>, SnapshotRow> snapshots_;
  std::set<Wake> wakes_;
  std::set<std::pair<uint64_t, ExecutionId>> names_;
  std::map<std::pair<std::string, std::string>, std::string> documents_;
  std::map<MessageId, Message> messages_;
  struct InPlace {
    bool operator()(const SubscriptionRow& a, const SubscriptionRow& b) const { return a.place() < b.place(); }
  };
  std::set<SubscriptionRow, InPlace> subscriptions_;
  std::map<EventNumber, SubscriptionRow> spent_;
  std::map<EventNumber, EventRow> events_;
  std::map<EventNumber, PartialSetRow> partial_sets_;
  std::map<SinkItemId, SinkItem> sink_items_;
  std::map<ShardId, Epoch> epochs_;
  ChunkId last_chunk_;
  ExecutionId last_execution_;
  EventNumber last_event_;
};

}  // namespace pawl::store
