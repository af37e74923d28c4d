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
  Statement find_live, put_live, move_live, delete_live;
  Statement insert_wake, delete_wake;
  Statement insert_name, delete_name;
  Statement put_document, delete_document;
  Statement insert_message, delete_message;
  Statement find_epoch, put_epoch;
  Statement chunk_chain, put_counter;
  Statement insert_subscription, delete_subscription;
  Statement insert_spent, delete_spent;
  Statement insert_event, decide_event, delete_events, put_partial_set, delete_partial_set;
  Statement insert_sink_item, delete_sink_item;

  static Result<std::unique_ptr<Writes>> prepare(Database& database);
};

struct SqliteStore::Reads {
  Statement execution, live, chunk, names, attention, due, next_wake;
  Statement list_all, list_definition, list_running, list_failed, list_status, oldest, oldest_of_definition;
  Statement messages, last_message;
  Statement documents, last_chunk, last_execution, count_open;
  Statement snapshot_before, snapshot_with;
  Statement subscriptions, has_subscription, next_definition, spent_waits;
  Statement events, event_marks, event, last_event;
  Statement partial_sets, partial_set, sink_queue, last_sink_item;

  static Result<std::unique_ptr<Reads>> prepare(Database& database);
};

inline int64_t to_ms(Timestamp time) { return time.time_since_epoch().count(); }
inline Timestamp from_ms(int64_t ms) { return Timestamp(Duration(ms)); }
// Of columns execution, last_fact, last_event, chunk, body.
inline SnapshotRow snapshot_from(const Statement& s) {
  return {ExecutionId(static_cast<uint64_t>(s.integer(0))), FactSeq(static_cast<uint64_t>(s.integer(1))),
          EventId(static_cast<uint32_t>(s.integer(2))), ChunkId(static_cast<uint64_t>(s.integer(3))), s.text(4)};
}
// Of columns head, wake_ms, attention.
inline LiveRow live_from(ExecutionId id, const Statement& s) {
  return {id, ChunkId(static_cast<uint64_t>(s.integer(0))), s.is_null(1) ? kNever : from_ms(s.integer(1)),
          s.integer(2) != 0};
}
inline int64_t to_sql(uint64_t number) { return static_cast<int64_t>(number); }
inline uint64_t from_sql(int64_t number) { return static_cast<uint64_t>(number); }

// Rows of queries that begin with the columns of their tables, in order.
SubscriptionRow subscription_from(const Statement& s);
SpentWait spent_wait_from(const Statement& s);
EventRow event_from(const Statement& s);
PartialSetRow partial_set_from(const Statement& s);
SinkItem sink_item_from(const Statement& s);

inline constexpr const char* kLastChunkCounter = "last_chunk";
inline constexpr const char* kLastExecutionCounter = "last_execution";
inline constexpr const char* kLastEventCounter = "last_event";

}  // namespace pawl::store
