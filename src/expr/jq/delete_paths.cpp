// delpaths: from the last path to the first, those with one parent together.
#include <algorithm>

#include "expr/jq/access.h"
#include "expr/jq/numbers.h"
#include "expr/jq/order.h"

namespace pawl::jq::internal {

namespace {

std::span<const Value> parent_of(const Value& path) { return path.items().first(path.size() - 1); }
const Value& key_of(const Value& path) { return path.at(path.size() - 1); }

bool are_siblings(const Value& a, const Value& b) {
  if (a.size() != b.size()) return false;
  return std::ranges::equal(parent_of(a), parent_of(b), equal);
}

// Numbers and slices all mean places in the array as it was.
bool mark_deleted(Context& context, const Value& array, const Value& key, std::vector<bool>& is_deleted) {
  if (key.is_number()) {
    int64_t index = is_nan(key) ? -1 : index_of(key);
    if (index < 0) index += static_cast<int64_t>(array.size());
    if (index >= 0 && static_cast<size_t>(index) < array.size()) is_deleted[static_cast<size_t>(index)] = true;
    return true;
  }
  SliceRange range;
  if (!key.is_object()) {
    context.raise("Cannot delete field at " + std::string(key.is_string() ? "object" : type_name(key)) +
                  " index of array");
    return false;
  }
  if (!read_slice(context, key, array.size(), range)) return false;
  for (size_t i = range.from; i < range.to; ++i) is_deleted[i] = true;
  return context.spend_steps(range.to - range.from);
}

Value delete_items(Context& context, const Value& array, std::span<const Value> paths) {
  std::vector<bool> is_deleted(array.size());
  for (const Value& path : paths)
    if (!mark_deleted(context, array, key_of(path), is_deleted)) return Value();
  if (!context.spend_bytes(array.size() * sizeof(Value))) return Value();
  json::ArrayBuilder kept(array.size());
  for (size_t i = 0; i < array.size(); ++i)
    if (!is_deleted[i]) kept.push(array.at(i));
  return kept.build();
}

Value delete_members(Context& context, const Value& object, std::span<const Value> paths) {
  if (!context.spend_bytes(object.size() * sizeof(json::Member))) return Value();
  std::vector<std::string_view> names;
  for (const Value& path : paths) {
    const Value& key = key_of(path);
    if (!key.is_string())
      return context.raise("Cannot delete field at " + std::string(key.is_number() ? "array" : type_name(key)) +
                           " index of object");
    names.push_back(key.as_string());
  }
  json::ObjectBuilder kept(object.size());
  for (const json::Member& member : object.members())
    if (!std::ranges::binary_search(names, member.key.as_string())) kept.set(member.key, member.value);
  return kept.build();
}

Value delete_keys(Context& context, const Value& value, std::span<const Value> paths) {
  if (value.is_null()) return value;
  if (value.is_array()) return delete_items(context, value, paths);
  if (value.is_object()) return delete_members(context, value, paths);
  return context.raise("Cannot delete fields from " + std::string(type_name(value)));
}

Value delete_siblings(Context& context, const Value& value, std::span<const Value> paths) {
  const auto parent_path = parent_of(paths[0]);
  const Value parent = get_path(context, value, parent_path);
  if (context.failed() || parent.is_null()) return context.failed() ? Value() : value;
  Value changed = delete_keys(context, parent, paths);
  return context.failed() ? Value() : set_path(context, value, parent_path, std::move(changed));
}

bool check_paths(Context& context, const Value& paths) {
  if (!paths.is_array()) {
    context.raise("Paths must be specified as an array");
    return false;
  }
  for (const Value& path : paths.items()) {
    if (path.is_array()) continue;
    context.raise("Path must be specified as array, not " + std::string(type_name(path)));
    return false;
  }
  return context.spend_steps(paths.size());
}

}  // namespace

Value delete_paths(Context& context, const Value& value, const Value& paths) {
  if (!check_paths(context, paths)) return Value();
  std::vector<Value> sorted;
  for (const uint32_t number : sorted_order(paths.items())) sorted.push_back(paths.at(number));
  if (!sorted.empty() && sorted[0].size() == 0) return Value();
  Value result = value;
  for (size_t last = sorted.size(); last > 0 && !context.failed();) {
    size_t first = last - 1;
    while (first > 0 && are_siblings(sorted[first - 1], sorted[last - 1])) --first;
    result = delete_siblings(context, result, std::span(sorted).subspan(first, last - first));
    last = first;
  }
  return context.failed() ? Value() : result;
}

}  // namespace pawl::jq::internal
