// Writing: one transaction for all the batches of a commit.
#include <sqlite3.h>

#include "store/dump.h"
#include "store/sqlite/statements.h"

namespace pawl::store {

namespace {

// Whether SQLite says that surely nothing was written: the disk was full, or somebody else held the lock.
bool is_clean_failure(int code) {
  const int primary = code & 0xff;
  return primary == SQLITE_FULL || primary == SQLITE_BUSY || primary == SQLITE_NOMEM || primary == SQLITE_TOOBIG;
}

CommitError commit_error(const Database& database) {
  const int code = database.last_error_code();
  const bool clean = is_clean_failure(code);
  Error error{clean ? "STORE_FULL_OR_BUSY" : "STORE_IO", "", "A commit failed: " + database.last_error() + ".",
              clean ? "Free space on the disk of the data directory." : "Check the disk, then start again."};
  return {clean ? CommitFailure::kRolledBack : CommitFailure::kUnknown, std::move(error)};
}

}  // namespace

// Writes the rows of batches. After the first statement that fails everything is skipped.
class CommitWriter {
 public:
  CommitWriter(SqliteStore::Writes& writes, const Database& database) : w_(writes), database_(database) {}

  std::optional<CommitError> write(const Batch& batch) {
    for (const ExecutionRow& row : batch.started) insert(row);
    for (const ExecutionRow& row : batch.reopened) update(row);
    for (const Wake& wake : batch.dropped) drop(wake);
    for (const NameRow& name : batch.names)
      run(w_.insert_name.bind(1, to_sql(name.hash)).bind(2, to_sql(name.execution.number)));
    for (const Chunk& chunk : batch.chunks) insert(chunk);
    for (const SnapshotRow& snapshot : batch.snapshots) insert(snapshot);
    for (const LiveRow& row : batch.live) put(row);
    for (const ExecutionRow& row : batch.closed) close(row);
    for (const Wake& wake : batch.retention) insert(wake);
    for (const Removal& removal : batch.removed) remove(removal);
    for (const Document& document : batch.documents) put(document);
    for (const Message& message : batch.sent) insert(message);
    for (const MessageId id : batch.heeded) run(w_.delete_message.bind(1, to_sql(id.number)));
    if (batch.has_events()) write_events(batch);
    return error_;
  }

 private:
  void run(Statement& statement) {
    if (!error_ && !statement.run()) error_ = commit_error(database_);
  }

  bool has_row(Statement& statement) {
    const int code = error_ ? SQLITE_DONE : statement.step();
    if (code != SQLITE_ROW && code != SQLITE_DONE) error_ = commit_error(database_);
    return code == SQLITE_ROW;
  }

  static void bind_text_or_null(Statement& s, int index, const std::string& text) {
    if (text.empty())
      s.bind_null(index);
    else
      s.bind_text(index, text);
  }

  static void bind_time_or_null(Statement& s, int index, Timestamp time) {
    if (time == kNever)
      s.bind_null(index);
    else
      s.bind(index, to_ms(time));
  }

  void insert(const ExecutionRow& row) {
    Statement& s = w_.insert_execution;
    s.bind(1, to_sql(row.id.number)).bind(2, to_sql(row.definition.number)).bind(3, static_cast<int64_t>(row.status));
    bind_text_or_null(s, 4, row.name);
    s.bind(5, to_ms(row.started));
    bind_time_or_null(s, 6, row.closed);
    s.bind(7, to_sql(row.head.number)).bind(8, to_sql(row.parent.number)).bind(9, row.redrives);
    bind_time_or_null(s, 10, row.redriven);
    if (row.version == 0)
      s.bind_null(11);
    else
      s.bind(11, row.version);
    bind_text_or_null(s, 12, row.alias);
    run(s);
  }

  void insert(const Chunk& chunk) {
    Statement& s = w_.insert_chunk;
    s.bind(1, to_sql(chunk.id.number)).bind(2, to_sql(chunk.execution.number)).bind(3, to_sql(chunk.first_fact.number));
    s.bind(4, chunk.first_event.number).bind(5, to_sql(chunk.previous.number)).bind_blob(6, chunk.body);
    run(s);
  }

  void insert(const SnapshotRow& row) {
    Statement& s = w_.insert_snapshot;
    s.bind(1, to_sql(row.execution.number)).bind(2, to_sql(row.last_fact.number)).bind(3, row.last_event.number);
    run(s.bind(4, to_sql(row.chunk.number)).bind_blob(5, row.body));
  }

  void insert(const Wake& wake) { run(w_.insert_wake.bind(1, to_ms(wake.due)).bind(2, to_sql(wake.execution.number))); }

  void insert(const Message& message) {
    Statement& s = w_.insert_message;
    run(s.bind(1, to_sql(message.id.number)).bind(2, to_sql(message.destination.number)).bind_blob(3, message.body));
  }

  std::optional<LiveRow> find_live(ExecutionId id) {
    if (error_) return std::nullopt;
    std::optional<LiveRow> found;
    Statement& s = w_.find_live;
    s.bind(1, to_sql(id.number));
    if (has_row(s)) found = live_from(id, s);
    s.reset();
    return found;
  }

  void drop(const Wake& wake) {
    if (wake.due != kNever) run(w_.delete_wake.bind(1, to_ms(wake.due)).bind(2, to_sql(wake.execution.number)));
  }

  // Most executions go on as they were: then no index is touched, and one page instead of three is written.
  void put(const LiveRow& row) {
    const auto before = find_live(row.execution);
    if (before && before->wake == row.wake && before->attention == row.attention)
      return run(w_.move_live.bind(1, to_sql(row.head.number)).bind(2, to_sql(row.execution.number)));
    if (before) drop(Wake{before->wake, row.execution});
    Statement& s = w_.put_live;
    s.bind(1, to_sql(row.execution.number)).bind(2, to_sql(row.head.number));
    bind_time_or_null(s, 3, row.wake);
    run(s.bind(4, row.attention ? 1 : 0));
    if (row.wake != kNever) insert(Wake{row.wake, row.execution});
  }

  void update(const ExecutionRow& row) {
    Statement& s = w_.update_execution;
    s.bind(1, static_cast<int64_t>(row.status));
    bind_time_or_null(s, 2, row.closed);
    s.bind(3, to_sql(row.head.number)).bind(4, row.redrives);
    bind_time_or_null(s, 5, row.redriven);
    run(s.bind(6, to_sql(row.id.number)));
  }

  void close(const ExecutionRow& row) {
    update(row);
    if (const auto live = find_live(row.id)) drop(Wake{live->wake, row.id});
    run(w_.delete_live.bind(1, to_sql(row.id.number)));
  }

  std::vector<int64_t> chunks_of(ExecutionId id) {
    std::vector<int64_t> chunks;
    w_.chunk_chain.bind(1, to_sql(id.number));
    while (has_row(w_.chunk_chain)) chunks.push_back(w_.chunk_chain.integer(0));
    w_.chunk_chain.reset();
    return chunks;
  }

  void remember(const char* counter, int64_t value) { run(w_.put_counter.bind_text(1, counter).bind(2, value)); }

  void remove(const Removal& removal) {
    const int64_t id = to_sql(removal.execution.number);
    for (const int64_t chunk : chunks_of(removal.execution)) {
      remember(kLastChunkCounter, chunk);
      run(w_.delete_chunk.bind(1, chunk));
    }
    remember(kLastExecutionCounter, id);
    run(w_.delete_snapshots.bind(1, id));
    run(w_.delete_execution.bind(1, id));
    drop(Wake{removal.due, removal.execution});
    for (const uint64_t hash : removal.name_hashes) run(w_.delete_name.bind(1, to_sql(hash)).bind(2, id));
  }

  void put(const Document& document) {
    Statement& s = document.body.empty() ? w_.delete_document : w_.put_document;
    s.bind_text(1, document.kind).bind_text(2, document.key);
    if (!document.body.empty()) s.bind_blob(3, document.body);
    run(s);
  }

  void write_events(const Batch& batch) {
    for (const SubscriptionRow& row : batch.subscribed) insert(row);
    for (const SubscriptionRow& row : batch.unsubscribed) run(bind_place(w_.delete_subscription, row));
    for (const SpentWait& spent : batch.spent)
      run(bind_place(w_.insert_spent, spent.wait).bind(7, to_sql(spent.event.number)));
    if (batch.swept) run(w_.delete_spent.bind(1, to_sql(batch.swept.number)));
    for (const EventRow& row : batch.received) insert(row);
    for (const EventNumber number : batch.decided) run(w_.decide_event.bind(1, to_sql(number.number)));
    if (batch.forgotten) forget(batch.forgotten);
    for (const PartialSetRow& row : batch.gathered) put(row);
    for (const EventNumber id : batch.scattered) run(w_.delete_partial_set.bind(1, to_sql(id.number)));
    for (const SinkItem& item : batch.queued) insert(item);
    for (const SinkItemId id : batch.delivered) run(w_.delete_sink_item.bind(1, to_sql(id.number)));
  }

  static Statement& bind_place(Statement& s, const SubscriptionRow& row) {
    s.bind(1, to_sql(row.key.high)).bind(2, to_sql(row.key.low)).bind(3, to_sql(row.definition.number));
    return s.bind(4, to_sql(row.execution.number)).bind(5, row.operation.number).bind(6, row.filter);
  }

  void insert(const SubscriptionRow& row) {
    Statement& s = bind_place(w_.insert_subscription, row);
    run(s.bind(7, to_sql(row.after.number)).bind(8, to_sql(row.known.number)).bind(9, to_ms(row.made)));
  }

  void insert(const EventRow& row) {
    Statement& s = w_.insert_event;
    s.bind(1, to_sql(row.number.number)).bind(2, to_sql(row.identity.high)).bind(3, to_sql(row.identity.low));
    run(s.bind(4, to_ms(row.received)).bind(5, row.is_decided ? 1 : 0).bind_blob(6, row.body));
  }

  void forget(EventNumber last) {
    remember(kLastEventCounter, to_sql(last.number));
    run(w_.delete_events.bind(1, to_sql(last.number)));
  }

  void put(const PartialSetRow& row) {
    Statement& s = w_.put_partial_set;
    s.bind(1, to_sql(row.id.number)).bind(2, to_sql(row.key.high)).bind(3, to_sql(row.key.low));
    bind_time_or_null(s, 4, row.due);
    run(s.bind_blob(5, row.body));
  }

  void insert(const SinkItem& item) {
    Statement& s = w_.insert_sink_item;
    s.bind(1, to_sql(item.id.number)).bind_text(2, item.sink).bind(3, to_sql(item.execution.number));
    run(s.bind_blob(4, item.body));
  }

  SqliteStore::Writes& w_;
  const Database& database_;
  std::optional<CommitError> error_;  // the first one: SQLite forgets it with the next statement
};

bool SqliteStore::owns(const Batch& batch, std::optional<CommitError>& error) {
  Statement& s = writes_->find_epoch.bind(1, batch.shard.number);
  const int code = s.step();
  const bool owned = code == SQLITE_ROW && static_cast<uint64_t>(s.integer(0)) == batch.epoch.number;
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    error = commit_error(writer_);
  else if (!owned)
    error = fenced(batch.shard);
  s.reset();
  return owned;
}

CommitResult SqliteStore::commit(std::span<const Batch> batches) {
  if (!writes_->begin.run()) return std::unexpected(commit_error(writer_));
  std::optional<CommitError> error;
  for (const Batch& batch : batches)
    if (!error && owns(batch, error)) error = CommitWriter(*writes_, writer_).write(batch);
  if (!error && !writes_->commit.run()) error = commit_error(writer_);
  if (!error) return checkpoint_if_due();
  if (writer_.in_transaction()) writes_->rollback.run();
  return std::unexpected(*error);
}

// A checkpoint that finds no room or somebody reading goes on with the next one. One that fails otherwise may have been
// told of a sync that failed: no later one would be.
CommitResult SqliteStore::checkpoint_if_due() {
  if (writer_.log_pages() < options_.checkpoint_pages) return {};
  const int code = writer_.checkpoint();
  if (code == SQLITE_OK || is_clean_failure(code)) return {};
  return std::unexpected(commit_error(writer_));
}

}  // namespace pawl::store
