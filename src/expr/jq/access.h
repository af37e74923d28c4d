// Reading and changing parts of values: by index, by slice, by path.
#pragma once

#include "expr/jq/context.h"

namespace pawl::jq::internal {

// value[key]: of an object by name, of an array by number, slice or sub-array; null of null.
Value get(Context& context, const Value& value, const Value& key);
Value get_field(Context& context, const Value& value, std::string_view name);
Value make_slice_key(const Value& from, const Value& to);

struct SliceRange {
  size_t from = 0;
  size_t to = 0;
};

// The bounds of {"start":…,"end":…} in a sequence of `size`; false, and an error, where they are no numbers.
bool read_slice(Context& context, const Value& key, size_t size, SliceRange& range);

// The value with one part replaced, in place where nobody else holds it; null becomes what the key asks for.
Value set(Context& context, Value&& value, const Value& key, Value part);

Value get_path(Context& context, const Value& value, std::span<const Value> path);
Value set_path(Context& context, Value value, std::span<const Value> path, Value part);
Value delete_paths(Context& context, const Value& value, const Value& paths);

bool has(Context& context, const Value& value, const Value& key);

// Offsets into strings count code points.
size_t code_points(std::string_view text);
// Where a part begins at or behind `from`, in a time that grows with the lengths alone; npos where it does not.
size_t find_text(std::string_view text, std::string_view part, size_t from);
size_t byte_offset(std::string_view text, size_t code_point);

// Where a part lies: of a string in bytes, of an array by item.
Value indices(Context& context, const Value& value, const Value& part);

}  // namespace pawl::jq::internal
