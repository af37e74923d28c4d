#include "json/in_place.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include <malloc.h>

#include "base/assert.h"
#include "json/build.h"
#include "json/key_index.h"

namespace pawl::json {

namespace {

bool has_node(const Value& value) { return value.identity() != nullptr; }

// The node of a value that is forgotten, not dropped.
Node* release_node(Value& value) {
  Node* node = ValueAccess::node(value);
  new (&value) Value();
  return node;
}

void add_size(Node* node, uint64_t added, uint64_t removed = 0) {
  if (node->json_size == Node::kSizeMax) return;
  node->json_size = static_cast<uint32_t>(std::min<uint64_t>(node->json_size + added - removed, Node::kSizeMax));
}

// Makes room behind the head, half as much again where there is too little, so that growing stays cheap.
Node* with_room(Node* node, size_t used, size_t extra) {
  const size_t needed = sizeof(Node) + used + extra;
  if (malloc_usable_size(node) >= needed) return node;
  void* memory = std::realloc(static_cast<void*>(node), needed + used / 2);
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<Node*>(memory);
}

uint32_t depth_of_parts(const Value& whole) {
  uint32_t depth = 0;
  if (whole.is_array())
    for (const Value& item : whole.items()) depth = std::max(depth, item.depth());
  else
    for (const Member& member : whole.members()) depth = std::max(depth, member.value.depth());
  return depth + 1;
}

TakenPart take_at(Value* place) {
  TakenPart taken;
  taken.place = place;
  taken.json_size = place->json_size();
  taken.depth = place->depth();
  taken.part = std::move(*place);
  return taken;
}

}  // namespace

bool is_unshared(const Value& value) {
  return has_node(value) && ValueAccess::node(value)->refs.load(std::memory_order_acquire) == 1;
}

TakenPart take_item(Value& array, size_t index) {
  if (is_unshared(array)) return take_at(ValueAccess::node(array)->items() + index);
  TakenPart copy;
  copy.part = array.at(index);
  return copy;
}

TakenPart take_member(Value& object, std::string_view key) {
  const Value* found = object.find(key);
  if (found != nullptr && is_unshared(object)) return take_at(const_cast<Value*>(found));
  TakenPart copy;
  if (found != nullptr) copy.part = *found;
  return copy;
}

void put_back(Value& whole, const TakenPart& taken, Value part) {
  PAWL_ASSERT(taken.place != nullptr);
  Node* node = ValueAccess::node(whole);
  const uint32_t depth = part.depth();
  add_size(node, part.json_size(), taken.json_size);
  *taken.place = std::move(part);
  if (depth >= taken.depth)
    node->depth = std::max(node->depth, depth + 1);
  else if (taken.depth + 1 == node->depth)
    node->depth = depth_of_parts(whole);
}

Value with_item(Value&& array, size_t index, Value item) {
  if (!is_unshared(array)) return array.with_item(index, std::move(item));
  put_back(array, take_item(array, index), std::move(item));
  return std::move(array);
}

Value with_member(Value&& object, std::string_view key, Value value) {
  if (!is_unshared(object)) return object.with_member(key, std::move(value));
  const TakenPart taken = take_member(object, key);
  if (taken.place != nullptr) {
    put_back(object, taken, std::move(value));
    return std::move(object);
  }
  Node* node = release_node(object);
  const size_t count = node->count;
  node = with_room(node, count * sizeof(Member), sizeof(Member));
  const Member* added = new (node->members() + count) Member{Value::string(key), std::move(value)};
  add_size(node, added->key.json_size() + added->value.json_size() + (count == 0 ? 1 : 2));
  node->depth = std::max(node->depth, added->value.depth() + 1);
  ++node->count;
  if (node->count >= kIndexedMembersMin) {
    if (node->index != nullptr && has_room(node->index, node->count)) {
      enter_member(node->index, node->members(), static_cast<uint32_t>(count));
    } else {
      std::free(node->index);
      node->index = make_index(node->members(), node->count);
    }
  }
  return ValueAccess::object(node);
}

Value with_items_appended(Value&& array, std::span<const Value> items) {
  if (items.empty()) return std::move(array);
  if (!is_unshared(array)) {
    ArrayBuilder all(array.size() + items.size());
    for (const Value& item : array.items()) all.push(item);
    for (const Value& item : items) all.push(item);
    return all.build();
  }
  Node* node = release_node(array);
  node = with_room(node, node->count * sizeof(Value), items.size_bytes());
  for (const Value& item : items) {
    new (node->items() + node->count) Value(item);
    add_size(node, item.json_size() + (node->count == 0 ? 0 : 1));
    node->depth = std::max(node->depth, item.depth() + 1);
    ++node->count;
  }
  return ValueAccess::array(node);
}

Value with_text_appended(Value&& string, std::string_view text) {
  if (!is_unshared(string)) {
    std::string all(string.as_string());
    return Value::string(all.append(text));
  }
  Node* node = release_node(string);
  PAWL_ASSERT(node->count + text.size() < Node::kSizeMax, node->count, text.size());
  node = with_room(node, node->count, text.size());
  std::copy(text.begin(), text.end(), node->chars() + node->count);
  node->count += static_cast<uint32_t>(text.size());
  add_size(node, quoted_size(text) - 2);
  return ValueAccess::from_node(ValueAccess::Tag::kLongString, node);
}

}  // namespace pawl::json
