// Decimal numbers as digits and a power of ten.
#include "expr/jsonpath/decimal.h"

#include <charconv>

#include "expr/jsonpath/cursor.h"

namespace pawl::jsonpath::internal {
namespace {

inline constexpr int64_t kExponentMax = 1'000'000'000;

// The value is ±digits · 10^-scale; digits have no leading zeros, and are "0" for zero.
struct Decimal {
  bool negative = false;
  std::string digits;
  int64_t scale = 0;
};

bool read_digits(std::string_view& text, std::string& out) {
  size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  out.append(text.substr(0, count));
  text.remove_prefix(count);
  return count > 0;
}

bool read_exponent(std::string_view text, int64_t& exponent) {
  if (text.empty()) return true;
  if (text[0] != 'e' && text[0] != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return false;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  return error == std::errc() && end == text.data() + text.size() && exponent <= kExponentMax &&
         exponent >= -kExponentMax;
}

std::optional<Decimal> read_decimal(std::string_view text) {
  Decimal decimal;
  decimal.negative = text.starts_with('-');
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  bool any = read_digits(text, decimal.digits);
  const size_t integral_digits = decimal.digits.size();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    any = read_digits(text, decimal.digits) || any;
  }
  int64_t exponent = 0;
  if (!any || !read_exponent(text, exponent)) return std::nullopt;
  decimal.scale = static_cast<int64_t>(decimal.digits.size() - integral_digits) - exponent;
  const size_t significant = decimal.digits.find_first_not_of('0');
  decimal.digits.erase(0, significant == std::string::npos ? decimal.digits.size() - 1 : significant);
  return decimal;
}

std::string plain_text(const Decimal& decimal) {
  const auto scale = static_cast<size_t>(decimal.scale);
  std::string digits = decimal.digits;
  if (scale == 0) return digits;
  if (digits.size() <= scale) digits.insert(0, scale - digits.size() + 1, '0');
  digits.insert(digits.size() - scale, ".");
  return digits;
}

std::string scientific_text(const Decimal& decimal, int64_t exponent) {
  std::string text = decimal.digits.substr(0, 1);
  if (decimal.digits.size() > 1) text += '.' + decimal.digits.substr(1);
  if (exponent != 0) text += (exponent > 0 ? "E+" : "E") + std::to_string(exponent);
  return text;
}

std::string text_of(const Decimal& decimal) {
  const bool zero = decimal.digits == "0";
  const std::string sign = decimal.negative && !zero ? "-" : "";
  const int64_t exponent = static_cast<int64_t>(decimal.digits.size()) - 1 - decimal.scale;
  if (decimal.scale >= 0 && exponent >= -6) return sign + plain_text(decimal);
  return sign + scientific_text(decimal, exponent);
}

}  // namespace

std::optional<json::Value> parse_decimal(std::string_view text) {
  const auto decimal = read_decimal(text);
  if (!decimal) return std::nullopt;
  return json::Value::number_literal(text_of(*decimal));
}

std::string decimal_text(const json::Value& number) {
  const auto decimal = read_decimal(number.number_text());
  return decimal ? text_of(*decimal) : number.number_text();
}

}  // namespace pawl::jsonpath::internal
