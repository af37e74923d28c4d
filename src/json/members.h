// Members of objects that were written elsewhere: each may be absent, or something else than it should be.
#pragma once

#include <cstdint>
#include <string_view>

#include "json/value.h"

namespace pawl::json {

// The text of a member, valid while the object lives.
inline std::string_view text_at(const Value& object, std::string_view name, std::string_view otherwise = {}) {
  const Value* found = object.find(name);
  return found != nullptr && found->is_string() ? found->as_string() : otherwise;
}
std::string_view text_at(Value&& object, std::string_view name, std::string_view otherwise = {}) = delete;

// The whole number of a member.
inline int64_t integer_at(const Value& object, std::string_view name, int64_t otherwise = 0) {
  const Value* found = object.find(name);
  return found != nullptr && found->is_number() ? found->as_integer().value_or(otherwise) : otherwise;
}

// Null where there is none.
inline Value value_at(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found == nullptr ? Value() : *found;
}

}  // namespace pawl::json
