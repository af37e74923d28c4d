#include "json/build.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>

#include "base/assert.h"
#include "json/key_index.h"
#include "json/scan.h"

namespace pawl::json {

namespace {

uint32_t saturate(uint64_t size) { return static_cast<uint32_t>(std::min<uint64_t>(size, Node::kSizeMax)); }

void set_count(Node* node, size_t count) {
  PAWL_ASSERT(count < Node::kSizeMax, count);
  node->count = static_cast<uint32_t>(count);
}

bool has_short_escape(char c) {
  return c == '"' || c == '\\' || c == '\b' || c == '\f' || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace

size_t quoted_size(std::string_view text) {
  size_t size = 2 + text.size();
  const char* const end = text.data() + text.size();
  for (const char* at = skip_unescaped(text.data(), end); at < end; at = skip_unescaped(at + 1, end))
    size += has_short_escape(*at) ? 1 : 5;
  return size;
}

// --- nodes
// ---------------------------------------------------------------------------------------------------------------

Node* allocate_node(size_t payload_bytes) {
  void* memory = std::malloc(sizeof(Node) + payload_bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return new (memory) Node;
}

void finish_array(Node* node, size_t items) {
  set_count(node, items);
  uint64_t size = items == 0 ? 2 : 1 + items;
  uint32_t depth = 0;
  for (const Value& item : std::span(node->items(), items)) {
    size += item.json_size();
    depth = std::max(depth, item.depth());
  }
  node->json_size = saturate(size);
  node->depth = depth + 1;
}

void measure_object(Node* node, size_t members) {
  set_count(node, members);
  uint64_t size = members == 0 ? 2 : 1 + 2 * members;
  uint32_t depth = 0;
  for (const Member& member : std::span(node->members(), members)) {
    size += member.key.json_size() + member.value.json_size();
    depth = std::max(depth, member.value.depth());
  }
  node->json_size = saturate(size);
  node->depth = depth + 1;
}

void finish_object(Node* node, size_t members) {
  measure_object(node, members);
  if (members >= kIndexedMembersMin) node->index = make_index(node->members(), node->count);
}

namespace {

// The nodes that wait for their end, linked through their index and remembering their kind in their depth: however deep
// a value nests, dropping it takes no stack.
class DyingNodes {
 public:
  void push(Node* node, bool is_object) {
    if (is_object) std::free(node->index);
    node->depth = is_object ? 1 : 0;
    node->index = reinterpret_cast<uint32_t*>(first_);
    first_ = node;
  }
  Node* pop() {
    Node* node = first_;
    if (node != nullptr) first_ = reinterpret_cast<Node*>(node->index);
    return node;
  }
  static std::span<Value> values_of(Node* node) { return {node->items(), size_t{node->count} << node->depth}; }

 private:
  Node* first_ = nullptr;
};

}  // namespace

void Value::destroy() noexcept {
  if (!is_array() && !is_object()) return std::free(node_);
  DyingNodes dying;
  dying.push(node_, is_object());
  while (Node* node = dying.pop()) {
    for (const Value& value : DyingNodes::values_of(node)) {
      if (!value.on_heap() || !value.node_->release()) continue;
      if (value.is_array() || value.is_object())
        dying.push(value.node_, value.is_object());
      else
        std::free(value.node_);
    }
    std::free(node);
  }
}

// --- values
// --------------------------------------------------------------------------------------------------------------

Value ValueAccess::adopt_array(std::span<Value> values) {
  if (values.empty()) return Value::empty_array();
  Node* node = allocate_node(values.size_bytes());
  std::memcpy(static_cast<void*>(node->items()), values.data(), values.size_bytes());
  finish_array(node, values.size());
  return array(node);
}

Value ValueAccess::adopt_object(std::span<Value> names_and_values) {
  if (names_and_values.empty()) return Value::empty_object();
  Node* node = allocate_node(names_and_values.size_bytes());
  std::memcpy(static_cast<void*>(node->items()), names_and_values.data(), names_and_values.size_bytes());
  finish_object(node, names_and_values.size() / 2);
  return object(node);
}

Value ValueAccess::short_text(Tag tag, std::string_view text, uint8_t flags) noexcept {
  Value value;
  value.tag_ = tag;
  value.length_ = static_cast<uint8_t>(text.size() | flags);
  if (!text.empty()) std::memcpy(value.inline_, text.data(), text.size());
  return value;
}

namespace {

Node* make_text_node(std::string_view text, size_t json_size) {
  Node* node = allocate_node(text.size());
  set_count(node, text.size());
  node->json_size = saturate(json_size);
  std::memcpy(node->chars(), text.data(), text.size());
  return node;
}

}  // namespace

Value ValueAccess::string(std::string_view text, size_t json_size) {
  if (text.size() > Value::kInlineBytes) return from_node(Tag::kLongString, make_text_node(text, json_size));
  return short_text(Tag::kShortString, text, json_size == text.size() + 2 ? 0 : Value::kHasEscapes);
}

Value ValueAccess::plain_string(std::string_view text, const char* end) {
  const bool can_load_words = std::endian::native == std::endian::little && end - text.data() >= 16;
  if (text.size() > Value::kInlineBytes || !can_load_words) return string(text, text.size() + 2);
  uint64_t low = 0, high = 0;
  std::memcpy(&low, text.data(), 8);
  std::memcpy(&high, text.data() + 8, 8);
  const size_t bits = 8 * text.size();
  low &= bits < 64 ? (uint64_t{1} << bits) - 1 : ~uint64_t{0};
  high &= bits > 64 ? (uint64_t{1} << (bits - 64)) - 1 : 0;
  Value value;
  value.raw_.word[0] = low << 16 | text.size() << 8 | static_cast<uint64_t>(Tag::kShortString);
  value.raw_.word[1] = high << 16 | low >> 48;
  return value;
}

Value ValueAccess::number(std::string_view literal) {
  if (literal.size() > Value::kInlineBytes) return from_node(Tag::kLongNumber, make_text_node(literal, literal.size()));
  return short_text(Tag::kShortNumber, literal, 0);
}

// --- builders
// ------------------------------------------------------------------------------------------------------------

NodeBuffer::~NodeBuffer() {
  drop_from(0);
  std::free(node_);
}

void NodeBuffer::drop_from(size_t size) {
  while (size_ > size) node_->items()[--size_].~Value();
}

void NodeBuffer::reserve(size_t capacity) {
  void* memory = std::realloc(static_cast<void*>(node_), sizeof(Node) + capacity * sizeof(Value));
  if (memory == nullptr) throw std::bad_alloc();
  node_ = size_ == 0 ? new (memory) Node : static_cast<Node*>(memory);
  capacity_ = capacity;
}

Node* NodeBuffer::take() {
  Node* node = std::exchange(node_, nullptr);
  if (capacity_ > size_) {  // a smaller block never fails to be found: where it does, the larger one serves
    void* memory = std::realloc(static_cast<void*>(node), sizeof(Node) + size_ * sizeof(Value));
    if (memory != nullptr) node = static_cast<Node*>(memory);
  }
  size_ = capacity_ = 0;
  return node;
}

Value ArrayBuilder::build() {
  const size_t items = size();
  if (items == 0) return Value::empty_array();
  Node* node = buffer_.take();
  finish_array(node, items);
  return ValueAccess::array(node);
}

bool ObjectBuilder::contains(std::string_view key) const {
  for (const Member& member : as_members(buffer_.values()))
    if (member.key.as_string() == key) return true;
  return false;
}

Value ObjectBuilder::build() {
  const std::span<Member> members = as_members(buffer_.values());
  if (find_repeated_key(members)) buffer_.drop_from(2 * keep_last_of_repeated_keys(members));
  const size_t kept = size();
  if (kept == 0) return Value::empty_object();
  Node* node = buffer_.take();
  finish_object(node, kept);
  return ValueAccess::object(node);
}

// --- copies with one change
// ----------------------------------------------------------------------------------------------

namespace {

// A node with the same elements, each shared, and room for more. Its head is not yet filled in.
Node* copy_values(std::span<const Value> values, size_t extra) {
  Node* node = allocate_node((values.size() + extra) * sizeof(Value));
  Value* slot = node->items();
  for (const Value& value : values) new (slot++) Value(value);
  return node;
}

// The index of a node that has the members of another, and perhaps one more.
uint32_t* extended_index(const Node& old, const Node& node) {
  if (node.count < kIndexedMembersMin) return nullptr;
  if (old.index == nullptr || !has_room(old.index, node.count)) return make_index(node.members(), node.count);
  uint32_t* index = copy_index(old.index);
  if (node.count > old.count) enter_member(index, node.members(), old.count);
  return index;
}

std::span<const Value> as_values(std::span<const Member> members) {
  return {reinterpret_cast<const Value*>(members.data()), 2 * members.size()};
}

}  // namespace

Value Value::with_member(std::string_view key, Value value) const {
  require(is_object());
  const Value* replaced = find(key);
  const size_t extra = replaced == nullptr ? 1 : 0;
  Node* node = copy_values(as_values(members()), 2 * extra);
  if (replaced != nullptr)
    node->items()[replaced - node_->items()] = std::move(value);
  else
    new (node->members() + node_->count) Member{string(key), std::move(value)};
  measure_object(node, node_->count + extra);
  node->index = extended_index(*node_, *node);
  return ValueAccess::object(node);
}

Value Value::without_member(std::string_view key) const {
  require(is_object());
  if (find(key) == nullptr) return *this;
  ObjectBuilder builder(node_->count - 1);
  for (const Member& member : members())
    if (member.key.as_string() != key) builder.set(member.key, member.value);
  return builder.build();
}

Value Value::with_item(size_t index, Value value) const {
  require(is_array() && index < node_->count);
  Node* node = copy_values(items(), 0);
  node->items()[index] = std::move(value);
  finish_array(node, node_->count);
  return ValueAccess::array(node);
}

}  // namespace pawl::json
