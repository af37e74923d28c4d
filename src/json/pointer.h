// JSON Pointer (RFC 6901).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace pawl::json {

// "/a~1b/0" -> {"a/b", "0"}; an error (JSON_POINTER_INVALID) where it is not a pointer.
Result<std::vector<std::string>> split_pointer(std::string_view pointer);

// The part of a value that a pointer names; null where there is none.
const Value* find_pointer(const Value& root, std::string_view pointer);

// The index that a token names in an array: digits without a leading zero.
std::optional<size_t> array_index(std::string_view token);

// pointer + "/" + the escaped token.
std::string child_pointer(std::string_view pointer, std::string_view token);
std::string child_pointer(std::string_view pointer, size_t index);

}  // namespace pawl::json
