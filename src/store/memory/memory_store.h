// The store in memory: for tests and the simulator. Nothing survives the process.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "store/store.h"

namespace pawl::store {

// Any thread may call anything; one mutex guards all.
class MemoryStore final : public Store {
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
  Result<Epoch> acquire(ShardId shard) override;
  std::string dump() const override;

 private:
  void apply(const Batch& batch);
  void set_live(const LiveRow& row);
  void drop_live(ExecutionId id);
  void remove(const Removal& removal);

  mutable std::mutex mutex_;  // guards everything below
  std::map<ExecutionId, ExecutionRow> executions_;
  std::map<ExecutionId, LiveRow> live_;
  std::map<ChunkId, Chunk> chunks_;
  std::map<std::pair<ExecutionId, FactSeq>, SnapshotRow> snapshots_;
  std::set<Wake> wakes_;
  std::set<std::pair<uint64_t, ExecutionId>> names_;
  std::map<std::pair<std::string, std::string>, std::string> documents_;
  std::map<MessageId, Message> messages_;
  std::map<ShardId, Epoch> epochs_;
  ChunkId last_chunk_;
  ExecutionId last_execution_;
};

}  // namespace pawl::store
