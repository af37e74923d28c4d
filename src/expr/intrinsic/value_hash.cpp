#include "expr/intrinsic/value_hash.h"

#include <functional>
#include <string_view>

namespace pawl::intrinsic::internal {

using json::Value;

namespace {

size_t mix(size_t seed, size_t hash) {
  seed ^= hash + 0x9e3779b97f4a7c15 + (seed << 6) + (seed >> 2);
  return seed * 0xbf58476d1ce4e5b9;
}

size_t hash_items(const Value& value) {
  size_t hash = 4;
  for (const Value& item : value.items()) hash = mix(hash, hash_value(item));
  return hash;
}

// A sum, so that the order of members does not count.
size_t hash_members(const Value& value) {
  size_t hash = 5;
  for (const json::Member& member : value.members())
    hash += mix(std::hash<std::string_view>{}(member.key.as_string()), hash_value(member.value));
  return hash;
}

}  // namespace

size_t hash_value(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      return 1;
    case Value::Kind::kBoolean:
      return value.as_boolean() ? 2 : 3;
    case Value::Kind::kNumber:
      return std::hash<double>{}(value.as_double());  // 0.0 and -0.0 hash alike
    case Value::Kind::kString:
      return std::hash<std::string_view>{}(value.as_string());
    case Value::Kind::kArray:
      return hash_items(value);
    case Value::Kind::kObject:
      return hash_members(value);
  }
  return 0;
}

}  // namespace pawl::intrinsic::internal
