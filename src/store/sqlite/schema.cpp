#include "store/sqlite/schema.h"

#include <array>
#include <string>

#include <sqlite3.h>

namespace pawl::store {

namespace {

constexpr const char* kPragmas = R"sql(
PRAGMA page_size=8192;
PRAGMA journal_mode=WAL;
PRAGMA synchronous=FULL;
PRAGMA secure_delete=OFF;
PRAGMA temp_store=MEMORY;
)sql";

// One step for each version; a file at version n runs the steps after n. Steps are never changed once released.
constexpr std::array<const char*, kSchemaVersion> kSteps = {R"sql(
CREATE TABLE chunks(id INTEGER PRIMARY KEY, execution INTEGER NOT NULL, first_fact INTEGER NOT NULL,
  first_event INTEGER NOT NULL, previous INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE executions(id INTEGER PRIMARY KEY, definition INTEGER NOT NULL, status INTEGER NOT NULL, name TEXT,
  started_ms INTEGER NOT NULL, closed_ms INTEGER, head INTEGER NOT NULL DEFAULT 0, parent INTEGER NOT NULL DEFAULT 0,
  redrives INTEGER NOT NULL DEFAULT 0);
CREATE INDEX executions_list ON executions(definition, id);
CREATE INDEX executions_bad ON executions(definition, status, id) WHERE status > 2;
CREATE TABLE live(execution INTEGER PRIMARY KEY, head INTEGER NOT NULL, wake_ms INTEGER, attention INTEGER NOT NULL);
CREATE INDEX live_attention ON live(execution) WHERE attention <> 0;
CREATE TABLE wakes(due_ms INTEGER NOT NULL, execution INTEGER NOT NULL, PRIMARY KEY(due_ms, execution)) WITHOUT ROWID;
CREATE TABLE names(hash INTEGER NOT NULL, execution INTEGER NOT NULL, PRIMARY KEY(hash, execution)) WITHOUT ROWID;
CREATE TABLE documents(kind TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY(kind, key)) WITHOUT ROWID;
CREATE TABLE shards(id INTEGER PRIMARY KEY, epoch INTEGER NOT NULL);
CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
)sql",
                                                            R"sql(
ALTER TABLE executions ADD COLUMN redriven_ms INTEGER;
ALTER TABLE executions ADD COLUMN version INTEGER;
ALTER TABLE executions ADD COLUMN alias TEXT;
)sql",
                                                            R"sql(
CREATE TABLE outbox(id INTEGER PRIMARY KEY, destination INTEGER NOT NULL, body BLOB NOT NULL);
)sql",
                                                            R"sql(
CREATE TABLE snapshots(execution INTEGER NOT NULL, last_fact INTEGER NOT NULL, last_event INTEGER NOT NULL,
  chunk INTEGER NOT NULL, body BLOB NOT NULL);
CREATE UNIQUE INDEX snapshots_list ON snapshots(execution, last_event, last_fact, chunk);
)sql",
                                                            R"sql(
CREATE TABLE subscriptions(key_high INTEGER NOT NULL, key_low INTEGER NOT NULL, definition INTEGER NOT NULL,
  execution INTEGER NOT NULL, operation INTEGER NOT NULL, filter INTEGER NOT NULL, after INTEGER NOT NULL,
  known INTEGER NOT NULL, made_ms INTEGER NOT NULL,
  PRIMARY KEY(key_high, key_low, definition, execution, operation, filter)) WITHOUT ROWID;
CREATE TABLE spent_waits(event INTEGER PRIMARY KEY, key_high INTEGER NOT NULL, key_low INTEGER NOT NULL,
  definition INTEGER NOT NULL, execution INTEGER NOT NULL, operation INTEGER NOT NULL, filter INTEGER NOT NULL);
CREATE TABLE events(number INTEGER PRIMARY KEY, identity_high INTEGER NOT NULL, identity_low INTEGER NOT NULL,
  received_ms INTEGER NOT NULL, is_decided INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE partial_sets(id INTEGER PRIMARY KEY, key_high INTEGER NOT NULL, key_low INTEGER NOT NULL, due_ms INTEGER,
  body BLOB NOT NULL);
CREATE INDEX partial_sets_by_key ON partial_sets(key_high, key_low);
CREATE TABLE sink_queue(id INTEGER PRIMARY KEY, sink TEXT NOT NULL, execution INTEGER NOT NULL, body BLOB NOT NULL);
CREATE INDEX sink_queue_by_sink ON sink_queue(sink);
)sql"};

Result<int64_t> version_of(Database& database) {
  PAWL_TRY(Statement query, database.prepare("PRAGMA user_version"));
  if (query.step() != SQLITE_ROW) return fail("STORE_SQL", database.last_error());
  return query.integer(0);
}

Result<void> migrate(Database& database, int64_t version) {
  std::string script = "BEGIN IMMEDIATE;";
  for (int64_t step = version; step < kSchemaVersion; ++step) script += kSteps[static_cast<size_t>(step)];
  script += "PRAGMA user_version=" + std::to_string(kSchemaVersion) + ";COMMIT;";
  return database.execute(script);
}

}  // namespace

Result<void> prepare_schema(Database& database) {
  if (auto done = database.execute(kPragmas); !done) return done;
  PAWL_TRY(const int64_t version, version_of(database));
  if (version > kSchemaVersion)
    return fail("STORE_SCHEMA_NEWER",
                "The data directory has schema version " + std::to_string(version) + "; this version of Pawl knows " +
                    std::to_string(kSchemaVersion) + ".",
                "Run the version of Pawl that wrote it, or a later one.");
  if (version == kSchemaVersion) return {};
  return migrate(database, version);
}

}  // namespace pawl::store
