#include "store/sqlite/statements.h"

#include <span>
#include <utility>

namespace pawl::store {

namespace {

using Target = std::pair<Statement*, const char*>;

Result<void> prepare_all(Database& database, std::span<const Target> targets) {
  for (const auto& [statement, sql] : targets) {
    PAWL_TRY(*statement, database.prepare(sql));
  }
  return {};
}

constexpr const char* kExecutionColumns =
    "SELECT id, definition, status, name, started_ms, closed_ms, head, parent, redrives, redriven_ms, version, alias "
    "FROM executions ";

}  // namespace

Result<std::unique_ptr<SqliteStore::Writes>> SqliteStore::Writes::prepare(Database& database) {
  auto w = std::make_unique<Writes>();
  const Target targets[] = {
      {&w->begin, "BEGIN IMMEDIATE"},
      {&w->commit, "COMMIT"},
      {&w->rollback, "ROLLBACK"},
      {&w->insert_execution, "INSERT INTO executions VALUES(?,?,?,?,?,?,?,?,?,?,?,?)"},
      {&w->update_execution,
       "UPDATE executions SET status=?, closed_ms=?, head=?, redrives=?, redriven_ms=? WHERE id=?"},
      {&w->delete_execution, "DELETE FROM executions WHERE id=?"},
      {&w->insert_chunk, "INSERT INTO chunks VALUES(?,?,?,?,?,?)"},
      {&w->delete_chunk, "DELETE FROM chunks WHERE id=?"},
      {&w->insert_snapshot, "INSERT INTO snapshots VALUES(?,?,?,?,?)"},
      {&w->delete_snapshots, "DELETE FROM snapshots WHERE execution=?"},
      {&w->find_live, "SELECT head, wake_ms, attention FROM live WHERE execution=?"},
      {&w->put_live, "INSERT OR REPLACE INTO live VALUES(?,?,?,?)"},
      {&w->move_live, "UPDATE live SET head=? WHERE execution=?"},
      {&w->delete_live, "DELETE FROM live WHERE execution=?"},
      {&w->insert_wake, "INSERT OR REPLACE INTO wakes VALUES(?,?)"},
      {&w->delete_wake, "DELETE FROM wakes WHERE due_ms=? AND execution=?"},
      {&w->insert_name, "INSERT OR REPLACE INTO names VALUES(?,?)"},
      {&w->delete_name, "DELETE FROM names WHERE hash=? AND execution=?"},
      {&w->put_document, "INSERT OR REPLACE INTO documents VALUES(?,?,?)"},
      {&w->delete_document, "DELETE FROM documents WHERE kind=? AND key=?"},
      {&w->insert_message, "INSERT INTO outbox VALUES(?,?,?)"},
      {&w->delete_message, "DELETE FROM outbox WHERE id=?"},
      {&w->find_epoch, "SELECT epoch FROM shards WHERE id=?"},
      {&w->put_epoch, "INSERT OR REPLACE INTO shards VALUES(?,?)"},
      {&w->chunk_chain,
       "WITH RECURSIVE chain(id, previous) AS (SELECT id, previous FROM chunks WHERE id=(SELECT head FROM executions "
       "WHERE id=?) UNION ALL SELECT c.id, c.previous FROM chunks c JOIN chain ON c.id=chain.previous) "
       "SELECT id FROM chain"},
      {&w->put_counter,
       "INSERT INTO counters VALUES(?,?) ON CONFLICT(name) DO UPDATE SET value=max(value, excluded.value)"},
      {&w->insert_subscription, "INSERT OR IGNORE INTO subscriptions VALUES(?,?,?,?,?,?,?,?,?)"},
      {&w->delete_subscription,
       "DELETE FROM subscriptions WHERE key_high=? AND key_low=? AND definition=? AND execution=? AND operation=? AND "
       "filter=?"},
      {&w->insert_spent, "INSERT INTO spent_waits VALUES(?7,?1,?2,?3,?4,?5,?6)"},
      {&w->delete_spent, "DELETE FROM spent_waits WHERE event<=?"},
      {&w->insert_event, "INSERT INTO events VALUES(?,?,?,?,?,?)"},
      {&w->decide_event, "UPDATE events SET is_decided=1 WHERE number=?"},
      {&w->delete_events, "DELETE FROM events WHERE number<=?"},
      {&w->put_partial_set, "INSERT OR REPLACE INTO partial_sets VALUES(?,?,?,?,?)"},
      {&w->delete_partial_set, "DELETE FROM partial_sets WHERE id=?"},
      {&w->insert_sink_item, "INSERT INTO sink_queue VALUES(?,?,?,?)"},
      {&w->delete_sink_item, "DELETE FROM sink_queue WHERE id=?"},
  };
  if (auto done = prepare_all(database, targets); !done) return std::unexpected(done.error());
  return w;
}

Result<std::unique_ptr<SqliteStore::Reads>> SqliteStore::Reads::prepare(Database& database) {
  auto r = std::make_unique<Reads>();
  const std::string columns = kExecutionColumns;
  const std::string by_id = columns + "WHERE id=?";
  const std::string all = columns + "WHERE id<? ORDER BY id DESC";
  const std::string definition = columns + "WHERE definition=? AND id<? ORDER BY id DESC";
  const std::string running =
      columns + "WHERE definition=? AND id<? AND id IN (SELECT execution FROM live) ORDER BY id DESC";
  const std::string failed = columns + "WHERE definition=? AND status=? AND status>2 AND id<? ORDER BY id DESC";
  const std::string status = columns + "WHERE status=? AND id<? ORDER BY id DESC";
  const std::string oldest = columns + "WHERE id>? ORDER BY id";
  const std::string oldest_of_definition = columns + "WHERE definition=? AND id>? ORDER BY id";
  const Target targets[] = {
      {&r->execution, by_id.c_str()},
      {&r->live, "SELECT head, wake_ms, attention FROM live WHERE execution=?"},
      {&r->chunk, "SELECT execution, first_fact, first_event, previous, body FROM chunks WHERE id=?"},
      {&r->names, "SELECT execution FROM names WHERE hash=? ORDER BY execution DESC"},
      {&r->attention,
       "SELECT execution, head, wake_ms FROM live WHERE attention<>0 AND execution>? ORDER BY execution LIMIT ?"},
      {&r->due,
       "SELECT due_ms, execution FROM wakes WHERE (due_ms, execution)>(?,?) AND due_ms<=? ORDER BY due_ms, execution "
       "LIMIT ?"},
      {&r->next_wake, "SELECT min(due_ms) FROM wakes"},
      {&r->list_all, all.c_str()},
      {&r->list_definition, definition.c_str()},
      {&r->list_running, running.c_str()},
      {&r->list_failed, failed.c_str()},
      {&r->list_status, status.c_str()},
      {&r->oldest, oldest.c_str()},
      {&r->oldest_of_definition, oldest_of_definition.c_str()},
      {&r->snapshot_before,
       "SELECT execution, last_fact, last_event, chunk, body FROM snapshots WHERE execution=? AND last_event<? "
       "ORDER BY last_event DESC, last_fact DESC LIMIT 1"},
      {&r->snapshot_with,
       "SELECT chunk FROM snapshots WHERE execution=? AND last_event>=? ORDER BY last_event, last_fact LIMIT 1"},
      {&r->documents, "SELECT key, body FROM documents WHERE kind=? ORDER BY key"},
      {&r->messages, "SELECT id, destination, body FROM outbox WHERE id>? ORDER BY id LIMIT ?"},
      {&r->last_message, "SELECT coalesce(max(id),0) FROM outbox"},
      {&r->last_chunk,
       "SELECT max(coalesce((SELECT max(id) FROM chunks),0), coalesce((SELECT value FROM counters WHERE "
       "name='last_chunk'),0))"},
      {&r->last_execution,
       "SELECT max(coalesce((SELECT max(id) FROM executions),0), coalesce((SELECT value FROM counters WHERE "
       "name='last_execution'),0), coalesce((SELECT max(destination) FROM outbox),0))"},
      {&r->count_open, "SELECT count(*) FROM live"},
      {&r->subscriptions,
       "SELECT * FROM subscriptions WHERE key_high=? AND key_low=? AND (definition, execution, operation, "
       "filter)>(?,?,?,?) ORDER BY definition, execution, operation, filter LIMIT ?"},
      {&r->has_subscription,
       "SELECT 1 FROM subscriptions WHERE key_high=? AND key_low=? AND definition=? AND execution=? AND operation=? "
       "AND filter=?"},
      {&r->next_definition,
       "SELECT definition FROM subscriptions WHERE key_high=? AND key_low=? AND definition>? ORDER BY definition "
       "LIMIT 1"},
      {&r->spent_waits, "SELECT * FROM spent_waits WHERE event>? ORDER BY event LIMIT ?"},
      {&r->events, "SELECT * FROM events WHERE number>? ORDER BY number LIMIT ?"},
      {&r->event_marks,
       "SELECT number, identity_high, identity_low, received_ms, is_decided, x'' FROM events WHERE number>? ORDER BY "
       "number LIMIT ?"},
      {&r->event, "SELECT * FROM events WHERE number=?"},
      {&r->last_event,
       "SELECT max(coalesce((SELECT max(number) FROM events),0), coalesce((SELECT value FROM counters WHERE "
       "name='last_event'),0))"},
      {&r->partial_sets, "SELECT * FROM partial_sets WHERE key_high=? AND key_low=? ORDER BY id"},
      {&r->partial_set, "SELECT * FROM partial_sets WHERE id=?"},
      {&r->sink_queue, "SELECT * FROM sink_queue WHERE sink=? AND id>? ORDER BY id LIMIT ?"},
      {&r->last_sink_item, "SELECT coalesce(max(id),0) FROM sink_queue"},
  };
  if (auto done = prepare_all(database, targets); !done) return std::unexpected(done.error());
  return r;
}

}  // namespace pawl::store
