// How nodes and values are made. For the json module only.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "json/value.h"

namespace pawl::json {

// Names and values alternate in buffers, which is how members lie in memory.
inline std::span<Member> as_members(std::span<Value> values) {
  static_assert(sizeof(Member) == 2 * sizeof(Value));
  return {reinterpret_cast<Member*>(values.data()), values.size() / 2};
}
inline std::span<const Member> as_members(std::span<const Value> values) {
  return {reinterpret_cast<const Member*>(values.data()), values.size() / 2};
}

// A node with room for so many bytes behind its head.
Node* allocate_node(size_t payload_bytes);

// Fill in the head of a node whose elements are in place.
void finish_array(Node* node, size_t items);
void finish_object(Node* node, size_t members);
void measure_object(Node* node, size_t members);  // all but the index

size_t quoted_size(std::string_view text);  // bytes of the string as JSON prints it

// What the parser, the printer and the builders may do with a Value.
struct ValueAccess {
  using Tag = Value::Tag;

  static Value from_node(Tag tag, Node* node) noexcept {
    Value value;
    value.tag_ = tag;
    value.node_ = node;
    return value;
  }
  static Value array(Node* node) noexcept { return from_node(Tag::kArray, node); }
  static Value object(Node* node) noexcept { return from_node(Tag::kObject, node); }

  // Take the bits of the values: their places are raw memory afterwards.
  static Value adopt_array(std::span<Value> values);
  static Value adopt_object(std::span<Value> names_and_values);

  // A string of which it is known how many bytes it prints as.
  static Value string(std::string_view text, size_t json_size);
  // The same for one without escapes in a longer text, which ends at `end`.
  static Value plain_string(std::string_view text, const char* end);
  static Value number(std::string_view literal);

  static Tag tag(const Value& value) noexcept { return value.tag_; }
  static Node* node(const Value& value) noexcept { return value.node_; }
  static int64_t integer(const Value& value) noexcept { return value.integer_; }
  static double real(const Value& value) noexcept { return value.double_; }
  static std::string_view literal(const Value& value) noexcept { return value.literal(); }
  static bool has_escapes(const Value& value) noexcept {
    if (value.tag_ == Tag::kShortString) return (value.length_ & Value::kHasEscapes) != 0;
    return value.node_->json_size != value.node_->count + 2;
  }
  // Whether two strings are the same text. Short ones are their bits.
  static bool equal_strings(const Value& a, const Value& b) noexcept {
    if (a.raw_.word[0] != b.raw_.word[0]) return false;
    return a.on_heap() ? a.literal() == b.literal() : a.raw_.word[1] == b.raw_.word[1];
  }

 private:
  static Value short_text(Tag tag, std::string_view text, uint8_t flags) noexcept;
};

}  // namespace pawl::json
