#include "store/payload_table.h"

#include <bit>
#include <cmath>

#include "base/assert.h"

namespace pawl::store {

// --- writing
// -------------------------------------------------------------------------------------------------------------

void PayloadTable::write(const Value& value, ByteWriter& out) {
  if (const void* identity = value.identity()) {
    const auto found = numbers_.find(identity);
    if (found == numbers_.end()) return write_node(value, out);
    out.byte(static_cast<uint8_t>(Tag::kStored));
    return out.varint(found->second);
  }
  switch (value.kind()) {
    case Value::Kind::kNull:
      return out.byte(static_cast<uint8_t>(Tag::kNull));
    case Value::Kind::kBoolean:
      return out.byte(static_cast<uint8_t>(value.as_boolean() ? Tag::kTrue : Tag::kFalse));
    case Value::Kind::kNumber:
      if (value.is_int64()) {
        out.byte(static_cast<uint8_t>(Tag::kInteger));
        return out.zigzag(*value.as_integer());
      }
      if (value.is_computed_double()) {
        out.byte(static_cast<uint8_t>(Tag::kDouble));
        return out.fixed64(std::bit_cast<uint64_t>(value.as_double()));
      }
      out.byte(static_cast<uint8_t>(Tag::kNumberText));
      return out.text(value.number_text());
    case Value::Kind::kString:
      out.byte(static_cast<uint8_t>(Tag::kString));
      return out.text(value.as_string());
    case Value::Kind::kArray:
    case Value::Kind::kObject:
      PAWL_ASSERT(false, "arrays and objects have nodes");
  }
}

void PayloadTable::write_node(const Value& value, ByteWriter& out) {
  if (value.is_string()) {
    out.byte(static_cast<uint8_t>(Tag::kString));
    out.text(value.as_string());
  } else if (value.is_number()) {
    out.byte(static_cast<uint8_t>(Tag::kNumberText));
    out.text(value.number_text());
  } else if (value.is_array()) {
    out.byte(static_cast<uint8_t>(Tag::kArray));
    out.varint(value.size());
    for (const Value& item : value.items()) write(item, out);
  } else if (!write_change(value, out)) {
    out.byte(static_cast<uint8_t>(Tag::kObject));
    out.varint(value.size());
    for (const json::Member& member : value.members()) {
      write(member.key, out);
      write(member.value, out);
    }
  }
  remember(value);
}

namespace {

// The one member in which `value` differs from `base` (which it replaces or adds at the end); null where it is not one.
const json::Member* single_change(const Value& base, const Value& value) {
  if (value.size() != base.size() && value.size() != base.size() + 1) return nullptr;
  const json::Member* changed = value.size() > base.size() ? &value.members().back() : nullptr;
  for (size_t i = 0; i < base.size(); ++i) {
    const json::Member& before = base.members()[i];
    const json::Member& after = value.members()[i];
    if (!before.key.same_node(after.key) && before.key.as_string() != after.key.as_string()) return nullptr;
    if (before.value.same_node(after.value)) continue;
    if (changed != nullptr) return nullptr;
    changed = &after;
  }
  return changed;
}

}  // namespace

bool PayloadTable::write_change(const Value& value, ByteWriter& out) {
  if (!last_object_) return false;
  const json::Member* changed = single_change(nodes_[*last_object_], value);
  if (changed == nullptr) return false;
  out.byte(static_cast<uint8_t>(Tag::kObjectWith));
  out.varint(*last_object_);
  write(changed->key, out);
  write(changed->value, out);
  return true;
}

void PayloadTable::remember(const Value& value) {
  const auto number = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back(value);
  numbers_.emplace(value.identity(), number);
  if (value.is_object()) last_object_ = number;
}

// --- reading
// -------------------------------------------------------------------------------------------------------------

// Short texts are inline and have no number.
Value PayloadTable::remembered(Value value) {
  if (value.identity() != nullptr) remember(value);
  return value;
}

Value PayloadTable::stored(ByteReader& in) const {
  const uint64_t number = in.varint();
  if (number < nodes_.size()) return nodes_[number];
  in.fail();
  return {};
}

namespace {

bool is_number_text(std::string_view text) {
  if (text.empty()) return false;
  for (const char c : text)
    if ((c < '0' || c > '9') && c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E') return false;
  return true;
}

}  // namespace

Value PayloadTable::read(ByteReader& in, uint32_t depth) {
  if (depth > kValueDepthMax) {
    in.fail();
    return {};
  }
  switch (static_cast<Tag>(in.byte())) {
    case Tag::kNull:
      return {};
    case Tag::kFalse:
      return Value::boolean(false);
    case Tag::kTrue:
      return Value::boolean(true);
    case Tag::kInteger:
      return Value::integer(in.zigzag());
    case Tag::kDouble: {
      const auto number = std::bit_cast<double>(in.fixed64());
      return std::isfinite(number) ? Value::real(number) : (in.fail(), Value());
    }
    case Tag::kNumberText: {
      const std::string_view text = in.text();
      return is_number_text(text) ? remembered(Value::number_literal(text)) : (in.fail(), Value());
    }
    case Tag::kString:
      return remembered(Value::string(in.text()));
    case Tag::kStored:
      return stored(in);
    case Tag::kArray:
      return read_array(in, depth);
    case Tag::kObject:
      return read_object(in, depth);
    case Tag::kObjectWith:
      return read_change(in, depth);
  }
  in.fail();
  return {};
}

Value PayloadTable::read_array(ByteReader& in, uint32_t depth) {
  const uint64_t count = in.varint();
  if (count > in.left()) in.fail();  // an item takes a byte at least
  json::ArrayBuilder items(in.ok() ? count : 0);
  for (uint64_t i = 0; i < count && in.ok(); ++i) items.push(read(in, depth + 1));
  return in.ok() ? remembered(items.build()) : Value();
}

Value PayloadTable::read_object(ByteReader& in, uint32_t depth) {
  const uint64_t count = in.varint();
  if (count > in.left()) in.fail();
  json::ObjectBuilder members(in.ok() ? count : 0);
  for (uint64_t i = 0; i < count && in.ok(); ++i) {
    Value key = read(in, depth + 1);
    if (!key.is_string()) in.fail();
    Value value = read(in, depth + 1);
    if (in.ok()) members.set(std::move(key), std::move(value));
  }
  return in.ok() ? remembered(members.build()) : Value();
}

Value PayloadTable::read_change(ByteReader& in, uint32_t depth) {
  const Value base = stored(in);
  const Value key = read(in, depth + 1);
  const Value value = read(in, depth + 1);
  if (!base.is_object() || !key.is_string()) in.fail();
  return in.ok() ? remembered(base.with_member(key.as_string(), value)) : Value();
}

}  // namespace pawl::store
