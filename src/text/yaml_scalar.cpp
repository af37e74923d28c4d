#include "text/yaml_scalar.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace pawl::text {

namespace {

using json::Value;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_null(std::string_view text) { return is_one_of(text, {"", "~", "null", "Null", "NULL"}); }
bool is_true(std::string_view text) { return is_one_of(text, {"true", "True", "TRUE"}); }
bool is_false(std::string_view text) { return is_one_of(text, {"false", "False", "FALSE"}); }

bool is_not_finite(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return is_one_of(text, {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"});
}

size_t count_digits(std::string_view text) {
  const size_t digits = text.find_first_not_of("0123456789");
  return digits == std::string_view::npos ? text.size() : digits;
}

// A decimal number in YAML's spelling, taken apart.
struct Decimal {
  bool is_negative = false;
  std::string_view whole;     // may be empty where there is a fraction
  std::string_view fraction;  // without the point
  bool has_point = false;
  std::string_view exponent;  // with its letter and sign
};

std::optional<std::string_view> split_exponent(std::string_view text) {
  if (text.empty()) return text;
  std::string_view digits = text.substr(1);
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  if (digits.starts_with('+') || digits.starts_with('-')) digits.remove_prefix(1);
  if (digits.empty() || count_digits(digits) != digits.size()) return std::nullopt;
  return text;
}

std::optional<Decimal> split_decimal(std::string_view text) {
  Decimal decimal;
  decimal.is_negative = text.starts_with('-');
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  decimal.whole = text.substr(0, count_digits(text));
  text.remove_prefix(decimal.whole.size());
  if (text.starts_with('.')) {
    decimal.has_point = true;
    text.remove_prefix(1);
    decimal.fraction = text.substr(0, count_digits(text));
    text.remove_prefix(decimal.fraction.size());
  }
  if (decimal.whole.empty() && decimal.fraction.empty()) return std::nullopt;
  const auto exponent = split_exponent(text);
  if (!exponent) return std::nullopt;
  decimal.exponent = *exponent;
  return decimal;
}

bool is_integer(const Decimal& decimal) { return !decimal.has_point && decimal.exponent.empty(); }

// The JSON spelling that changes least: no plus sign, no superfluous zeros in front, digits on both sides of a point.
Value to_number(const Decimal& decimal) {
  std::string text = decimal.is_negative ? "-" : "";
  const size_t first = std::min(decimal.whole.find_first_not_of('0'), decimal.whole.size());
  const std::string_view whole = decimal.whole.substr(first);
  text.append(whole.empty() ? "0" : whole);
  if (decimal.has_point) text.append(".").append(decimal.fraction.empty() ? "0" : decimal.fraction);
  text.append(decimal.exponent);
  return Value::number_literal(text);
}

struct Radix {
  int base = 0;
  std::string_view digits;
};

std::optional<Radix> split_radix(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0o")) return std::nullopt;
  const Radix radix{text[1] == 'x' ? 16 : 8, text.substr(2)};
  const std::string_view alphabet = radix.base == 16 ? "0123456789abcdefABCDEF" : "01234567";
  if (radix.digits.empty() || radix.digits.find_first_not_of(alphabet) != std::string_view::npos) return std::nullopt;
  return radix;
}

std::optional<Value> to_number(const Radix& radix) {
  uint64_t number = 0;
  const char* const end = radix.digits.data() + radix.digits.size();
  const auto [stopped, error] = std::from_chars(radix.digits.data(), end, number, radix.base);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return Value::number_literal(std::to_string(number));
}

std::optional<Value> resolve_number(std::string_view text, bool must_be_integer) {
  if (const auto radix = split_radix(text)) return to_number(*radix);
  const auto decimal = split_decimal(text);
  if (!decimal || (must_be_integer && !is_integer(*decimal))) return std::nullopt;
  return to_number(*decimal);
}

}  // namespace

std::optional<Value> resolve_plain_scalar(std::string_view text) {
  if (is_null(text)) return Value::null();
  if (is_true(text)) return Value::boolean(true);
  if (is_false(text)) return Value::boolean(false);
  if (is_not_finite(text)) return std::nullopt;
  if (const auto radix = split_radix(text)) return to_number(*radix);
  if (const auto decimal = split_decimal(text)) return to_number(*decimal);
  return Value::string(text);
}

std::optional<Value> resolve_tagged_scalar(YamlTag tag, std::string_view text) {
  switch (tag) {
    case YamlTag::kNone:
    case YamlTag::kString:
      return Value::string(text);
    case YamlTag::kInteger:
      return resolve_number(text, true);
    case YamlTag::kFloat:
      return resolve_number(text, false);
    case YamlTag::kBoolean:
      return is_true(text) || is_false(text) ? std::optional(Value::boolean(is_true(text))) : std::nullopt;
    case YamlTag::kNull:
      return is_null(text) ? std::optional(Value::null()) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace pawl::text
