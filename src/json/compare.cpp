// Equality and order of values.
#include <algorithm>
#include <vector>

#include "json/build.h"
#include "json/value.h"

namespace pawl::json {

namespace {

bool is_integer_literal(std::string_view literal) { return literal.find_first_of(".eE") == std::string_view::npos; }

std::weak_ordering compare_magnitudes(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return a.size() <=> b.size();  // JSON has no leading zeros
  return a <=> b;
}

std::weak_ordering compare_integer_literals(std::string_view a, std::string_view b) {
  const bool a_is_negative = a.starts_with('-');
  const bool b_is_negative = b.starts_with('-');
  if (a_is_negative != b_is_negative) return a_is_negative ? std::weak_ordering::less : std::weak_ordering::greater;
  return a_is_negative ? compare_magnitudes(b, a) : compare_magnitudes(a, b);
}

std::weak_ordering compare_doubles(double a, double b) {
  if (a < b) return std::weak_ordering::less;
  return a > b ? std::weak_ordering::greater : std::weak_ordering::equivalent;
}

// Compares values without recursion: what still has to be equal waits in a list.
class Comparison {
 public:
  bool equal(const Value& a, const Value& b) {
    bool is_equal = check(a, b);
    while (is_equal && !waiting_.empty()) {
      const auto [left, right] = waiting_.back();
      waiting_.pop_back();
      is_equal = left->is_array() ? check_items(left->items(), right->items()) : check_members(*left, *right);
    }
    return is_equal;
  }

 private:
  bool check(const Value& a, const Value& b) {
    if (a.same_node(b)) return true;
    if (a.kind() != b.kind()) return false;
    switch (a.kind()) {
      case Value::Kind::kNull:
        return true;
      case Value::Kind::kBoolean:
        return a.as_boolean() == b.as_boolean();
      case Value::Kind::kNumber:
        return compare_numbers(a, b) == 0;
      case Value::Kind::kString:
        return ValueAccess::tag(a) == ValueAccess::tag(b) && a.as_string() == b.as_string();
      case Value::Kind::kArray:
      case Value::Kind::kObject:
        break;
    }
    if (a.size() != b.size()) return false;
    waiting_.emplace_back(&a, &b);
    return true;
  }

  bool check_items(std::span<const Value> a, std::span<const Value> b) {
    return std::equal(a.begin(), a.end(), b.begin(), [this](const Value& x, const Value& y) { return check(x, y); });
  }

  // Most often the members stand in the same order.
  bool check_members(const Value& a, const Value& b) {
    for (size_t i = 0; i < a.size(); ++i) {
      const Member& left = a.members()[i];
      const Member& same_place = b.members()[i];
      const Value* right =
          ValueAccess::equal_strings(left.key, same_place.key) ? &same_place.value : b.find(left.key.as_string());
      if (right == nullptr || !check(left.value, *right)) return false;
    }
    return true;
  }

  std::vector<std::pair<const Value*, const Value*>> waiting_;
};

}  // namespace

bool Value::same_node(const Value& other) const noexcept {
  if (tag_ != other.tag_) return false;
  if (on_heap()) return node_ == other.node_;
  if (tag_ == Tag::kDouble) return double_ == other.double_;
  return raw_.word[0] == other.raw_.word[0] && raw_.word[1] == other.raw_.word[1];
}

std::weak_ordering compare_numbers(const Value& a, const Value& b) {
  const auto exact_a = a.as_integer();
  const auto exact_b = b.as_integer();
  if (exact_a && exact_b) return *exact_a <=> *exact_b;
  const double x = a.as_double();
  const double y = b.as_double();
  if (x != y) return compare_doubles(x, y);
  const std::string text_a = a.number_text();
  const std::string text_b = b.number_text();
  const bool are_integers = is_integer_literal(text_a) && is_integer_literal(text_b);
  return are_integers ? compare_integer_literals(text_a, text_b) : std::weak_ordering::equivalent;
}

bool operator==(const Value& a, const Value& b) { return Comparison().equal(a, b); }

}  // namespace pawl::json
