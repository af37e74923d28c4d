// The store: where facts become durable.
//
// One thread commits; any thread may read. A commit is atomic and synced before it returns. Implementations: memory
// (tests, simulation), SQLite (the embedded default), later PostgreSQL.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/rows.h"

namespace pawl::store {

enum class CommitFailure : uint8_t {
  kRolledBack,  // surely nothing of it is there (disk full, busy): memory must be dropped and loaded anew
  kUnknown,     // a sync or the disk failed: the process must stop
  kFenced,      // another owner has taken the shard
};

struct CommitError {
  CommitFailure failure = CommitFailure::kUnknown;
  Error error;
};

using CommitResult = std::expected<void, CommitError>;

struct ListFilter {
  std::optional<DefinitionId> definition;
  std::optional<ExecutionStatus> status;
  std::optional<bool> redriven;             // whether it ever was
  uint32_t version = 0;                     // started by this version; 0: any
  std::string alias;                        // started by this alias; empty: any
  std::optional<Timestamp> started_after;   // at that time or later
  std::optional<Timestamp> started_before;  // at that time or earlier
  ExecutionId before;                       // a page begins below this id; 0: at the newest
  bool is_oldest_first = false;
  ExecutionId after;  // where the oldest come first, a page begins above this id
  size_t limit = 100;
};

class Store {
 public:
  virtual ~Store() = default;

  // Makes the batches durable together, in order.
  virtual CommitResult commit(std::span<const Batch> batches) = 0;

  virtual std::optional<ExecutionRow> find_execution(ExecutionId id) const = 0;
  virtual std::optional<LiveRow> find_live(ExecutionId id) const = 0;
  // The chunks of an execution from the one that follows `after` (0: from the first) to `head`, oldest first.
  virtual Result<std::vector<Chunk>> load_chunks_after(ExecutionId id, ChunkId after, ChunkId head) const = 0;
  Result<std::vector<Chunk>> load_chunks(ExecutionId id, ChunkId head) const {
    return load_chunks_after(id, ChunkId(), head);
  }
  // The newest snapshot that ends before the event; none where that is before the first.
  virtual std::optional<SnapshotRow> snapshot_before(ExecutionId id, EventId event) const = 0;
  // The chunk of the oldest snapshot that holds the event; 0 where none does.
  virtual ChunkId snapshot_chunk_with(ExecutionId id, EventId event) const = 0;
  // Newest first.
  virtual std::vector<ExecutionId> find_names(uint64_t hash) const = 0;
  // The executions that need attention, by id, after `after`.
  virtual std::vector<LiveRow> needing_attention(ExecutionId after, size_t limit) const = 0;
  // Wakes that are due at `until`, earliest first, after `after`.
  virtual std::vector<Wake> due(Timestamp until, const Wake& after, size_t limit) const = 0;
  // The earliest wake; kNever where there is none.
  virtual Timestamp next_wake() const = 0;
  // Newest first, unless the filter asks for the oldest.
  virtual std::vector<ExecutionRow> list_executions(const ListFilter& filter) const = 0;
  virtual std::vector<Document> documents(const std::string& kind) const = 0;
  // Messages not yet heeded, oldest first, after `after`.
  virtual std::vector<Message> messages(MessageId after, size_t limit) const = 0;
  virtual MessageId last_message() const = 0;  // the highest id that is stored; 0: none is
  virtual ChunkId last_chunk() const = 0;
  virtual ExecutionId last_execution() const = 0;  // the highest id ever stored, or that a message goes to

  // Who waits under a key, by place() after that of `after`, whose key need not be the same.
  virtual std::vector<SubscriptionRow> subscriptions(const EventKey& key, const SubscriptionRow& after,
                                                     size_t limit) const = 0;
  virtual bool has_subscription(const SubscriptionRow& row) const = 0;  // by place()
  // Waits that events after that one have ended, and that are still there, in the order of the events.
  virtual std::vector<SpentWait> spent_waits(EventNumber after, size_t limit) const = 0;
  // The definitions whose executions wait under a key, or did.
  virtual std::vector<DefinitionId> subscribed_definitions(const EventKey& key) const = 0;
  // Events that arrived after that one, in order. Without their bodies where those are not asked for.
  enum class Bodies : uint8_t { kWith, kWithout };
  virtual std::vector<EventRow> events(EventNumber after, size_t limit, Bodies bodies) const = 0;
  virtual std::optional<EventRow> find_event(EventNumber number) const = 0;
  virtual EventNumber last_event() const = 0;  // the highest number ever stored
  // Oldest first.
  virtual std::vector<PartialSetRow> partial_sets(const EventKey& key) const = 0;
  virtual std::optional<PartialSetRow> find_partial_set(EventNumber id) const = 0;
  // What waits for a sink, oldest first, after `after`.
  virtual std::vector<SinkItem> sink_queue(const std::string& sink, SinkItemId after, size_t limit) const = 0;
  virtual SinkItemId last_sink_item() const = 0;  // the highest id that is stored; 0: none is

  // Takes the shard: every later commit of it must carry the epoch this returns.
  virtual Result<Epoch> acquire(ShardId shard) = 0;

  // The whole content as text, one row a line, sorted: for comparing stores.
  virtual std::string dump() const = 0;
};

}  // namespace pawl::store
