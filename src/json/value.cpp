#include "json/value.h"

#include <charconv>
#include <cmath>
#include <compare>
#include <cstdlib>
#include <limits>
#include <new>

#include "base/assert.h"
#include "json/key_index.h"
#include "json/node.h"

namespace pawl::json {

namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kExactIntegerMax = 9007199254740992.0;  // 2^53

double parse_double(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {  // from_chars leaves it open: strtod gives 0 or infinity
    value = std::strtod(std::string(text).c_str(), nullptr);
  }
  return value;
}

std::optional<int64_t> exact_integer(double value) {
  if (!(value >= -kTwoTo63 && value < kTwoTo63) || value != std::floor(value)) return std::nullopt;
  return static_cast<int64_t>(value);
}

size_t integer_size(int64_t value) {
  char buffer[24];
  return static_cast<size_t>(std::to_chars(buffer, buffer + sizeof buffer, value).ptr - buffer);
}

uint32_t saturate(uint64_t size) {
  return size > std::numeric_limits<uint32_t>::max() ? std::numeric_limits<uint32_t>::max()
                                                     : static_cast<uint32_t>(size);
}

}  // namespace

size_t quoted_size(std::string_view text) {
  size_t size = 2 + text.size();
  for (const char byte : text) {
    const auto c = static_cast<unsigned char>(byte);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    const bool has_short_escape =
        c == '"' || c == '\\' || c == '\b' || c == '\f' || c == '\n' || c == '\r' || c == '\t';
    size += has_short_escape ? 1 : 5;
  }
  return size;
}

// --- nodes
// ---------------------------------------------------------------------------------------------------------------

namespace {

Node* allocate(size_t payload_bytes, uint32_t count) {
  void* memory = std::malloc(sizeof(Node) + payload_bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return new (memory) Node(count);
}

}  // namespace

Node* make_text_node(std::string_view bytes, size_t json_size) {
  Node* node = allocate(bytes.size(), static_cast<uint32_t>(bytes.size()));
  std::memcpy(node->chars(), bytes.data(), bytes.size());
  node->json_size = saturate(json_size);
  return node;
}

Node* make_array_node(std::span<Value> items) {
  Node* node = allocate(items.size() * sizeof(Value), static_cast<uint32_t>(items.size()));
  uint64_t size = 1 + items.size() + (items.empty() ? 1 : 0);
  uint32_t depth = 0;
  Value* slot = node->items();
  for (Value& item : items) {
    size += item.json_size();
    depth = std::max(depth, item.depth());
    new (slot++) Value(std::move(item));
  }
  node->json_size = saturate(size);
  node->depth = depth + 1;
  return node;
}

namespace {

void build_index(Node* node) {
  node->index = allocate_index(node->count);
  for (uint32_t number = 0; number < node->count; ++number) enter_member(node->index, node->members(), number);
}

}  // namespace

Node* make_object_node(std::span<Member> members) {
  Node* node = allocate(members.size() * sizeof(Member), static_cast<uint32_t>(members.size()));
  uint64_t size = 1 + 2 * members.size() + (members.empty() ? 1 : 0);
  uint32_t depth = 0;
  Member* slot = node->members();
  for (Member& member : members) {
    size += member.key.json_size() + member.value.json_size();
    depth = std::max(depth, member.value.depth());
    new (slot++) Member(std::move(member));
  }
  node->json_size = saturate(size);
  node->depth = depth + 1;
  if (members.size() >= kIndexedMembersMin) build_index(node);
  return node;
}

// --- construction
// --------------------------------------------------------------------------------------------------------

Value Value::boolean(bool value) {
  Value result;
  result.tag_ = Tag::kBoolean;
  result.boolean_ = value;
  return result;
}

Value Value::integer(int64_t value) {
  Value result;
  result.tag_ = Tag::kInteger;
  result.integer_ = value;
  return result;
}

Value Value::real(double value) {
  PAWL_ASSERT(std::isfinite(value), value);
  if (std::abs(value) < kExactIntegerMax && value == std::floor(value) && !(value == 0 && std::signbit(value)))
    return integer(static_cast<int64_t>(value));
  Value result;
  result.tag_ = Tag::kDouble;
  result.double_ = value;
  return result;
}

Value Value::from_node(Tag tag, Node* node) noexcept {
  Value result;
  result.tag_ = tag;
  result.node_ = node;
  return result;
}

Value Value::text(Tag short_tag, Tag long_tag, std::string_view bytes) {
  if (bytes.size() > kInlineBytes)
    return from_node(long_tag, make_text_node(bytes, long_tag == Tag::kLongString ? quoted_size(bytes) : bytes.size()));
  Value result;
  result.raw_ = Raw{};
  result.tag_ = short_tag;
  result.length_ = static_cast<uint8_t>(bytes.size());
  std::memcpy(result.inline_, bytes.data(), bytes.size());
  return result;
}

Value Value::number_literal(std::string_view literal) {
  int64_t integral = 0;
  const char* end = literal.data() + literal.size();
  const auto [stopped, error] = std::from_chars(literal.data(), end, integral);
  if (error == std::errc() && stopped == end && literal != "-0") return integer(integral);
  return text(Tag::kShortNumber, Tag::kLongNumber, literal);
}

Value Value::string(std::string_view bytes) { return text(Tag::kShortString, Tag::kLongString, bytes); }

Value Value::empty_object() {
  static const Value empty = [] {
    Value value = ObjectBuilder().build();
    value.make_immortal();
    return value;
  }();
  return empty;
}

Value Value::empty_array() {
  static const Value empty = [] {
    Value value = ArrayBuilder().build();
    value.make_immortal();
    return value;
  }();
  return empty;
}

// --- counting
// ------------------------------------------------------------------------------------------------------------

void Value::retain() const noexcept {
  if (node_->refs.load(std::memory_order_relaxed) < Node::kImmortal)
    node_->refs.fetch_add(1, std::memory_order_relaxed);
}

void Value::release() noexcept {
  const uint32_t refs = node_->refs.load(std::memory_order_acquire);
  if (refs >= Node::kImmortal) return;
  if (refs != 1 && node_->refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (tag_ == Tag::kArray) {
    for (uint32_t i = 0; i < node_->count; ++i) node_->items()[i].~Value();
  } else if (tag_ == Tag::kObject) {
    for (uint32_t i = 0; i < node_->count; ++i) node_->members()[i].~Member();
    std::free(node_->index);
  }
  std::free(node_);
}

void Value::make_immortal() const {
  if (!on_heap() || node_->refs.load(std::memory_order_relaxed) >= Node::kImmortal) return;
  node_->refs.store(Node::kImmortal, std::memory_order_relaxed);
  if (tag_ == Tag::kArray) {
    for (const Value& item : items()) item.make_immortal();
  } else if (tag_ == Tag::kObject) {
    for (const Member& member : members()) {
      member.key.make_immortal();
      member.value.make_immortal();
    }
  }
}

// --- reading
// -------------------------------------------------------------------------------------------------------------

Value::Kind Value::kind() const noexcept {
  switch (tag_) {
    case Tag::kNull:
      return Kind::kNull;
    case Tag::kBoolean:
      return Kind::kBoolean;
    case Tag::kInteger:
    case Tag::kDouble:
    case Tag::kShortNumber:
    case Tag::kLongNumber:
      return Kind::kNumber;
    case Tag::kShortString:
    case Tag::kLongString:
      return Kind::kString;
    case Tag::kArray:
      return Kind::kArray;
    case Tag::kObject:
      return Kind::kObject;
  }
  return Kind::kNull;
}

bool Value::as_boolean() const {
  PAWL_ASSERT(is_boolean());
  return boolean_;
}

std::string_view Value::as_string() const& {
  PAWL_ASSERT(is_string());
  if (tag_ == Tag::kShortString) return {inline_, length_};
  return {node_->chars(), node_->count};
}

namespace {

std::string_view literal_of(const char* short_text, uint8_t length, const Node* node, bool on_heap) {
  return on_heap ? std::string_view{node->chars(), node->count} : std::string_view{short_text, length};
}

}  // namespace

double Value::as_double() const {
  PAWL_ASSERT(is_number());
  if (tag_ == Tag::kInteger) return static_cast<double>(integer_);
  if (tag_ == Tag::kDouble) return double_;
  return parse_double(literal_of(inline_, length_, node_, on_heap()));
}

std::optional<int64_t> Value::as_integer() const {
  PAWL_ASSERT(is_number());
  if (tag_ == Tag::kInteger) return integer_;
  return exact_integer(as_double());
}

std::string double_text(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string Value::number_text() const {
  PAWL_ASSERT(is_number());
  if (tag_ == Tag::kInteger) return std::to_string(integer_);
  if (tag_ == Tag::kDouble) return double_text(double_);
  return std::string(literal_of(inline_, length_, node_, on_heap()));
}

size_t Value::size() const noexcept { return is_array() || is_object() ? node_->count : 0; }

std::span<const Value> Value::items() const& {
  PAWL_ASSERT(is_array());
  return {node_->items(), node_->count};
}

std::span<const Member> Value::members() const& {
  PAWL_ASSERT(is_object());
  return {node_->members(), node_->count};
}

const Value& Value::at(size_t index) const& {
  PAWL_ASSERT(is_array() && index < node_->count, index);
  return node_->items()[index];
}

const Value* Value::find(std::string_view key) const& noexcept {
  if (!is_object()) return nullptr;
  const Member* member = node_->find_member(key);
  return member == nullptr ? nullptr : &member->value;
}

const Member* Node::find_member(std::string_view key) const noexcept {
  if (index == nullptr) {
    for (uint32_t i = 0; i < count; ++i)
      if (members()[i].key.as_string() == key) return &members()[i];
    return nullptr;
  }
  return find_in_index(index, members(), key);
}

size_t Value::json_size() const {
  switch (tag_) {
    case Tag::kNull:
      return 4;
    case Tag::kBoolean:
      return boolean_ ? 4 : 5;
    case Tag::kInteger:
      return integer_size(integer_);
    case Tag::kDouble:
      return double_text(double_).size();
    case Tag::kShortNumber:
      return length_;
    case Tag::kShortString:
      return quoted_size({inline_, length_});
    case Tag::kLongNumber:
    case Tag::kLongString:
    case Tag::kArray:
    case Tag::kObject:
      return node_->json_size;
  }
  return 0;
}

uint32_t Value::depth() const noexcept { return is_array() || is_object() ? node_->depth : 0; }

// --- copies with one change
// ----------------------------------------------------------------------------------------------

Value Value::with_member(std::string_view key, Value value) const {
  PAWL_ASSERT(is_object());
  const Member* replaced = node_->find_member(key);
  std::vector<Member> changed;
  changed.reserve(node_->count + 1);
  for (const Member& member : members()) {
    if (&member == replaced)
      changed.push_back({member.key, std::move(value)});
    else
      changed.push_back(member);
  }
  if (replaced == nullptr) changed.push_back({string(key), std::move(value)});
  return from_node(Tag::kObject, make_object_node(changed));
}

Value Value::without_member(std::string_view key) const {
  PAWL_ASSERT(is_object());
  std::vector<Member> kept;
  kept.reserve(node_->count);
  for (const Member& member : members())
    if (member.key.as_string() != key) kept.push_back(member);
  return from_node(Tag::kObject, make_object_node(kept));
}

Value Value::with_item(size_t index, Value value) const {
  PAWL_ASSERT(is_array() && index < node_->count, index);
  std::vector<Value> changed(items().begin(), items().end());
  changed[index] = std::move(value);
  return from_node(Tag::kArray, make_array_node(changed));
}

Value ArrayBuilder::build() { return Value::from_node(Value::Tag::kArray, make_array_node(items_)); }

// --- objects under construction
// ------------------------------------------------------------------------------------------

bool ObjectBuilder::contains(std::string_view key) const {
  for (const Member& member : members_)
    if (member.key.as_string() == key) return true;
  return false;
}

void ObjectBuilder::set(std::string_view key, Value value) {
  members_.push_back({Value::string(key), std::move(value)});
}

void ObjectBuilder::set(Value key, Value value) { members_.push_back({std::move(key), std::move(value)}); }

Value ObjectBuilder::build() {
  if (find_repeated_key(members_)) members_.resize(keep_last_of_repeated_keys(members_));
  return Value::from_node(Value::Tag::kObject, make_object_node(members_));
}

// --- comparing
// -----------------------------------------------------------------------------------------------------------

bool Value::same_node(const Value& other) const noexcept {
  if (tag_ != other.tag_) return false;
  if (on_heap()) return node_ == other.node_;
  switch (tag_) {
    case Tag::kNull:
      return true;
    case Tag::kBoolean:
      return boolean_ == other.boolean_;
    case Tag::kInteger:
      return integer_ == other.integer_;
    case Tag::kDouble:
      return double_ == other.double_;
    default:
      return raw_.word[0] == other.raw_.word[0] && raw_.word[1] == other.raw_.word[1];
  }
}

std::weak_ordering compare_numbers(const Value& a, const Value& b) {
  const auto exact_a = a.as_integer();
  const auto exact_b = b.as_integer();
  if (exact_a && exact_b) return *exact_a <=> *exact_b;
  const double x = a.as_double();
  const double y = b.as_double();
  if (x < y) return std::weak_ordering::less;
  if (x > y) return std::weak_ordering::greater;
  return std::weak_ordering::equivalent;
}

namespace {

bool equal_items(std::span<const Value> a, std::span<const Value> b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!(a[i] == b[i])) return false;
  return true;
}

bool equal_members(const Value& a, const Value& b) {
  if (a.size() != b.size()) return false;
  for (const Member& member : a.members()) {
    const Value* other = b.find(member.key.as_string());
    if (other == nullptr || !(member.value == *other)) return false;
  }
  return true;
}

}  // namespace

bool operator==(const Value& a, const Value& b) {
  if (a.same_node(b)) return true;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Value::Kind::kNull:
      return true;
    case Value::Kind::kBoolean:
      return a.as_boolean() == b.as_boolean();
    case Value::Kind::kNumber:
      return compare_numbers(a, b) == 0;
    case Value::Kind::kString:
      return a.as_string() == b.as_string();
    case Value::Kind::kArray:
      return equal_items(a.items(), b.items());
    case Value::Kind::kObject:
      return equal_members(a, b);
  }
  return false;
}

}  // namespace pawl::json
