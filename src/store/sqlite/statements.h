// The prepared statements of the SQLite store. For the SQLite store only.
#pragma once

#include "store/sqlite/database.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl::store {

struct SqliteStore::Writes {
  Statement begin, commit, rollback;
  Statement insert_execution, update_execution, delete_execution;
  Statement insert_chunk, delete_chunk;
  Statement insert_snapshot, delete_snapshots;
  Statement find_wake, put_live, delete_live;
  Statement insert_wake, delete_wake;
  Statement insert_name, delete_name;
  Statement put_document, delete_document;
  Statement insert_message, delete_message;
  Statement find_epoch, put_epoch;
  Statement chunk_chain, put_counter;

  static Result<std::unique_ptr<Writes>> prepare(Database& database);
};

struct SqliteStore::Reads {
  Statement execution, live, chunk, names, attention, due, next_wake;
  Statement list_all, list_definition, list_running, list_failed, list_status;
  Statement messages, last_message;
  Statement documents, last_chunk, last_execution, count_open;
  Statement snapshot_before, snapshot_with;

  static Result<std::unique_ptr<Reads>> prepare(Database& database);
};

inline int64_t to_ms(Timestamp time) { return time.time_since_epoch().count(); }
inline Timestamp from_ms(int64_t ms) { return Timestamp(Duration(ms)); }
// Of columns execution, last_fact, last_event, chunk, body.
inline SnapshotRow snapshot_from(const Statement& s) {
  return {ExecutionId(static_cast<uint64_t>(s.integer(0))), FactSeq(static_cast<uint64_t>(s.integer(1))),
          EventId(static_cast<uint32_t>(s.integer(2))), ChunkId(static_cast<uint64_t>(s.integer(3))), s.text(4)};
}
inline int64_t to_sql(uint64_t number) { return static_cast<int64_t>(number); }

inline constexpr const char* kLastChunkCounter = "last_chunk";
inline constexpr const char* kLastExecutionCounter = "last_execution";

}  // namespace pawl::store
