// The tables, as SQLite spells them, and their version.
//
// Every row written on the hot path lands at the right edge of its tree or in a small one: facts are appended as chunks
// that name the chunk before, an execution's row is written at its start and its close, what changes each turn is a
// narrow row in `live` that exists only while the execution is open.
#pragma once

#include "base/result.h"
#include "store/sqlite/database.h"

namespace pawl::store {

inline constexpr const char* kDatabaseName = "pawl.db";  // in the data directory
inline constexpr int64_t kSchemaVersion = 5;

// Sets the pragmas, makes the tables of a new file and brings an older one forward.
// Error: STORE_SCHEMA_NEWER where the file was written by a later version.
Result<void> prepare_schema(Database& database);

}  // namespace pawl::store
