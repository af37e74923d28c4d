// Opening, locking and reading.
#include "store/sqlite/sqlite_store.h"

#include <algorithm>
#include <filesystem>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <unistd.h>

#include "store/dump.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/statements.h"

namespace pawl::store {

namespace {

constexpr const char* kLockName = "lock";

Result<int> lock_directory(const std::string& directory) {
  const std::string file = directory + "/" + kLockName;
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0)
    return fail("STORE_DIRECTORY", "The data directory cannot be written to.", "Check its owner and its permissions.",
                directory);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  ::close(descriptor);
  return fail("STORE_IN_USE", "Another process uses this data directory.",
              "Stop it, or give this one another directory with --data.", directory);
}

Result<int> take_directory(const std::string& directory) {
  std::error_code failure;
  std::filesystem::create_directories(directory, failure);
  if (failure)
    return fail("STORE_DIRECTORY", "The data directory cannot be made: " + failure.message() + ".",
                "Name a directory that may be written to.", directory);
  return lock_directory(directory);
}

Error reading_error(const Database& reader) {
  const int code = reader.last_error_code() & 0xff;
  const bool is_damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
  return {is_damaged ? "STORE_DAMAGED" : "STORE_IO", "",
          "The data directory cannot be read: " + reader.last_error() + ".",
          is_damaged ? "Restore the data directory from a backup." : "Check the disk, then start again."};
}

ExecutionRow execution_from(const Statement& s) {
  ExecutionRow row;
  row.id = ExecutionId(static_cast<uint64_t>(s.integer(0)));
  row.definition = DefinitionId(static_cast<uint64_t>(s.integer(1)));
  row.status = static_cast<ExecutionStatus>(s.integer(2));
  if (!s.is_null(3)) row.name = s.text(3);
  row.started = from_ms(s.integer(4));
  if (!s.is_null(5)) row.closed = from_ms(s.integer(5));
  row.head = ChunkId(static_cast<uint64_t>(s.integer(6)));
  row.parent = ExecutionId(static_cast<uint64_t>(s.integer(7)));
  row.redrives = static_cast<uint32_t>(s.integer(8));
  if (!s.is_null(9)) row.redriven = from_ms(s.integer(9));
  if (!s.is_null(10)) row.version = static_cast<uint32_t>(s.integer(10));
  if (!s.is_null(11)) row.alias = s.text(11);
  return row;
}

}  // namespace

// What cannot be read is not what is not there: on doubt nothing is answered.
bool SqliteStore::has_row(Statement& s) const {
  const int code = s.step();
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) {
    s.reset();
    options_.on_doubt(reading_error(reader_));
  }
  return false;
}

std::vector<ExecutionRow> SqliteStore::executions_of(Statement& s) const {
  std::vector<ExecutionRow> rows;
  while (has_row(s)) rows.push_back(execution_from(s));
  s.reset();
  return rows;
}

SqliteStore::SqliteStore(std::string directory, SqliteOptions options)
    : directory_(std::move(directory)), options_(std::move(options)) {}

SqliteStore::~SqliteStore() {
  writes_.reset();
  reads_.reset();
  reader_ = Database();
  writer_ = Database();
  if (lock_file_ >= 0) ::close(lock_file_);
}

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const std::string& directory, SqliteOptions options) {
  std::unique_ptr<SqliteStore> store(new SqliteStore(directory, std::move(options)));
  const std::string& vfs = store->options_.vfs;
  if (vfs.empty()) {
    PAWL_TRY(store->lock_file_, take_directory(directory));
  }
  const std::string file = directory + "/" + kDatabaseName;
  PAWL_TRY(store->writer_, Database::open(file, false, vfs));
  if (auto ready = prepare_schema(store->writer_); !ready) return std::unexpected(ready.error());
  PAWL_TRY(store->writes_, Writes::prepare(store->writer_));
  store->writer_.checkpoint_by_hand();
  PAWL_TRY(store->reader_, Database::open(file, true, vfs));
  PAWL_TRY(store->reads_, Reads::prepare(store->reader_));
  return store;
}

Result<Epoch> SqliteStore::acquire(ShardId shard) {
  writes_->find_epoch.bind(1, shard.number);
  const int found = writes_->find_epoch.step();
  const bool known = found == SQLITE_ROW;
  const Epoch epoch(known ? static_cast<uint64_t>(writes_->find_epoch.integer(0)) + 1 : 1);
  writes_->find_epoch.reset();
  const bool is_read = known || found == SQLITE_DONE;
  if (is_read && writes_->put_epoch.bind(1, shard.number).bind(2, to_sql(epoch.number)).run()) return epoch;
  return fail("STORE_IO", "The shard cannot be taken: " + writer_.last_error() + ".",
              "Check the disk of the data directory.");
}

std::optional<ExecutionRow> SqliteStore::find_execution(ExecutionId id) const {
  const std::lock_guard lock(reader_mutex_);
  reads_->execution.bind(1, to_sql(id.number));
  auto rows = executions_of(reads_->execution);
  return rows.empty() ? std::nullopt : std::optional(std::move(rows.front()));
}

std::optional<LiveRow> SqliteStore::find_live(ExecutionId id) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = reads_->live.bind(1, to_sql(id.number));
  std::optional<LiveRow> found;
  if (has_row(s)) found = live_from(id, s);
  s.reset();
  return found;
}

Result<std::vector<Chunk>> SqliteStore::load_chunks_after(ExecutionId id, ChunkId after, ChunkId head) const {
  const std::lock_guard lock(reader_mutex_);
  std::vector<Chunk> loaded;
  for (ChunkId at = head; at && at != after;) {
    Statement& s = reads_->chunk.bind(1, to_sql(at.number));
    const bool found = has_row(s) && static_cast<uint64_t>(s.integer(0)) == id.number;
    if (found)
      loaded.push_back({at, id, FactSeq(static_cast<uint64_t>(s.integer(1))),
                        EventId(static_cast<uint32_t>(s.integer(2))), ChunkId(static_cast<uint64_t>(s.integer(3))),
                        s.text(4)});
    s.reset();
    if (!found) return std::unexpected(missing_chunk(id, at));
    at = loaded.back().previous;
  }
  std::reverse(loaded.begin(), loaded.end());
  return loaded;
}

std::optional<SnapshotRow> SqliteStore::snapshot_before(ExecutionId id, EventId event) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = reads_->snapshot_before.bind(1, to_sql(id.number)).bind(2, event.number);
  std::optional<SnapshotRow> found;
  if (s.step() == SQLITE_ROW) found = snapshot_from(s);
  s.reset();
  return found;
}

ChunkId SqliteStore::snapshot_chunk_with(ExecutionId id, EventId event) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = reads_->snapshot_with.bind(1, to_sql(id.number)).bind(2, event.number);
  const ChunkId found(s.step() == SQLITE_ROW ? static_cast<uint64_t>(s.integer(0)) : 0);
  s.reset();
  return found;
}

std::vector<ExecutionId> SqliteStore::find_names(uint64_t hash) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = reads_->names.bind(1, to_sql(hash));
  std::vector<ExecutionId> found;
  while (has_row(s)) found.emplace_back(static_cast<uint64_t>(s.integer(0)));
  s.reset();
  return found;
}

std::vector<LiveRow> SqliteStore::needing_attention(ExecutionId after, size_t limit) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = reads_->attention.bind(1, to_sql(after.number)).bind(2, static_cast<int64_t>(limit));
  std::vector<LiveRow> found;
  while (has_row(s))
    found.push_back({ExecutionId(static_cast<uint64_t>(s.integer(0))), ChunkId(static_cast<uint64_t>(s.integer(1))),
                     s.is_null(2) ? kNever : from_ms(s.integer(2)), true});
  s.reset();
  return found;
}

std::vector<Wake> SqliteStore::due(Timestamp until, const Wake& after, size_t limit) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = reads_->due.bind(1, to_ms(after.due)).bind(2, to_sql(after.execution.number));
  s.bind(3, to_ms(until)).bind(4, static_cast<int64_t>(limit));
  std::vector<Wake> found;
  while (has_row(s)) found.push_back({from_ms(s.integer(0)), ExecutionId(static_cast<uint64_t>(s.integer(1)))});
  s.reset();
  return found;
}

Timestamp SqliteStore::next_wake() const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = reads_->next_wake;
  const Timestamp next = has_row(s) && !s.is_null(0) ? from_ms(s.integer(0)) : kNever;
  s.reset();
  return next;
}

// The statement that reads the rows of a filter, in its order; of those it reads, matches() decides.
Statement& SqliteStore::select_rows(const ListFilter& filter) const {
  if (filter.is_oldest_first) {
    const int64_t after = to_sql(filter.after.number);
    if (!filter.definition) return reads_->oldest.bind(1, after);
    return reads_->oldest_of_definition.bind(1, to_sql(filter.definition->number)).bind(2, after);
  }
  const int64_t before = filter.before ? to_sql(filter.before.number) : INT64_MAX;
  const int64_t status = filter.status ? static_cast<int64_t>(*filter.status) : 0;
  if (!filter.definition && !filter.status) return reads_->list_all.bind(1, before);
  if (!filter.definition) return reads_->list_status.bind(1, status).bind(2, before);
  const int64_t definition = to_sql(filter.definition->number);
  if (filter.status == ExecutionStatus::kRunning) return reads_->list_running.bind(1, definition).bind(2, before);
  if (status > static_cast<int64_t>(ExecutionStatus::kSucceeded))
    return reads_->list_failed.bind(1, definition).bind(2, status).bind(3, before);
  return reads_->list_definition.bind(1, definition).bind(2, before);
}

std::vector<ExecutionRow> SqliteStore::list_executions(const ListFilter& filter) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = select_rows(filter);
  std::vector<ExecutionRow> rows;
  while (rows.size() < filter.limit && has_row(s)) {
    ExecutionRow row = execution_from(s);
    if (matches(filter, row)) rows.push_back(std::move(row));
  }
  s.reset();
  return rows;
}

std::vector<Document> SqliteStore::documents(const std::string& kind) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = reads_->documents.bind_text(1, kind);
  std::vector<Document> found;
  while (has_row(s)) found.push_back({kind, s.text(0), s.text(1)});
  s.reset();
  return found;
}

uint64_t SqliteStore::single_number(Statement& s) const {
  const uint64_t number = has_row(s) ? static_cast<uint64_t>(s.integer(0)) : 0;
  s.reset();
  return number;
}

std::vector<Message> SqliteStore::messages(MessageId after, size_t limit) const {
  const std::lock_guard lock(reader_mutex_);
  Statement& s = reads_->messages.bind(1, to_sql(after.number)).bind(2, static_cast<int64_t>(limit));
  std::vector<Message> found;
  while (has_row(s))
    found.push_back(
        {MessageId(static_cast<uint64_t>(s.integer(0))), ExecutionId(static_cast<uint64_t>(s.integer(1))), s.text(2)});
  s.reset();
  return found;
}

MessageId SqliteStore::last_message() const {
  const std::lock_guard lock(reader_mutex_);
  return MessageId(single_number(reads_->last_message));
}

ChunkId SqliteStore::last_chunk() const {
  const std::lock_guard lock(reader_mutex_);
  return ChunkId(single_number(reads_->last_chunk));
}

ExecutionId SqliteStore::last_execution() const {
  const std::lock_guard lock(reader_mutex_);
  return ExecutionId(single_number(reads_->last_execution));
}

uint64_t SqliteStore::count_open() const {
  const std::lock_guard lock(reader_mutex_);
  return single_number(reads_->count_open);
}

Result<void> SqliteStore::backup_to(const std::string& file) const {
  const std::lock_guard lock(reader_mutex_);
  return reader_.backup_to(file);
}

}  // namespace pawl::store
