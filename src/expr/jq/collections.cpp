// Builtins on arrays, objects and values of any kind.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "expr/jq/access.h"
#include "expr/jq/arithmetic.h"
#include "expr/jq/natives.h"
#include "expr/jq/numbers.h"
#include "expr/jq/order.h"
#include "json/parse.h"

namespace pawl::jq::internal {

namespace {

Value length(Context& context, const Arguments& a) {
  const Value& value = a.input();
  switch (value.kind()) {
    case Value::Kind::kNull:
      return Value::integer(0);
    case Value::Kind::kBoolean:
      return context.raise(described(value) + " has no length");
    case Value::Kind::kNumber:
      return value.as_double() < 0 ? negate_number(value) : value;
    case Value::Kind::kString:
      return context.spend_steps(value.as_string().size() / 16)
                 ? Value::integer(static_cast<int64_t>(code_points(value.as_string())))
                 : Value();
    case Value::Kind::kArray:
    case Value::Kind::kObject:
      return Value::integer(static_cast<int64_t>(value.size()));
  }
  return Value();
}

Value type(Context&, const Arguments& a) { return Value::string(type_name(a.input())); }

Value numbered(Context& context, size_t count) {
  if (!context.spend_bytes(count * sizeof(Value))) return Value();
  json::ArrayBuilder numbers(count);
  for (size_t i = 0; i < count; ++i) numbers.push(Value::integer(static_cast<int64_t>(i)));
  return numbers.build();
}

Value keys(Context& context, const Arguments& a) {
  const Value& value = a.input();
  if (value.is_array()) return numbered(context, value.size());
  if (!value.is_object()) return context.raise(described(value) + " has no keys");
  if (!context.spend_bytes(value.size() * sizeof(Value)) || !context.spend_steps(value.size())) return Value();
  json::ArrayBuilder names(value.size());
  for (const uint32_t number : sorted_members(value)) names.push(value.members()[number].key);
  return names.build();
}

Value keys_unsorted(Context& context, const Arguments& a) {
  const Value& value = a.input();
  if (!value.is_object()) return keys(context, a);
  if (!context.spend_bytes(value.size() * sizeof(Value))) return Value();
  json::ArrayBuilder names(value.size());
  for (const json::Member& member : value.members()) names.push(member.key);
  return names.build();
}

Value has_key(Context& context, const Arguments& a) { return Value::boolean(has(context, a.input(), a[1])); }

// Inside arrays and objects, values of different kinds just do not contain each other.
bool contains_value(Context& context, const Value& whole, const Value& part) {
  if (!context.spend_steps(1)) return false;
  if (whole.is_object() && part.is_object()) {
    return std::ranges::all_of(part.members(), [&](const json::Member& member) {
      const Value* found = whole.find(member.key.as_string());
      return found != nullptr && contains_value(context, *found, member.value);
    });
  }
  if (whole.is_array() && part.is_array()) {
    return std::ranges::all_of(part.items(), [&](const Value& wanted) {
      return std::ranges::any_of(whole.items(),
                                 [&](const Value& item) { return contains_value(context, item, wanted); });
    });
  }
  if (!context.spend_steps((whole.is_string() ? whole.as_string().size() : 0) / 8)) return false;
  if (whole.is_string() && part.is_string())
    return find_text(whole.as_string(), part.as_string(), 0) != std::string_view::npos;
  return whole.kind() == part.kind() && equal(whole, part);
}

Value contains(Context& context, const Arguments& a) {
  if (a.input().kind() != a[1].kind())
    return context.raise(described(a.input()) + " and " + described(a[1]) + " cannot have their containment checked");
  return Value::boolean(contains_value(context, a.input(), a[1]));
}

Value get_at_path(Context& context, const Arguments& a) {
  if (!a[1].is_array()) return context.raise("Path must be specified as an array");
  return get_path(context, a.input(), a[1].items());
}

Value set_at_path(Context& context, const Arguments& a) {
  if (!a[1].is_array()) return context.raise("Path must be specified as an array");
  return set_path(context, a.input(), a[1].items(), a[2]);
}

Value delete_at_paths(Context& context, const Arguments& a) { return delete_paths(context, a.input(), a[1]); }

Value to_entries(Context& context, const Arguments& a) {
  const Value& value = a.input();
  const Value names = keys_unsorted(context, a);
  if (context.failed() || !context.spend_bytes(value.size() * 4 * sizeof(json::Member))) return Value();
  json::ArrayBuilder entries(value.size());
  for (size_t i = 0; i < value.size(); ++i) {
    json::ObjectBuilder entry(2);
    entry.set("key", names.at(i));
    entry.set("value", value.is_array() ? value.at(i) : value.members()[i].value);
    entries.push(entry.build());
  }
  return context.built(entries.build());
}

// The first of these members that is neither false nor null.
const Value* first_true(const Value& entry, std::span<const std::string_view> names) {
  for (const std::string_view name : names)
    if (const Value* found = entry.find(name); found != nullptr && is_true(*found)) return found;
  return nullptr;
}

Value entry_key(Context& context, const Value& entry) {
  static constexpr std::array<std::string_view, 6> kNames = {"key", "k", "Key", "K", "name", "Name"};
  const Value* key = first_true(entry, kNames);
  if (key != nullptr && key->is_string()) return *key;
  return context.raise("Cannot use " + (key == nullptr ? "null (null)" : described(*key)) + " as object key");
}

// The first of these members that is there.
Value entry_value(const Value& entry) {
  for (const std::string_view name : {"value", "v", "Value", "V"})
    if (const Value* found = entry.find(name)) return *found;
  return Value();
}

Value from_entries(Context& context, const Arguments& a) {
  const Value& list = a.input();
  if (!list.is_array() && !list.is_object())
    return context.raise("Cannot iterate over " + (list.is_null() ? std::string("null") : described(list)));
  if (!context.spend_bytes(list.size() * sizeof(json::Member)) || !context.spend_steps(list.size())) return Value();
  json::ObjectBuilder members(list.size());
  for (size_t i = 0; i < list.size() && !context.failed(); ++i) {
    const Value& entry = list.is_array() ? list.at(i) : list.members()[i].value;
    if (!entry.is_object())
      return context.raise("Cannot index " + std::string(type_name(entry)) + " with string \"key\"");
    members.set(entry_key(context, entry), entry_value(entry));
  }
  return context.failed() ? Value() : context.built(members.build());
}

Value add_texts(Context& context, std::span<const Value> items) {
  std::string text;
  for (const Value& item : items)
    if (item.is_string()) text += item.as_string();
  return context.spend_bytes(text.size()) ? Value::string(text) : Value();
}

Value add_arrays(Context& context, std::span<const Value> items) {
  size_t size = 0;
  for (const Value& item : items) size += item.size();
  if (!context.spend_bytes(size * sizeof(Value))) return Value();
  json::ArrayBuilder all(size);
  for (const Value& item : items)
    if (item.is_array())
      for (const Value& inner : item.items()) all.push(inner);
  return all.build();
}

Value add_all(Context& context, const Arguments& a) {
  const Value& list = a.input();
  if (!list.is_array() && !list.is_object())
    return context.raise("Cannot iterate over " + (list.is_null() ? std::string("null") : described(list)));
  if (!context.spend_steps(list.size())) return Value();
  if (list.is_array() && list.size() > 2) {
    const auto all_are = [&](auto is) { return std::ranges::all_of(list.items(), is); };
    if (all_are([](const Value& item) { return item.is_string(); })) return add_texts(context, list.items());
    if (all_are([](const Value& item) { return item.is_array(); })) return add_arrays(context, list.items());
  }
  Value sum;
  for (size_t i = 0; i < list.size() && !context.failed(); ++i)
    sum = add(context, sum, list.is_array() ? list.at(i) : list.members()[i].value);
  return sum;
}

bool flatten_into(Context& context, const Value& list, double depth, json::ArrayBuilder& flat) {
  for (size_t i = 0; i < list.size(); ++i) {
    const Value& item = list.is_array() ? list.at(i) : list.members()[i].value;
    if (item.is_array() && depth > 0) {
      if (!flatten_into(context, item, depth - 1, flat)) return false;
      continue;
    }
    if (!context.spend_bytes(sizeof(Value))) return false;
    flat.push(item);
  }
  return true;
}

Value flatten_to(Context& context, const Value& list, double depth) {
  if (!list.is_array() && !list.is_object()) return context.raise("Cannot iterate over " + described(list));
  json::ArrayBuilder flat;
  return flatten_into(context, list, depth, flat) ? flat.build() : Value();
}

Value flatten(Context& context, const Arguments& a) { return flatten_to(context, a.input(), 1e9); }

Value flatten_some(Context& context, const Arguments& a) {
  if (!a[1].is_number()) return context.raise("flatten depth must not be negative");
  if (a[1].as_double() < 0) return context.raise("flatten depth must not be negative");
  return flatten_to(context, a.input(), a[1].as_double());
}

Value reverse(Context& context, const Arguments& a) {
  const Value& list = a.input();
  if (list.is_null()) return Value::empty_array();
  if (!list.is_array()) {  // of anything else nothing can be taken, unless there is nothing to take
    const Value size = length(context, a);
    if (context.failed() || size.as_double() == 0) return Value::empty_array();
    return context.raise("Cannot index " + std::string(type_name(list)) + " with number");
  }
  if (!context.spend_bytes(list.size() * sizeof(Value))) return Value();
  json::ArrayBuilder items(list.size());
  for (size_t i = list.size(); i > 0; --i) items.push(list.at(i - 1));
  return items.build();
}

// How many columns the rows make; what is no row must be empty. Nothing, and an error, where it is not.
std::optional<size_t> width_of(Context& context, const Value& rows) {
  size_t width = 0;
  for (const Value& row : rows.items()) {
    Arguments only_row;
    only_row.values[0] = &row;
    const Value size = row.is_array() ? Value::integer(static_cast<int64_t>(row.size())) : length(context, only_row);
    if (context.failed()) return std::nullopt;
    width = std::max(width, row.size());
    if (row.is_array() || size.as_double() == 0) continue;
    context.raise("Cannot index " + std::string(type_name(row)) + " with number");
    return std::nullopt;
  }
  return width;
}

Value transpose(Context& context, const Arguments& a) {
  const Value& rows = a.input();
  if (!rows.is_array()) return context.raise("Cannot iterate over " + described(rows));
  const auto width = width_of(context, rows);
  if (!width || !context.spend_bytes(*width * rows.size() * sizeof(Value))) return Value();
  json::ArrayBuilder columns(*width);
  for (size_t column = 0; column < *width; ++column) {
    json::ArrayBuilder items(rows.size());
    for (const Value& row : rows.items()) items.push(column < row.size() ? row.at(column) : Value());
    columns.push(items.build());
  }
  return columns.build();
}

Value all_indices(Context& context, const Arguments& a) { return indices(context, a.input(), a[1]); }

Value one_index(Context& context, const Arguments& a, bool last) {
  const Value all = indices(context, a.input(), a[1]);
  if (context.failed()) return Value();
  const Value zero = Value::integer(0);
  if (!last) return get(context, all, zero);
  const Value tail = get(context, all, make_slice_key(Value::integer(-1), Value()));
  return context.failed() ? Value() : get(context, tail, zero);
}

Value index_of_part(Context& context, const Arguments& a) { return one_index(context, a, false); }
Value rindex_of_part(Context& context, const Arguments& a) { return one_index(context, a, true); }

Value to_json(Context& context, const Arguments& a) {
  const std::string text = json_text(a.input());
  return context.spend_bytes(text.size()) ? Value::string(text) : Value();
}

Value from_json(Context& context, const Arguments& a) {
  if (!a.input().is_string()) return context.raise(described(a.input()) + " cannot be parsed as JSON");
  const std::string_view text = a.input().as_string();
  if (!context.spend_bytes(4 * text.size())) return Value();
  if (text == "nan") {
    context.made_special = true;
    return number_of(std::numeric_limits<double>::quiet_NaN());
  }
  auto parsed = json::parse(text);
  if (parsed) return *std::move(parsed);
  return context.raise(parsed.error().what + " (while parsing '" + std::string(text) + "')");
}

Value builtins(Context&, const Arguments&) { return builtin_names(); }

constexpr Native kNatives[] = {
    {"length", 0, length},
    {"type", 0, type},
    {"keys", 0, keys},
    {"keys_unsorted", 0, keys_unsorted},
    {"has", 1, has_key},
    {"contains", 1, contains},
    {"getpath", 1, get_at_path},
    {"setpath", 2, set_at_path},
    {"delpaths", 1, delete_at_paths},
    {"to_entries", 0, to_entries},
    {"from_entries", 0, from_entries},
    {"add", 0, add_all},
    {"flatten", 0, flatten},
    {"flatten", 1, flatten_some},
    {"reverse", 0, reverse},
    {"transpose", 0, transpose},
    {"indices", 1, all_indices},
    {"index", 1, index_of_part},
    {"rindex", 1, rindex_of_part},
    {"tojson", 0, to_json},
    {"fromjson", 0, from_json},
    {"builtins", 0, builtins},
};

}  // namespace

std::span<const Native> collection_natives() { return kNatives; }

}  // namespace pawl::jq::internal
