#include "store/sqlite/backup.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "store/sqlite/database.h"
#include "store/sqlite/schema.h"

namespace pawl::store {

namespace {

std::unexpected<Error> failed(const std::string& what, const std::string& where) {
  return fail("BACKUP_FAILED", what, "Check the space on the disk and who may write there.", where);
}

Result<Database> open_existing(const std::string& directory) {
  const std::string file = directory + "/" + kDatabaseName;
  if (!std::filesystem::exists(file))
    return fail("BACKUP_NO_DATABASE", "There is no database in this directory.",
                "Name the data directory of `pawl serve --data DIR`.", directory);
  return Database::open(file, true);
}

bool sync_path(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC);
  const bool synced = file >= 0 && ::fsync(file) == 0;
  if (file >= 0) ::close(file);
  return synced;
}

Result<void> make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return failed("The folder cannot be made: " + error.message() + ".", folder);
  if (!std::filesystem::is_empty(folder, error) || error)
    return fail("BACKUP_TARGET_USED", "The folder for the copy is not empty.",
                "Name a new one: nothing is overwritten.", folder);
  return {};
}

}  // namespace

Result<uint64_t> back_up_database(const std::string& directory, const std::string& to) {
  PAWL_TRY(Database database, open_existing(directory));
  if (auto made = make_folder(to); !made) return std::unexpected(made.error());
  const std::string file = to + "/" + kDatabaseName;
  const std::string draft = file + ".partial";
  PAWL_TRY(Statement copy, database.prepare("VACUUM INTO ?"));
  if (!copy.bind_text(1, draft).run()) return failed("SQLite says: " + database.last_error() + ".", draft);
  const bool is_there =
      sync_path(draft, O_RDONLY) && ::rename(draft.c_str(), file.c_str()) == 0 && sync_path(to, O_RDONLY | O_DIRECTORY);
  if (!is_there) return failed(std::string("The copy cannot be synced: ") + std::strerror(errno) + ".", file);
  return std::filesystem::file_size(file);
}

Result<std::vector<std::string>> check_database(const std::string& directory) {
  PAWL_TRY(Database database, open_existing(directory));
  PAWL_TRY(Statement check, database.prepare("PRAGMA integrity_check(100)"));
  std::vector<std::string> complaints;
  int code = SQLITE_ROW;
  while ((code = check.step()) == SQLITE_ROW)
    if (const std::string line = check.text(0); line != "ok") complaints.push_back(line);
  if (code != SQLITE_DONE) complaints.push_back(database.last_error());
  return complaints;
}

}  // namespace pawl::store
