// Looking at a data directory from outside: a copy of its database, and whether SQLite finds it whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace pawl::store {

// A consistent and compact copy of the database in `directory`, made in the folder `to` while another process may be
// writing. Synced before it gets its name: a copy that was cut short is never taken for one. Gives its size in bytes.
// Errors: STORE_OPEN, BACKUP_NO_DATABASE, BACKUP_TARGET_USED, BACKUP_FAILED.
Result<uint64_t> back_up_database(const std::string& directory, const std::string& to);

// What SQLite's own check complains of; none where all is well. Errors: STORE_OPEN, BACKUP_NO_DATABASE.
Result<std::vector<std::string>> check_database(const std::string& directory);

}  // namespace pawl::store
