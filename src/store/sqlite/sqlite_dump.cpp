// The whole database as sorted lines of text.
#include <sqlite3.h>

#include "store/dump.h"
#include "store/sqlite/statements.h"

namespace pawl::store {

namespace {

template <typename Visit>
void each_row(Database& database, const char* sql, Visit visit) {
  auto query = database.prepare(sql);
  if (!query) return;
  while (query->step() == SQLITE_ROW) visit(*query);
}

uint64_t number(const Statement& s, int column) { return static_cast<uint64_t>(s.integer(column)); }

}  // namespace

std::string SqliteStore::dump() const {
  Dump dump;
  ListFilter all;
  all.limit = SIZE_MAX;
  for (const ExecutionRow& row : list_executions(all)) dump.add(row);
  const std::lock_guard lock(reader_mutex_);
  each_row(reader_, "SELECT execution, head, wake_ms, attention FROM live", [&](const Statement& s) {
    dump.add(LiveRow{ExecutionId(number(s, 0)), ChunkId(number(s, 1)), s.is_null(2) ? kNever : from_ms(s.integer(2)),
                     s.integer(3) != 0});
  });
  each_row(reader_, "SELECT id, execution, first_fact, first_event, previous, body FROM chunks",
           [&](const Statement& s) {
             dump.add(Chunk{ChunkId(number(s, 0)), ExecutionId(number(s, 1)), FactSeq(number(s, 2)),
                            EventId(static_cast<uint32_t>(s.integer(3))), ChunkId(number(s, 4)), s.text(5)});
           });
  each_row(reader_, "SELECT execution, last_fact, last_event, chunk, body FROM snapshots",
           [&](const Statement& s) { dump.add(snapshot_from(s)); });
  each_row(reader_, "SELECT due_ms, execution FROM wakes",
           [&](const Statement& s) { dump.add(Wake{from_ms(s.integer(0)), ExecutionId(number(s, 1))}); });
  each_row(reader_, "SELECT hash, execution FROM names",
           [&](const Statement& s) { dump.add(NameRow{number(s, 0), ExecutionId(number(s, 1))}); });
  each_row(reader_, "SELECT kind, key, body FROM documents",
           [&](const Statement& s) { dump.add(Document{s.text(0), s.text(1), s.text(2)}); });
  each_row(reader_, "SELECT id, destination, body FROM outbox", [&](const Statement& s) {
    dump.add(Message{MessageId(number(s, 0)), ExecutionId(number(s, 1)), s.text(2)});
  });
  each_row(reader_, "SELECT * FROM subscriptions", [&](const Statement& s) { dump.add(subscription_from(s)); });
  each_row(reader_, "SELECT * FROM spent_waits", [&](const Statement& s) { dump.add(spent_wait_from(s)); });
  each_row(reader_, "SELECT * FROM events", [&](const Statement& s) { dump.add(event_from(s)); });
  each_row(reader_, "SELECT * FROM partial_sets", [&](const Statement& s) { dump.add(partial_set_from(s)); });
  each_row(reader_, "SELECT * FROM sink_queue", [&](const Statement& s) { dump.add(sink_item_from(s)); });
  return dump.text();
}

}  // namespace pawl::store
