// Builtins that order values: sort, group_by, unique_by, min_by, bsearch, …
#include <algorithm>
#include <bit>

#include "expr/jq/natives.h"
#include "expr/jq/order.h"

namespace pawl::jq::internal {

namespace {

// Whether a list can be ordered by its keys, of which there are as many; counts what that costs.
bool prepare(Context& context, const Value& list, const Value& keys, std::string_view what) {
  if (!list.is_array()) {
    context.raise(described(list) + " cannot be " + std::string(what) + ", as it is not an array");
    return false;
  }
  const auto rounds = static_cast<size_t>(std::bit_width(list.size()));  // in which each key is compared once
  return context.spend_steps(rounds * (list.size() + comparison_steps(keys, keys))) &&
         context.spend_bytes(2 * list.size() * sizeof(Value));
}

Value sorted(Context& context, const Value& list, const Value& keys) {
  if (!prepare(context, list, keys, "sorted")) return Value();
  json::ArrayBuilder items(list.size());
  for (const uint32_t number : sorted_order(keys.items())) items.push(list.at(number));
  return items.build();
}

Value grouped(Context& context, const Value& list, const Value& keys) {
  if (!prepare(context, list, keys, "grouped")) return Value();
  json::ArrayBuilder groups, group;
  const Value* key = nullptr;
  for (const uint32_t number : sorted_order(keys.items())) {
    if (key != nullptr && compare(*key, keys.at(number)) != 0)
      groups.push(std::exchange(group, json::ArrayBuilder()).build());
    key = &keys.at(number);
    group.push(list.at(number));
  }
  if (key != nullptr) groups.push(group.build());
  return context.built(groups.build());
}

Value unique(Context& context, const Value& list, const Value& keys) {
  if (!prepare(context, list, keys, "grouped")) return Value();
  json::ArrayBuilder items;
  const Value* key = nullptr;
  for (const uint32_t number : sorted_order(keys.items())) {
    const bool is_new = key == nullptr || compare(*key, keys.at(number)) != 0;
    key = &keys.at(number);
    if (is_new) items.push(list.at(number));
  }
  return items.build();
}

// Of equal ones the first is the least and the last the greatest.
Value extreme(Context& context, const Value& list, const Value& keys, bool greatest) {
  if (!list.is_array()) return context.raise("Cannot index " + std::string(type_name(list)) + " with number");
  if (!context.spend_steps(list.size() + comparison_steps(keys, keys))) return Value();
  size_t best = 0;
  for (size_t i = 1; i < list.size(); ++i) {
    const int order = compare(keys.at(i), keys.at(best));
    if (greatest ? order >= 0 : order < 0) best = i;
  }
  return list.size() == 0 ? Value() : list.at(best);
}

Value sort(Context& context, const Arguments& a) { return sorted(context, a.input(), a.input()); }
Value sort_by(Context& context, const Arguments& a) { return sorted(context, a.input(), a[1]); }
Value group_by(Context& context, const Arguments& a) { return grouped(context, a.input(), a[1]); }
Value unique_all(Context& context, const Arguments& a) { return unique(context, a.input(), a.input()); }
Value unique_by(Context& context, const Arguments& a) { return unique(context, a.input(), a[1]); }
Value min(Context& context, const Arguments& a) { return extreme(context, a.input(), a.input(), false); }
Value max(Context& context, const Arguments& a) { return extreme(context, a.input(), a.input(), true); }
Value min_by(Context& context, const Arguments& a) { return extreme(context, a.input(), a[1], false); }
Value max_by(Context& context, const Arguments& a) { return extreme(context, a.input(), a[1], true); }

// Where a value is in a sorted array, or -1 - where it would be.
Value bsearch(Context& context, const Arguments& a) {
  if (!a.input().is_array()) return context.raise(described(a.input()) + " cannot be searched from");
  const auto items = a.input().items();
  const auto rounds = static_cast<size_t>(std::bit_width(items.size()));
  if (!context.spend_steps(rounds * (1 + comparison_steps(a[1], a[1])))) return Value();
  const auto place =
      std::ranges::lower_bound(items, a[1], [](const Value& x, const Value& y) { return compare(x, y) < 0; });
  const auto number = static_cast<int64_t>(place - items.begin());
  return Value::integer(place != items.end() && compare(*place, a[1]) == 0 ? number : -1 - number);
}

constexpr Native kNatives[] = {
    {"sort", 0, sort},         {"_sort_by", 1, sort_by},     {"_group_by", 1, group_by},
    {"unique", 0, unique_all}, {"_unique_by", 1, unique_by}, {"min", 0, min},
    {"max", 0, max},           {"_min_by", 1, min_by},       {"_max_by", 1, max_by},
    {"bsearch", 1, bsearch},
};

}  // namespace

std::span<const Native> order_natives() { return kNatives; }

}  // namespace pawl::jq::internal
