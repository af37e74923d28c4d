#include "store/sqlite/database.h"

#include <sqlite3.h>

#include "base/assert.h"

namespace pawl::store {

namespace {

constexpr int kBackupPagesAStep = 256;  // between the steps others may write
constexpr int kBusyTimeoutMs = 5000;

}  // namespace

// --- statements
// ----------------------------------------------------------------------------------------------------------

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bind(int index, int64_t value) {
  sqlite3_bind_int64(statement_, index, value);
  return *this;
}

// The bytes must live until the statement is reset: the caller's rows do.
Statement& Statement::bind_text(int index, std::string_view value) {
  sqlite3_bind_text64(statement_, index, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind_blob(int index, std::string_view value) {
  sqlite3_bind_blob64(statement_, index, value.data(), value.size(), SQLITE_STATIC);
  return *this;
}

Statement& Statement::bind_null(int index) {
  sqlite3_bind_null(statement_, index);
  return *this;
}

int Statement::step() { return sqlite3_step(statement_); }

bool Statement::step_is_done() { return step() == SQLITE_DONE; }

void Statement::reset() { sqlite3_reset(statement_); }

int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }

bool Statement::is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

std::string Statement::text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  return {static_cast<const char*>(bytes), static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

// --- the connection
// ------------------------------------------------------------------------------------------------------

Result<Database> Database::open(const std::string& file, bool read_only, const std::string& vfs) {
  sqlite3* handle = nullptr;
  const int flags =
      (read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags, vfs.empty() ? nullptr : vfs.c_str());
  Database database(handle);
  if (code != SQLITE_OK)
    return fail("STORE_OPEN", std::string("The database cannot be opened: ") + sqlite3_errstr(code) + ".",
                "Check that the data directory exists and may be written to.", file);
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  return database;
}

Database::~Database() { sqlite3_close_v2(database_); }

Result<void> Database::execute(const std::string& sql) {
  if (sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return fail("STORE_SQL", last_error());
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(database_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                                      &statement, nullptr);
  if (code == SQLITE_OK) return Statement(statement);
  return fail("STORE_SQL", last_error() + " in: " + std::string(sql));
}

int Database::last_error_code() const { return sqlite3_extended_errcode(database_); }
std::string Database::last_error() const { return sqlite3_errmsg(database_); }
void Database::checkpoint_by_hand() {
  const auto count = [](void* pages, sqlite3*, const char*, int in_log) {
    *static_cast<int*>(pages) = in_log;
    return SQLITE_OK;
  };
  log_pages_ = std::make_unique<int>(0);
  sqlite3_wal_hook(database_, count, log_pages_.get());
}

int Database::checkpoint() {
  return sqlite3_wal_checkpoint_v2(database_, nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(database_) == 0; }

Result<void> Database::backup_to(const std::string& file) {
  auto copy = open(file, false);
  if (!copy) return std::unexpected(copy.error());
  sqlite3_backup* backup = sqlite3_backup_init(copy->database_, "main", database_, "main");
  if (backup == nullptr) return fail("STORE_BACKUP", copy->last_error());
  int code = SQLITE_OK;
  while (code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED)
    code = sqlite3_backup_step(backup, kBackupPagesAStep);
  sqlite3_backup_finish(backup);
  if (code == SQLITE_DONE) return {};
  return fail("STORE_BACKUP", std::string("The backup failed: ") + sqlite3_errstr(code) + ".",
              "Check the space on the disk.", file);
}

}  // namespace pawl::store
