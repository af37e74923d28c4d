// States.Array and the functions on arrays.
#include <algorithm>
#include <string>
#include <unordered_set>

#include "expr/intrinsic/functions.h"
#include "expr/intrinsic/value_hash.h"

namespace pawl::intrinsic::internal {

Result<Value> array(Arguments arguments, Random& /*random*/) {
  json::ArrayBuilder items(arguments.size());
  for (const Value& argument : arguments) items.push(argument);
  return items.build();
}

Result<Value> array_partition(Arguments arguments, Random& /*random*/) {
  if (!arguments[0].is_array()) return refuse("States.ArrayPartition", "The first argument must be an array.");
  const auto chunk_size = truncated_integer(arguments[1]);
  if (!chunk_size || *chunk_size < 1)
    return refuse("States.ArrayPartition", "The second argument must be a positive integer.");
  std::span<const Value> rest = arguments[0].items();
  json::ArrayBuilder chunks;
  while (!rest.empty()) {
    const auto chunk = rest.first(std::min(static_cast<size_t>(*chunk_size), rest.size()));
    json::ArrayBuilder items(chunk.size());
    for (const Value& item : chunk) items.push(item);
    chunks.push(items.build());
    rest = rest.subspan(chunk.size());
  }
  return chunks.build();
}

Result<Value> array_contains(Arguments arguments, Random& /*random*/) {
  if (!arguments[0].is_array()) return refuse("States.ArrayContains", "The first argument must be an array.");
  const std::span<const Value> items = arguments[0].items();
  return Value::boolean(std::ranges::find(items, arguments[1]) != items.end());
}

// From the first to the last, both included. Numbers with a fraction lose it, as observed of AWS.
Result<Value> array_range(Arguments arguments, Random& /*random*/) {
  const auto first = truncated_integer(arguments[0]), last = truncated_integer(arguments[1]);
  const auto step = truncated_integer(arguments[2]);
  if (!first || !last || !step) return refuse("States.ArrayRange", "The arguments must be integers.");
  if (*step == 0) return refuse("States.ArrayRange", "The third argument must not be zero.");
  const __int128 distance = static_cast<__int128>(*last) - *first;
  if ((distance > 0 && *step < 0) || (distance < 0 && *step > 0)) return Value::empty_array();
  const __int128 count = distance / *step + 1;
  if (count > static_cast<__int128>(kArrayRangeItemsMax))
    return refuse("States.ArrayRange",
                  "The array would have more than " + std::to_string(kArrayRangeItemsMax) + " items.");
  json::ArrayBuilder items(static_cast<size_t>(count));
  for (__int128 i = 0; i < count; ++i) items.push(Value::integer(static_cast<int64_t>(*first + i * *step)));
  return items.build();
}

Result<Value> array_get_item(Arguments arguments, Random& /*random*/) {
  if (!arguments[0].is_array()) return refuse("States.ArrayGetItem", "The first argument must be an array.");
  const auto index = truncated_integer(arguments[1]);
  if (!index) return refuse("States.ArrayGetItem", "The second argument must be an integer.");
  if (*index < 0 || static_cast<size_t>(*index) >= arguments[0].size())
    return refuse("States.ArrayGetItem", "The index " + std::to_string(*index) + " is outside the array, which has " +
                                             std::to_string(arguments[0].size()) + " items.");
  return arguments[0].at(static_cast<size_t>(*index));
}

Result<Value> array_length(Arguments arguments, Random& /*random*/) {
  if (!arguments[0].is_array()) return refuse("States.ArrayLength", "The argument must be an array.");
  return Value::integer(static_cast<int64_t>(arguments[0].size()));
}

// Keeps the first of equal items, in their order. (AWS promises no order and gives that of a Java hash set.)
Result<Value> array_unique(Arguments arguments, Random& /*random*/) {
  if (!arguments[0].is_array()) return refuse("States.ArrayUnique", "The argument must be an array.");
  const auto hash_item = [](const Value* item) { return hash_value(*item); };
  const auto same = [](const Value* a, const Value* b) { return *a == *b; };
  std::unordered_set<const Value*, decltype(hash_item), decltype(same)> seen(arguments[0].size(), hash_item, same);
  json::ArrayBuilder items;
  for (const Value& item : arguments[0].items())
    if (seen.insert(&item).second) items.push(item);
  return items.build();
}

}  // namespace pawl::intrinsic::internal
