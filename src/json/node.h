// The counted node behind strings, long numbers, arrays and objects. For the json module only.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>

#include "json/value.h"

namespace pawl::json {

struct Node {
  static constexpr uint32_t kImmortal = 0x80000000;  // a count this high is never changed

  explicit Node(uint32_t elements) : count(elements) {}

  std::atomic<uint32_t> refs{1};
  uint32_t count;          // bytes, items or members
  uint32_t json_size = 0;  // saturates at 2^32 - 1
  uint32_t depth = 0;
  uint32_t* index = nullptr;  // of an object with many members: mask, then slots holding member number + 1

  char* chars() { return reinterpret_cast<char*>(this + 1); }
  const char* chars() const { return reinterpret_cast<const char*>(this + 1); }
  Value* items() { return reinterpret_cast<Value*>(this + 1); }
  const Value* items() const { return reinterpret_cast<const Value*>(this + 1); }
  Member* members() { return reinterpret_cast<Member*>(this + 1); }
  const Member* members() const { return reinterpret_cast<const Member*>(this + 1); }
  const Member* find_member(std::string_view key) const noexcept;
};

// They move the elements out of the spans.
Node* make_text_node(std::string_view bytes, size_t json_size);
Node* make_array_node(std::span<Value> items);
Node* make_object_node(std::span<Member> members);

// What the parser builds with.
struct ValueAccess {
  static Value array(std::span<Value> items) { return Value::from_node(Value::Tag::kArray, make_array_node(items)); }
  static Value object(std::span<Member> members) {
    return Value::from_node(Value::Tag::kObject, make_object_node(members));
  }
};

size_t quoted_size(std::string_view text);  // bytes of the string as JSON prints it

}  // namespace pawl::json
