// The value: JSON data, immutable and shared.
//
//   Value order = json::parse(R"({"id":7,"items":["a"]})").value();
//   Value copy = order;                                    // a pointer and a count, whatever the size
//   Value paid = order.with_member("paid", Value::boolean(true));   // copies one node; "items" is shared
//
// Layout: 16 bytes. Null, booleans, 64-bit integers, doubles, strings and number literals of up to 14 bytes live
// inline; everything else is a counted node. A node knows its serialized size and its depth, so limits are checked in
// O(1).
//
// Numbers: integers of up to 64 bits are exact. Any other number keeps its source text and prints as it was written;
// computed doubles print the shortest text that reads back. 1 == 1.0 == 1e0.
//
// Objects keep the order of insertion; equality does not look at it. Above kIndexedMembersMin members an object has an
// index.
//
// Threads: counts are atomic, so values may be shared and dropped on any thread. Immortal values (make_immortal) are
// not counted at all: a Program's literals are shared by every shard without a write.
#pragma once

#include <compare>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/node.h"

namespace pawl::json {

class Value {
 public:
  enum class Kind : uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

  Value() noexcept : raw_{} {}
  Value(const Value& other) noexcept : raw_(other.raw_) {
    if (on_heap()) node_->retain();
  }
  Value(Value&& other) noexcept : raw_(std::exchange(other.raw_, Raw{})) {}
  Value& operator=(const Value& other) noexcept {
    if (this != &other) {
      Value keep(other);
      swap(keep);
    }
    return *this;
  }
  Value& operator=(Value&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Value() {
    if (on_heap() && node_->release()) destroy();
  }

  static Value null() { return Value(); }
  static Value boolean(bool value);
  static Value integer(int64_t value);
  static Value real(double value);                     // integral doubles below 2^53 become integers; must be finite
  static Value number_literal(std::string_view text);  // text must be a valid JSON number
  static Value string(std::string_view text);          // text must be valid UTF-8
  static Value empty_object();
  static Value empty_array();

  Kind kind() const noexcept;
  bool is_null() const noexcept { return tag_ == Tag::kNull; }
  bool is_boolean() const noexcept { return tag_ == Tag::kBoolean; }
  bool is_number() const noexcept {
    return (tag_ >= Tag::kInteger && tag_ <= Tag::kShortNumber) || tag_ == Tag::kLongNumber;
  }
  bool is_string() const noexcept { return tag_ == Tag::kShortString || tag_ == Tag::kLongString; }
  bool is_array() const noexcept { return tag_ == Tag::kArray; }
  bool is_object() const noexcept { return tag_ == Tag::kObject; }

  bool as_boolean() const;
  double as_double() const;                   // nearest double of any number
  std::optional<int64_t> as_integer() const;  // any number whose value is integral and fits: 3, 3.0, 3e0
  std::string_view as_string() const& {       // valid while this Value (not a copy of it) lives
    if (tag_ == Tag::kShortString) return short_text();
    require(tag_ == Tag::kLongString);
    return {node_->chars(), node_->count};
  }
  std::string_view as_string() && = delete;
  std::string number_text() const;                                  // as it prints
  bool is_int64() const noexcept { return tag_ == Tag::kInteger; }  // written or computed as an integer that fits
  bool is_computed_double() const noexcept { return tag_ == Tag::kDouble; }  // has no text of its own

  // Arrays and objects. size() of anything else is 0.
  size_t size() const noexcept { return is_array() || is_object() ? node_->count : 0; }
  std::span<const Value> items() const&;
  std::span<const Member> members() const&;
  std::span<const Value> items() && = delete;
  std::span<const Member> members() && = delete;
  const Value* find(std::string_view key) const& noexcept;  // of an object; null where absent or not an object
  const Value* find(std::string_view key) && = delete;
  const Value& at(size_t index) const&;  // of an array; the index must be in range
  const Value& at(size_t index) && = delete;

  // Copies with one change. They copy one node, never what is below it.
  Value with_member(std::string_view key, Value value) const;  // replaces in place or appends; *this must be an object
  Value with_item(size_t index, Value value) const;            // replaces; the index must be in range
  Value without_member(std::string_view key) const;

  // Deep equality: numbers by value, objects whatever their order. Shared subtrees compare in O(1).
  friend bool operator==(const Value& a, const Value& b);
  const void* identity() const noexcept { return on_heap() ? node_ : nullptr; }  // of its node; null where it is inline
  bool same_node(const Value& other) const noexcept;  // the identical node, or the identical inline value

  // Bytes of the compact serialization, in O(1). Saturates at 2^32 - 1.
  size_t json_size() const {
    if (tag_ == Tag::kShortString && (length_ & kHasEscapes) == 0) return length_ + 2u;
    return on_heap() ? node_->json_size : inline_json_size();
  }
  uint32_t depth() const noexcept { return is_array() || is_object() ? node_->depth : 0; }  // 1 for [] and {}
  void make_immortal() const;  // with everything below; never undone

  void swap(Value& other) noexcept { std::swap(raw_, other.raw_); }

 private:
  friend struct ValueAccess;

  enum class Tag : uint8_t {
    kNull,
    kBoolean,
    kInteger,
    kDouble,
    kShortNumber,
    kShortString,
    kLongNumber,  // from here on there is a node
    kLongString,
    kArray,
    kObject
  };
  static constexpr size_t kInlineBytes = 14;
  static constexpr uint8_t kHasEscapes = 0x80;  // of a short string: it prints longer than it is
  static constexpr uint8_t kLengthMask = 0x0F;
  struct Raw {
    uint64_t word[2];
  };

  bool on_heap() const noexcept { return tag_ >= Tag::kLongNumber; }
  std::string_view short_text() const noexcept { return {inline_, static_cast<size_t>(length_ & kLengthMask)}; }
  std::string_view literal() const noexcept {
    return on_heap() ? std::string_view{node_->chars(), node_->count} : short_text();
  }
  size_t inline_json_size() const;
  void destroy() noexcept;
  static void require(bool condition) {
    if (!condition) [[unlikely]]
      wrong_kind();
  }
  [[noreturn]] static void wrong_kind();

  union {
    Raw raw_;
    struct {
      Tag tag_;
      uint8_t length_;
      char inline_[kInlineBytes];
    };
    struct {
      uint64_t head_;
      union {
        int64_t integer_;
        double double_;
        bool boolean_;
        Node* node_;
      };
    };
  };
};

static_assert(sizeof(Value) == 16);

struct Member {
  Value key;  // a string
  Value value;
};

inline std::span<const Value> Value::items() const& {
  require(is_array());
  return {node_->items(), node_->count};
}

inline std::span<const Member> Value::members() const& {
  require(is_object());
  return {node_->members(), node_->count};
}

inline const Value& Value::at(size_t index) const& {
  require(is_array() && index < node_->count);
  return node_->items()[index];
}

inline constexpr size_t kIndexedMembersMin = 16;

// Values being gathered in the node that will hold them. What the builders have in common.
class NodeBuffer {
 public:
  explicit NodeBuffer(size_t capacity) {
    if (capacity > 0) reserve(capacity);
  }
  NodeBuffer(NodeBuffer&& other) noexcept
      : node_(std::exchange(other.node_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  NodeBuffer& operator=(NodeBuffer&& other) noexcept {
    std::swap(node_, other.node_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~NodeBuffer();

  void push(Value&& value) {
    if (size_ == capacity_) reserve(size_ == 0 ? kFirstCapacity : 2 * size_);
    new (node_->items() + size_++) Value(std::move(value));
  }
  std::span<Value> values() { return {size_ == 0 ? nullptr : node_->items(), size_}; }
  std::span<const Value> values() const { return {size_ == 0 ? nullptr : node_->items(), size_}; }
  size_t size() const { return size_; }
  void drop_from(size_t size);
  Node* take();  // the node, no larger than it must be; its head is not yet filled in

 private:
  static constexpr size_t kFirstCapacity = 8;
  void reserve(size_t capacity);

  Node* node_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

// Gathers the items of an array. Not reusable after build(). One allocation where `expected` is right.
class ArrayBuilder {
 public:
  explicit ArrayBuilder(size_t expected = 0) : buffer_(expected) {}
  void push(Value value) { buffer_.push(std::move(value)); }
  size_t size() const { return buffer_.size(); }
  Value build();

 private:
  NodeBuffer buffer_;
};

// Gathers the members of an object. Not reusable after build(). One allocation where `expected` is right.
class ObjectBuilder {
 public:
  explicit ObjectBuilder(size_t expected = 0) : buffer_(2 * expected) {}
  // Appends; of two members with one key the later value wins, in the place of the first.
  void set(std::string_view key, Value value) { set(Value::string(key), std::move(value)); }
  void set(Value key, Value value) {
    buffer_.push(std::move(key));
    buffer_.push(std::move(value));
  }
  bool contains(std::string_view key) const;
  size_t size() const { return buffer_.size() / 2; }
  Value build();

 private:
  NodeBuffer buffer_;
};

// Orders two numbers by value, exactly for integers of any length.
std::weak_ordering compare_numbers(const Value& a, const Value& b);

// Doubles as JSON prints them: the shortest text that reads back.
std::string double_text(double value);

}  // namespace pawl::json
