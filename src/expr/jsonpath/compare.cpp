// Equality, order and the list operators, by the rules of each family of dialects.
#include "expr/jsonpath/compare.h"

#include <algorithm>
#include <string_view>

#include "expr/jsonpath/decimal.h"

namespace pawl::jsonpath::internal {
namespace {

inline constexpr uint64_t kBytesPerCharge = 1024;  // compared bytes that cost as much as one value

Verdict verdict(bool holds) { return holds ? Verdict::kTrue : Verdict::kFalse; }
Verdict negated(Verdict value) {
  if (value == Verdict::kReject) return value;
  return verdict(value == Verdict::kFalse);
}

bool both_numbers(const Value* left, const Value* right) {
  return left != nullptr && right != nullptr && left->is_number() && right->is_number();
}
bool both_strings(const Value* left, const Value* right) {
  return left != nullptr && right != nullptr && left->is_string() && right->is_string();
}

bool is_less(const Value* left, const Value* right) {
  if (both_numbers(left, right)) return json::compare_numbers(*left, *right) < 0;
  return both_strings(left, right) && left->as_string() < right->as_string();
}

bool is_less_or_equal(const Value* left, const Value* right) {
  if (both_numbers(left, right)) return json::compare_numbers(*left, *right) <= 0;
  return both_strings(left, right) && left->as_string() <= right->as_string();
}

bool number_equals_text(const Value& number, const Value& text) {
  const auto parsed = parse_decimal(text.as_string());
  return parsed && json::compare_numbers(number, *parsed) == 0;
}

bool jayway_equal(const Value* left, const Value* right) {
  if (left == nullptr || right == nullptr) return false;
  if (left->is_number() && right->is_string()) return number_equals_text(*left, *right);
  if (left->is_string() && right->is_number()) return left->as_string() == decimal_text(*right);
  return *left == *right;
}

bool same_type(const Value* left, const Value* right) {
  if (left == nullptr || right == nullptr) return left == right;
  const auto is_json = [](const Value& value) { return value.is_array() || value.is_object(); };
  return left->kind() == right->kind() || (is_json(*left) && is_json(*right));
}

bool contains_item(const Value& list, const Value* item) {
  const auto items = list.items();
  return std::any_of(items.begin(), items.end(), [&](const Value& each) { return jayway_equal(item, &each); });
}

// A list operator needs lists: what is JSON but no list makes it false, what is no JSON at all rejects the item.
bool is_json(const Value* value) { return value != nullptr && (value->is_array() || value->is_object()); }

Verdict is_in(const Value* left, const Value* right) {
  if (!is_json(right)) return Verdict::kReject;
  return verdict(right->is_array() && contains_item(*right, left));
}

Verdict contains(const Value* left, const Value* right) {
  if (both_strings(left, right)) return verdict(left->as_string().find(right->as_string()) != std::string_view::npos);
  return verdict(left != nullptr && left->is_array() && contains_item(*left, right));
}

bool all_in(const Value& items, const Value& list) {
  const auto each = items.items();
  return std::all_of(each.begin(), each.end(), [&](const Value& item) { return contains_item(list, &item); });
}

bool any_in(const Value& items, const Value& list) {
  const auto each = items.items();
  return std::any_of(each.begin(), each.end(), [&](const Value& item) { return contains_item(list, &item); });
}

Verdict compare_lists(Comparison comparison, const Value* left, const Value* right) {
  if (!is_json(left) || !is_json(right)) return Verdict::kReject;
  if (!left->is_array() || !right->is_array()) return Verdict::kFalse;
  if (comparison == Comparison::kSubsetOf) return verdict(all_in(*left, *right));
  if (comparison == Comparison::kAll) return verdict(all_in(*right, *left));
  return verdict(any_in(*left, *right) == (comparison == Comparison::kAnyOf));
}

// In UTF-16 units, as Java counts.
int64_t utf16_length(std::string_view text) {
  int64_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xC0) != 0x80;
    units += byte >= 0xF0;
  }
  return units;
}

Verdict has_size(const Value* left, const Value* right) {
  if (left == nullptr || right == nullptr || !right->is_number()) return Verdict::kFalse;
  const auto expected = right->as_integer();
  if (left->is_string()) return verdict(expected == utf16_length(left->as_string()));
  return verdict(left->is_array() && expected == static_cast<int64_t>(left->size()));
}

Verdict is_empty(const Value* left, const Value* right) {
  const bool sizable = left != nullptr && (left->is_string() || is_json(left));
  if (!sizable) return Verdict::kFalse;
  if (right == nullptr || !right->is_boolean()) return Verdict::kReject;
  const bool empty = left->is_string() ? left->as_string().empty() : left->size() == 0;
  return verdict(empty == right->as_boolean());
}

}  // namespace

bool compare_rfc(Comparison comparison, const Value* left, const Value* right) {
  const auto equal = [&] {
    if (left == nullptr || right == nullptr) return left == right;
    return *left == *right;
  };
  switch (comparison) {
    case Comparison::kEqual:
      return equal();
    case Comparison::kNotEqual:
      return !equal();
    case Comparison::kLess:
      return is_less(left, right);
    case Comparison::kLessOrEqual:
      return is_less(left, right) || equal();
    case Comparison::kGreater:
      return is_less(right, left);
    case Comparison::kGreaterOrEqual:
      return is_less(right, left) || equal();
    case Comparison::kSameTypeEqual:
    case Comparison::kSameTypeNotEqual:
    case Comparison::kMatches:
    case Comparison::kIn:
    case Comparison::kNotIn:
    case Comparison::kContains:
    case Comparison::kAll:
    case Comparison::kSize:
    case Comparison::kEmpty:
    case Comparison::kSubsetOf:
    case Comparison::kAnyOf:
    case Comparison::kNoneOf:
      return false;
  }
  return false;
}

Verdict compare_jayway(Comparison comparison, const Value* left, const Value* right) {
  switch (comparison) {
    case Comparison::kEqual:
      return verdict(jayway_equal(left, right));
    case Comparison::kNotEqual:
      return verdict(!jayway_equal(left, right));
    case Comparison::kSameTypeEqual:
      return verdict(same_type(left, right) && jayway_equal(left, right));
    case Comparison::kSameTypeNotEqual:
      return verdict(!same_type(left, right) || !jayway_equal(left, right));
    case Comparison::kLess:
      return verdict(is_less(left, right));
    case Comparison::kLessOrEqual:
      return verdict(is_less_or_equal(left, right));
    case Comparison::kGreater:
      return verdict(is_less(right, left));
    case Comparison::kGreaterOrEqual:
      return verdict(is_less_or_equal(right, left));
    case Comparison::kIn:
      return is_in(left, right);
    case Comparison::kNotIn:
      return negated(is_in(left, right));
    case Comparison::kContains:
      return contains(left, right);
    case Comparison::kSubsetOf:
    case Comparison::kAnyOf:
    case Comparison::kNoneOf:
    case Comparison::kAll:
      return compare_lists(comparison, left, right);
    case Comparison::kSize:
      return has_size(left, right);
    case Comparison::kEmpty:
      return is_empty(left, right);
    case Comparison::kMatches:
      return Verdict::kFalse;
  }
  return Verdict::kFalse;
}

uint64_t comparison_cost(Comparison comparison, const Value* left, const Value* right) {
  if (left == nullptr || right == nullptr) return 1;
  switch (comparison) {
    case Comparison::kIn:
    case Comparison::kNotIn:
      return 1 + right->size();
    case Comparison::kContains:
      if (both_strings(left, right)) return 1 + left->as_string().size() * right->as_string().size() / kBytesPerCharge;
      return 1 + left->size();
    case Comparison::kSubsetOf:
    case Comparison::kAnyOf:
    case Comparison::kNoneOf:
    case Comparison::kAll:
      return 1 + static_cast<uint64_t>(left->size()) * right->size();
    case Comparison::kEqual:
    case Comparison::kNotEqual:
    case Comparison::kSameTypeEqual:
    case Comparison::kSameTypeNotEqual:
    case Comparison::kLess:
    case Comparison::kLessOrEqual:
    case Comparison::kGreater:
    case Comparison::kGreaterOrEqual:
    case Comparison::kMatches:
    case Comparison::kSize:
    case Comparison::kEmpty:
      return 1;
  }
  return 1;
}

}  // namespace pawl::jsonpath::internal
