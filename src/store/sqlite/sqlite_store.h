// The embedded store: one SQLite database in a data directory.
//
// One thread commits, through one connection with prepared statements; readers share a second connection under a mutex,
// each for one short query. The directory is locked for as long as the store is open: a second process gets
// STORE_IN_USE.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "base/doubt.h"
#include "store/sqlite/database.h"
#include "store/store.h"

namespace pawl::store {

struct SqliteOptions {
  std::string vfs;  // SQLite's name of a file system, which makes and locks the directory itself; empty: the system's
  int checkpoint_pages = 1000;          // of the write-ahead log, then it goes into the database
  OnDoubt on_doubt = stop_the_process;  // a page that cannot be read, or is damaged
};

class SqliteStore final : public Store {
 public:
  // Makes the directory and the database where they do not exist.
  // Errors: STORE_DIRECTORY, STORE_IN_USE, STORE_OPEN, STORE_SCHEMA_NEWER, STORE_SQL.
  static Result<std::unique_ptr<SqliteStore>> open(const std::string& directory, SqliteOptions options = {});
  ~SqliteStore() override;

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

  // How many executions are open. Reads the whole table of them.
  uint64_t count_open() const;
  // A consistent copy, made while the store is in use.
  Result<void> backup_to(const std::string& file) const;

  struct Writes;  // the prepared statements (statements.h)
  struct Reads;

 private:
  SqliteStore(std::string directory, SqliteOptions options);
  Statement& select_rows(const ListFilter& filter) const;
  bool owns(const Batch& batch, std::optional<CommitError>& error);
  CommitResult checkpoint_if_due();
  bool has_row(Statement& s) const;
  std::vector<ExecutionRow> executions_of(Statement& s) const;
  uint64_t single_number(Statement& s) const;

  const std::string directory_;
  const SqliteOptions options_;
  int lock_file_ = -1;
  Database writer_;  // the committing thread's
  std::unique_ptr<Writes> writes_;
  mutable std::mutex reader_mutex_;  // guards reader_ and reads_
  mutable Database reader_;
  std::unique_ptr<Reads> reads_;
};

}  // namespace pawl::store
