#include "schema/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl::schema::internal {

namespace {

constexpr size_t kDivisorDigitsMax = 18;                 // so that it fits
constexpr int64_t kExponentMax = 1'000'000'000'000'000;  // so that differences of two fit

// digits * 10^exponent, whatever the sign. Zero has no digits; else neither the first nor the last is a zero.
struct Decimal {
  std::string digits;
  int64_t exponent = 0;
};

// None where the exponent is out of all reason.
std::optional<Decimal> to_decimal(const json::Value& number) {
  const std::string text = number.number_text();
  Decimal decimal;
  const size_t end = std::min(text.find_first_of("eE"), text.size());
  if (end < text.size()) {
    const char* begin = text.data() + end + (text[end + 1] == '+' ? 2 : 1);
    const auto read = std::from_chars(begin, text.data() + text.size(), decimal.exponent);
    if (read.ec != std::errc() || decimal.exponent > kExponentMax || decimal.exponent < -kExponentMax)
      return std::nullopt;
  }
  bool is_behind_point = false;
  for (const char c : std::string_view(text).substr(0, end)) {
    if (c == '.') is_behind_point = true;
    if (c < '0' || c > '9') continue;
    if (is_behind_point) --decimal.exponent;
    if (c != '0' || !decimal.digits.empty()) decimal.digits += c;
  }
  for (; decimal.digits.ends_with('0'); ++decimal.exponent) decimal.digits.pop_back();
  return decimal;
}

// digits * 10^shift modulo a divisor.
uint64_t modulo(std::string_view digits, uint64_t shift, uint64_t divisor) {
  const auto multiply = [divisor](uint64_t a, uint64_t b, unsigned more) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(a) * b + more) % divisor);
  };
  uint64_t result = 0;
  for (const char c : digits) result = multiply(result, 10, static_cast<unsigned>(c - '0'));
  for (uint64_t power = 10 % divisor; shift > 0; shift /= 2, power = multiply(power, power, 0))
    if (shift % 2 == 1) result = multiply(result, power, 0);
  return result;
}

bool is_multiple_of(const Decimal& number, const Decimal& divisor) {
  if (number.digits.empty()) return true;
  // Digits that do not end in a zero have no power of ten to give.
  if (number.exponent < divisor.exponent) return false;
  uint64_t divisor_digits = 0;
  for (const char c : divisor.digits) divisor_digits = divisor_digits * 10 + static_cast<uint64_t>(c - '0');
  return modulo(number.digits, static_cast<uint64_t>(number.exponent - divisor.exponent), divisor_digits) == 0;
}

}  // namespace

bool is_integral(const json::Value& number) {
  if (number.is_int64()) return true;
  if (const auto decimal = to_decimal(number)) return decimal->digits.empty() || decimal->exponent >= 0;
  const double value = number.as_double();
  return std::floor(value) == value;
}

bool is_multiple(const json::Value& number, const json::Value& divisor) {
  if (number.is_int64() && divisor.is_int64() && *divisor.as_integer() > 0)
    return *number.as_integer() % *divisor.as_integer() == 0;
  const auto decimal = to_decimal(number);
  const auto decimal_divisor = to_decimal(divisor);
  if (decimal && decimal_divisor && !decimal_divisor->digits.empty() &&
      decimal_divisor->digits.size() <= kDivisorDigitsMax)
    return is_multiple_of(*decimal, *decimal_divisor);
  return std::fmod(number.as_double(), divisor.as_double()) == 0;
}

}  // namespace pawl::schema::internal
