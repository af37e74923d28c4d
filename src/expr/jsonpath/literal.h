// JSON literals inside Jayway's filters and function arguments, read as permissively as Jayway reads them: ['S','L']
// and {key: 'v'} are literals.
#pragma once

#include "base/result.h"
#include "expr/jsonpath/cursor.h"
#include "json/value.h"

namespace pawl::jsonpath::internal {

inline constexpr uint32_t kLiteralDepthMax = 32;

Result<json::Value> read_literal(Cursor& cursor, uint32_t depth = 0);

}  // namespace pawl::jsonpath::internal
