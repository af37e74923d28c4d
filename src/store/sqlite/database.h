// SQLite as C++: a connection and its prepared statements. For the SQLite store only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace pawl::store {

class Database;

// A prepared statement. Bind, step and reset; not for two threads at once.
class Statement {
 public:
  Statement() = default;
  Statement(Statement&& other) noexcept : statement_(std::exchange(other.statement_, nullptr)) {}
  Statement& operator=(Statement&& other) noexcept {
    std::swap(statement_, other.statement_);
    return *this;
  }
  ~Statement();

  Statement& bind(int index, int64_t value);
  Statement& bind_text(int index, std::string_view value);
  Statement& bind_blob(int index, std::string_view value);
  Statement& bind_null(int index);

  int step();  // SQLITE_ROW, SQLITE_DONE or an error
  void reset();
  bool run() {  // step to the end, then reset: whether it went well
    const bool done = step_is_done();
    reset();
    return done;
  }

  int64_t integer(int column) const;
  bool is_null(int column) const;
  std::string text(int column) const;

 private:
  friend class Database;
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}
  bool step_is_done();
  sqlite3_stmt* statement_ = nullptr;
};

// A connection. Not for two threads at once.
class Database {
 public:
  // `vfs`: the file system, empty: the system's. Errors: STORE_OPEN with SQLite's own words.
  static Result<Database> open(const std::string& file, bool read_only, const std::string& vfs = {});
  Database() = default;
  Database(Database&& other) noexcept
      : database_(std::exchange(other.database_, nullptr)), log_pages_(std::move(other.log_pages_)) {}
  Database& operator=(Database&& other) noexcept {
    std::swap(database_, other.database_);
    std::swap(log_pages_, other.log_pages_);
    return *this;
  }
  ~Database();

  Result<void> execute(const std::string& sql);
  Result<Statement> prepare(std::string_view sql);
  int last_error_code() const;  // the extended one
  std::string last_error() const;
  bool in_transaction() const;
  // From now on the write-ahead log goes into the database by checkpoint() only. SQLite's own way would pass over a
  // sync that fails.
  void checkpoint_by_hand();
  int log_pages() const { return log_pages_ == nullptr ? 0 : *log_pages_; }  // after the last commit
  int checkpoint();                                                          // SQLITE_OK or an error
  Result<void> backup_to(const std::string& file);

 private:
  explicit Database(sqlite3* database) : database_(database) {}
  sqlite3* database_ = nullptr;
  std::unique_ptr<int> log_pages_;
};

}  // namespace pawl::store
