#include "expr/jq/access.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "expr/jq/numbers.h"
#include "expr/jq/order.h"
#include "json/in_place.h"

namespace pawl::jq::internal {

bool read_slice(Context& context, const Value& key, size_t size, SliceRange& range) {
  const Value* start = key.find("start");
  const Value* end = key.find("end");
  const auto is_bound = [](const Value* bound) { return bound != nullptr && (bound->is_null() || bound->is_number()); };
  if (!is_bound(start) || !is_bound(end)) {
    context.raise("Start and end indices of an array slice must be numbers");
    return false;
  }
  const double length = static_cast<double>(size);
  const auto clamp = [&](const Value* bound, double otherwise) {
    if (bound->is_null()) return otherwise;
    const double place = bound->as_double();
    if (std::isnan(place)) return otherwise;
    return std::clamp(place < 0 ? place + length : place, 0.0, length);
  };
  range.from = static_cast<size_t>(std::floor(clamp(start, 0)));
  range.to = std::max(range.from, static_cast<size_t>(std::ceil(clamp(end, length))));
  return true;
}

namespace {

Value cannot_index(Context& context, const Value& value, const Value& key) {
  std::string message = "Cannot index " + std::string(type_name(value)) + " with ";
  message += key.is_string() ? "string \"" + std::string(key.as_string()) + "\"" : std::string(type_name(key));
  return context.raise(message);
}

Value sub_array(Context& context, std::span<const Value> items) {
  if (!context.spend_bytes(items.size_bytes())) return Value();
  json::ArrayBuilder part(items.size());
  for (const Value& item : items) part.push(item);
  return part.build();
}

Value get_slice(Context& context, const Value& value, const Value& key) {
  SliceRange range;
  if (value.is_array()) {
    if (!read_slice(context, key, value.size(), range)) return Value();
    return sub_array(context, value.items().subspan(range.from, range.to - range.from));
  }
  const std::string_view text = value.as_string();
  if (!context.spend_steps(text.size() / 8) || !read_slice(context, key, code_points(text), range)) return Value();
  const size_t from = byte_offset(text, range.from);
  const size_t to = from + byte_offset(text.substr(from), range.to - range.from);
  if (!context.spend_bytes(to - from)) return Value();
  return Value::string(text.substr(from, to - from));
}

Value get_item(const Value& array, const Value& key) {
  if (is_nan(key)) return Value();
  int64_t index = index_of(key);
  if (index < 0) index += static_cast<int64_t>(array.size());
  return index >= 0 && static_cast<size_t>(index) < array.size() ? array.at(static_cast<size_t>(index)) : Value();
}

Value set_item(Context& context, Value&& array, const Value& key, Value part) {
  const size_t size = array.size();
  if (is_nan(key)) return context.raise("Cannot set array element at NaN index");
  int64_t index = index_of(key);
  if (index < 0) index += static_cast<int64_t>(size);
  if (index < 0) return context.raise("Out of bounds negative array index");
  const auto place = static_cast<size_t>(index);
  if (place >= UINT32_MAX) return context.exceed("The program builds an array with more than 2^32 items.");
  const size_t copied = json::is_unshared(array) && place <= size ? 1 : std::max(size, place + 1);
  if (!context.spend_bytes(copied * sizeof(Value))) return Value();
  if (place < size) return context.built(json::with_item(std::move(array), place, std::move(part)));
  if (place == size && size > 0) return context.built(json::with_items_appended(std::move(array), {&part, 1}));
  json::ArrayBuilder items(place + 1);
  if (size > 0)
    for (const Value& item : array.items()) items.push(item);
  while (items.size() < place) items.push(Value());
  items.push(std::move(part));
  return context.built(items.build());
}

Value set_slice(Context& context, const Value& array, const Value& key, const Value& part) {
  SliceRange range;
  if (!read_slice(context, key, array.size(), range)) return Value();
  if (!part.is_array()) return context.raise("A slice of an array can only be assigned another array");
  if (!context.spend_bytes((array.size() + part.size()) * sizeof(Value))) return Value();
  json::ArrayBuilder items(array.size() + part.size());
  for (size_t i = 0; i < range.from; ++i) items.push(array.at(i));
  for (const Value& item : part.items()) items.push(item);
  for (size_t i = range.to; i < array.size(); ++i) items.push(array.at(i));
  return context.built(items.build());
}

Value set_member(Context& context, Value&& object, const Value& key, Value part) {
  const size_t copied = json::is_unshared(object) ? 1 : object.size() + 1;
  if (!context.spend_text(key) || !context.spend_bytes(copied * sizeof(json::Member))) return Value();
  if (object.is_null()) object = Value::empty_object();
  return context.built(json::with_member(std::move(object), key.as_string(), std::move(part)));
}

}  // namespace

size_t code_points(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

size_t find_text(std::string_view text, std::string_view part, size_t from) {
  const std::string_view rest = text.substr(std::min(from, text.size()));
  const void* found = ::memmem(rest.data(), rest.size(), part.data(), part.size());
  return found == nullptr ? std::string_view::npos : static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

size_t byte_offset(std::string_view text, size_t code_point) {
  size_t at = 0;
  for (; at < text.size(); ++at) {
    if ((text[at] & 0xC0) == 0x80) continue;
    if (code_point-- == 0) break;
  }
  return at;
}

Value get_field(Context& context, const Value& value, std::string_view name) {
  if (value.is_object()) {
    const Value* part = value.find(name);
    return part == nullptr ? Value() : *part;
  }
  if (value.is_null()) return Value();
  return cannot_index(context, value, Value::string(name));
}

Value get(Context& context, const Value& value, const Value& key) {
  if (!context.spend_text(key)) return Value();
  if (value.is_object() && key.is_string()) return get_field(context, value, key.as_string());
  if (value.is_array() && key.is_number()) return get_item(value, key);
  if (key.is_object() && (value.is_array() || value.is_string())) return get_slice(context, value, key);
  if (value.is_array() && key.is_array()) return indices(context, value, key);
  if (value.is_null() && (key.is_string() || key.is_number() || key.is_object())) return Value();
  return cannot_index(context, value, key);
}

Value make_slice_key(const Value& from, const Value& to) {
  json::ObjectBuilder key(2);
  key.set("start", from);
  key.set("end", to);
  return key.build();
}

Value set(Context& context, Value&& value, const Value& key, Value part) {
  const bool is_null = value.is_null();
  if (key.is_string() && (value.is_object() || is_null))
    return set_member(context, std::move(value), key, std::move(part));
  if (key.is_number() && (value.is_array() || is_null))
    return set_item(context, std::move(value), key, std::move(part));
  if (key.is_object() && (value.is_array() || is_null))
    return set_slice(context, is_null ? Value::empty_array() : value, key, part);
  if (key.is_object() && value.is_string()) return context.raise("Cannot update string slices");
  if (key.is_object()) return context.raise("Cannot update field at object index of " + std::string(type_name(value)));
  if (key.is_array() && value.is_array()) return context.raise("Cannot update field at array index of array");
  return cannot_index(context, value, key);
}

Value get_path(Context& context, const Value& value, std::span<const Value> path) {
  Value current = value;
  if (!context.spend_steps(path.size())) return Value();
  for (const Value& key : path) {
    current = get(context, current, key);
    if (context.failed()) return Value();
  }
  return current;
}

namespace {

// A value on the way to the end of a path, and what was taken out of it to go on.
struct Level {
  Value whole;
  json::TakenPart taken;
};

json::TakenPart take(Context& context, Value& whole, const Value& key) {
  if (!context.spend_text(key)) return {};
  if (whole.is_object() && key.is_string()) return json::take_member(whole, key.as_string());
  if (whole.is_array() && key.is_number() && !is_nan(key)) {
    int64_t index = index_of(key);
    if (index < 0) index += static_cast<int64_t>(whole.size());
    if (index >= 0 && static_cast<size_t>(index) < whole.size())
      return json::take_item(whole, static_cast<size_t>(index));
  }
  return {.part = get(context, whole, key)};
}

}  // namespace

// From the outside in, taking out what lies on the path, then from the inside out, putting it back.
Value set_path(Context& context, Value value, std::span<const Value> path, Value part) {
  if (path.empty()) return part;
  if (path.size() > kValueDepthMax) return context.exceed("The program sets a path with more than 512 keys.");
  std::vector<Level> levels;
  levels.reserve(path.size());
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    levels.push_back({std::move(value), {}});
    levels[i].taken = take(context, levels[i].whole, path[i]);
    if (context.failed()) return Value();
    value = std::move(levels[i].taken.part);
  }
  part = set(context, std::move(value), path.back(), std::move(part));
  for (size_t i = levels.size(); i > 0 && !context.failed(); --i) {
    Level& level = levels[i - 1];
    if (level.taken.place == nullptr) {
      part = set(context, std::move(level.whole), path[i - 1], std::move(part));
      continue;
    }
    json::put_back(level.whole, level.taken, std::move(part));
    part = context.built(std::move(level.whole));
  }
  return context.failed() ? Value() : part;
}

bool has(Context& context, const Value& value, const Value& key) {
  if (value.is_null()) return false;
  if (value.is_object() && key.is_string()) return value.find(key.as_string()) != nullptr;
  if (value.is_array() && key.is_number()) {
    const double index = key.as_double();
    return index >= 0 && index < static_cast<double>(value.size());
  }
  context.raise("Cannot check whether " + std::string(type_name(value)) + " has a " +
                (key.is_string() ? "string" : std::string(type_name(key))) + " key");
  return false;
}

namespace {

// Where a part begins in a whole, also where one occurrence overlaps another: by Knuth, Morris and Pratt, who compare
// each item twice at most.
template <typename Items, typename Same, typename Found>
void find_all(const Items& whole, const Items& part, Same same, Found found) {
  std::vector<uint32_t> borders(part.size());
  const auto next = [&](uint32_t length, const auto& item) {
    while (length > 0 && !same(item, part[length])) length = borders[length - 1];
    return same(item, part[length]) ? length + 1 : length;
  };
  for (size_t i = 1; i < part.size(); ++i) borders[i] = next(borders[i - 1], part[i]);
  uint32_t length = 0;
  for (size_t i = 0; i < whole.size(); ++i) {
    length = next(length, whole[i]);
    if (length < part.size()) continue;
    found(i + 1 - length);
    length = borders[length - 1];
  }
}

Value indices_in_array(Context& context, const Value& array, const Value& part) {
  json::ArrayBuilder found;
  if (part.size() == 0 || part.size() > array.size()) return found.build();
  if (!context.spend_steps(array.size() + part.size()) || !context.spend_bytes(part.size() * sizeof(uint32_t)))
    return Value();
  const auto same = [&](const Value& a, const Value& b) {
    return !context.failed() && context.spend_steps(comparison_steps(a, b)) && equal(a, b);
  };
  find_all(array.items(), part.items(), same,
           [&](size_t place) { found.push(Value::integer(static_cast<int64_t>(place))); });
  return found.build();
}

Value indices_in_text(Context& context, std::string_view text, std::string_view part) {
  json::ArrayBuilder found;
  if (part.empty()) return Value();
  if (part.size() > text.size()) return found.build();
  if (!context.spend_steps(text.size() / 8) || !context.spend_bytes(part.size() * sizeof(uint32_t))) return Value();
  size_t counted = 0, points = 0;
  find_all(text, part, std::equal_to<>(), [&](size_t place) {
    points += code_points(text.substr(counted, place - counted));
    counted = place;
    found.push(Value::integer(static_cast<int64_t>(points)));
  });
  return found.build();
}

}  // namespace

Value indices(Context& context, const Value& value, const Value& part) {
  if (value.is_string() && part.is_string()) return indices_in_text(context, value.as_string(), part.as_string());
  if (value.is_array() && part.is_array()) return indices_in_array(context, value, part);
  if (value.is_array()) {
    json::ArrayBuilder single(1);
    single.push(part);
    return indices_in_array(context, value, single.build());
  }
  return get(context, value, part);
}

}  // namespace pawl::jq::internal
