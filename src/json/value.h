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

namespace pawl::json {

struct Node;
struct Member;

class Value {
 public:
  enum class Kind : uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

  Value() noexcept : raw_{} {}
  Value(const Value& other) noexcept { copy_from(other); }
  Value(Value&& other) noexcept { steal_from(other); }
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
    if (on_heap()) release();
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
  bool is_number() const noexcept { return tag_ >= Tag::kInteger && tag_ <= Tag::kLongNumber; }
  bool is_string() const noexcept { return tag_ == Tag::kShortString || tag_ == Tag::kLongString; }
  bool is_array() const noexcept { return tag_ == Tag::kArray; }
  bool is_object() const noexcept { return tag_ == Tag::kObject; }

  bool as_boolean() const;
  double as_double() const;                   // nearest double of any number
  std::optional<int64_t> as_integer() const;  // any number whose value is integral and fits: 3, 3.0, 3e0
  std::string_view as_string() const&;        // valid while this Value (not a copy of it) lives
  std::string_view as_string() && = delete;
  std::string number_text() const;  // as it prints

  // Arrays and objects. size() of anything else is 0.
  size_t size() const noexcept;
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
  bool same_node(const Value& other) const noexcept;  // the identical node, or the identical inline value

  size_t json_size() const;         // bytes of the compact serialization, in O(1)
  uint32_t depth() const noexcept;  // 0 for scalars, 1 for [] and {}
  void make_immortal() const;       // with everything below; never undone

  void swap(Value& other) noexcept { std::swap(raw_, other.raw_); }

 private:
  friend class ArrayBuilder;
  friend class ObjectBuilder;
  friend struct ValueAccess;

  enum class Tag : uint8_t {
    kNull,
    kBoolean,
    kInteger,
    kDouble,
    kShortNumber,
    kLongNumber,
    kShortString,
    kLongString,
    kArray,
    kObject
  };
  static constexpr size_t kInlineBytes = 14;
  struct Raw {
    uint64_t word[2];
  };

  bool on_heap() const noexcept { return tag_ == Tag::kLongNumber || tag_ >= Tag::kLongString; }
  void copy_from(const Value& other) noexcept {
    raw_ = other.raw_;
    if (on_heap()) retain();
  }
  void steal_from(Value& other) noexcept {
    raw_ = other.raw_;
    other.raw_ = Raw{};
  }
  void retain() const noexcept;
  void release() noexcept;
  static Value from_node(Tag tag, Node* node) noexcept;
  static Value text(Tag short_tag, Tag long_tag, std::string_view bytes);

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

inline constexpr size_t kIndexedMembersMin = 16;

// Gathers the items of an array. Not reusable after build().
class ArrayBuilder {
 public:
  explicit ArrayBuilder(size_t expected = 0) { items_.reserve(expected); }
  void push(Value value) { items_.push_back(std::move(value)); }
  size_t size() const { return items_.size(); }
  Value build();

 private:
  std::vector<Value> items_;
};

// Gathers the members of an object. Not reusable after build().
class ObjectBuilder {
 public:
  explicit ObjectBuilder(size_t expected = 0) { members_.reserve(expected); }
  // Appends; of two members with one key the later value wins, in the place of the first.
  void set(std::string_view key, Value value);
  void set(Value key, Value value);
  bool contains(std::string_view key) const;
  size_t size() const { return members_.size(); }
  Value build();

 private:
  std::vector<Member> members_;
};

// Orders two numbers by value, exactly for integers.
std::weak_ordering compare_numbers(const Value& a, const Value& b);

// Doubles as JSON prints them: the shortest text that reads back.
std::string double_text(double value);

}  // namespace pawl::json
