// Keywords for arrays.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "schema/evaluator.h"

namespace pawl::schema::internal {

using json::Value;

namespace {

constexpr size_t kFewItems = 8;  // up to so many, comparing each with each is fastest

// Equal values have equal hashes. Looks one level deep, whatever the order of an object's members.
size_t shallow_hash(const Value& value, bool is_inner = false) {
  const auto kind = static_cast<size_t>(value.kind());
  switch (value.kind()) {
    case Value::Kind::kNull:
      return kind;
    case Value::Kind::kBoolean:
      return kind + (value.as_boolean() ? 16 : 32);
    case Value::Kind::kNumber:
      return std::hash<double>()(value.as_double());
    case Value::Kind::kString:
      return std::hash<std::string_view>()(value.as_string());
    case Value::Kind::kArray: {
      size_t hash = kind + value.size() * 64;
      if (!is_inner)
        for (const Value& item : value.items()) hash = hash * 31 + shallow_hash(item, true);
      return hash;
    }
    case Value::Kind::kObject:
      break;
  }
  size_t hash = kind + value.size() * 64;
  if (!is_inner)
    for (const json::Member& member : value.members())
      hash += shallow_hash(member.key, true) * 31 + shallow_hash(member.value, true) * 7;
  return hash;
}

}  // namespace

bool are_unique(std::span<const Value> values, uint64_t& steps) {
  std::unordered_multimap<size_t, const Value*> seen;
  const bool are_few = values.size() <= kFewItems;
  for (const Value& value : values) {
    const size_t hash = are_few ? 0 : shallow_hash(value);
    const auto [begin, end] = seen.equal_range(hash);
    for (auto other = begin; other != end; ++other) {
      if (*other->second == value) return false;
      if (++steps > kValidationStepsMax) return true;
    }
    seen.emplace(hash, &value);
  }
  return true;
}

bool Evaluator::check_array(const Application& a) {
  const ArrayRules& rules = *a.node.arrays;
  bool holds = true;
  if (rules.min_items && a.value.size() < *rules.min_items)
    holds = violate(a, "minItems", "The array has fewer than " + std::to_string(*rules.min_items) + " items.");
  if (rules.max_items && a.value.size() > *rules.max_items)
    holds = violate(a, "maxItems", "The array has more than " + std::to_string(*rules.max_items) + " items.");
  if (rules.unique && !is_decided(holds)) holds = check_unique(a) && holds;
  if (!is_decided(holds)) holds = check_items(a) && holds;
  if (rules.contains != nullptr && !is_decided(holds)) holds = check_contains(a) && holds;
  return holds;
}

bool Evaluator::check_unique(const Application& a) {
  if (!are_unique(a.value.items(), steps_)) return violate(a, "uniqueItems", "Two items of the array are equal.");
  return steps_ <= kValidationStepsMax || give_up(a, "The value takes too much effort to validate.");
}

bool Evaluator::check_items(const Application& a) {
  const ArrayRules& rules = *a.node.arrays;
  bool holds = true;
  const size_t count = rules.rest != nullptr ? a.value.size() : std::min(rules.first.size(), a.value.size());
  for (size_t i = 0; i < count && !is_decided(holds); ++i) {
    const Node& node = i < rules.first.size() ? *rules.first[i] : *rules.rest;
    const Path path{a.path, nullptr, i};
    holds = apply(node, a.value.at(i), &path, a.scope, nullptr) && holds;
    if (a.marks != nullptr && rules.rest == nullptr) a.marks->mark(i);
  }
  if (a.marks != nullptr && rules.rest != nullptr) a.marks->mark_all();
  return holds;
}

bool Evaluator::check_contains(const Application& a) {
  const ArrayRules& rules = *a.node.arrays;
  uint64_t matches = 0;
  ++quiet_;
  for (size_t i = 0; i < a.value.size(); ++i) {
    const Path path{a.path, nullptr, i};
    if (!apply(*rules.contains, a.value.at(i), &path, a.scope, nullptr)) continue;
    ++matches;
    if (a.marks != nullptr && a.node.resource->dialect.draft != Draft::k7) a.marks->mark(i);
  }
  --quiet_;
  if (matches < rules.min_contains)
    return violate(a, rules.min_contains == 1 ? "contains" : "minContains",
                   "Fewer than " + std::to_string(rules.min_contains) + " items match the schema.");
  if (rules.max_contains && matches > *rules.max_contains)
    return violate(a, "maxContains", "More than " + std::to_string(*rules.max_contains) + " items match the schema.");
  return true;
}

}  // namespace pawl::schema::internal
