// jq's order of values: null, false, true, numbers, strings, arrays, objects; and what sorts by it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "expr/jq/syntax.h"

namespace pawl::jq::internal {

// Negative, zero or positive. NaN is below every number, itself too. Objects compare by their sorted names first.
int compare(const Value& a, const Value& b);
bool equal(const Value& a, const Value& b);  // NaN equals nothing

// Steps that comparing them may take beyond the first.
inline uint64_t comparison_steps(const Value& a, const Value& b) {
  constexpr uint64_t kBytesPerStep = 16;
  if (a.kind() != b.kind() || a.is_number()) return 0;
  return std::min(a.json_size(), b.json_size()) / kBytesPerStep;
}

// The members' numbers, by their names.
std::vector<uint32_t> sorted_members(const Value& object);

// The items' numbers in the order of their keys, stable. `keys` has a key for each item.
std::vector<uint32_t> sorted_order(std::span<const Value> keys);

}  // namespace pawl::jq::internal
