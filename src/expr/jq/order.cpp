#include "expr/jq/order.h"

#include <algorithm>
#include <numeric>

#include "expr/jq/numbers.h"

namespace pawl::jq::internal {

namespace {

int rank(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      return 0;
    case Value::Kind::kBoolean:
      return value.as_boolean() ? 2 : 1;
    case Value::Kind::kNumber:
      return 3;
    case Value::Kind::kString:
      return 4;
    case Value::Kind::kArray:
      return 5;
    case Value::Kind::kObject:
      return 6;
  }
  return 0;
}

int sign_of(std::weak_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

int compare_two_numbers(const Value& a, const Value& b) {
  if (is_nan(a)) return -1;
  if (is_nan(b)) return 1;
  return sign_of(json::compare_numbers(a, b));
}

int compare_items(std::span<const Value> a, std::span<const Value> b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (const int order = compare(a[i], b[i]); order != 0) return order;
  return sign_of(a.size() <=> b.size());
}

int compare_members(const Value& a, const Value& b) {
  const std::vector<uint32_t> left = sorted_members(a), right = sorted_members(b);
  for (size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    const int order = a.members()[left[i]].key.as_string().compare(b.members()[right[i]].key.as_string());
    if (order != 0) return order < 0 ? -1 : 1;
  }
  if (left.size() != right.size()) return sign_of(left.size() <=> right.size());
  for (size_t i = 0; i < left.size(); ++i)
    if (const int order = compare(a.members()[left[i]].value, b.members()[right[i]].value); order != 0) return order;
  return 0;
}

}  // namespace

int compare(const Value& a, const Value& b) {
  const int rank_a = rank(a), rank_b = rank(b);
  if (rank_a != rank_b) return rank_a < rank_b ? -1 : 1;
  switch (a.kind()) {
    case Value::Kind::kNull:
    case Value::Kind::kBoolean:
      return 0;
    case Value::Kind::kNumber:
      return compare_two_numbers(a, b);
    case Value::Kind::kString: {
      const int order = a.as_string().compare(b.as_string());
      return order < 0 ? -1 : order > 0 ? 1 : 0;
    }
    case Value::Kind::kArray:
      return compare_items(a.items(), b.items());
    case Value::Kind::kObject:
      return compare_members(a, b);
  }
  return 0;
}

bool equal(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return !is_nan(a) && !is_nan(b) && json::compare_numbers(a, b) == 0;
  return a == b && !((a.is_array() || a.is_object()) && a.same_node(b) && contains_special(a));
}

std::vector<uint32_t> sorted_members(const Value& object) {
  std::vector<uint32_t> order(object.size());
  std::iota(order.begin(), order.end(), 0);
  const auto members = object.members();
  std::ranges::sort(order, {}, [&](uint32_t i) { return members[i].key.as_string(); });
  return order;
}

std::vector<uint32_t> sorted_order(std::span<const Value> keys) {
  std::vector<uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) { return compare(keys[a], keys[b]) < 0; });
  return order;
}

}  // namespace pawl::jq::internal
