#include "expr/jq/numbers.h"

#include <cfloat>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "json/parse.h"

namespace pawl::jq::internal {

namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kPrintedIntegerMax = 1e17;  // from here on jq prints an exponent

// C's conversion, without what is undefined there.
int64_t truncate(double value) {
  if (std::isnan(value)) return 0;
  if (value >= kTwoTo63) return std::numeric_limits<int64_t>::max();
  if (value < -kTwoTo63) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

// A computed double. `digits` come from the shortest text that reads back.
std::string text_of(double value) {
  char buffer[40];
  const char* end = std::to_chars(buffer, buffer + sizeof buffer, std::abs(value), std::chars_format::scientific).ptr;
  std::string digits;
  const char* at = buffer;
  for (; *at != 'e'; ++at)
    if (*at != '.') digits.push_back(*at);
  const int point = std::atoi(std::string(at + 1, end).c_str()) + 1;  // digits before the decimal point
  const int count = static_cast<int>(digits.size());
  std::string text = value < 0 ? "-" : "";
  if (point <= -4 || point > count + 15) return text + std::string(static_cast<const char*>(buffer), end);
  if (point <= 0) return text + "0." + std::string(static_cast<size_t>(-point), '0') + digits;
  if (point >= count) return text + digits + std::string(static_cast<size_t>(point - count), '0');
  return text + digits.substr(0, static_cast<size_t>(point)) + "." + digits.substr(static_cast<size_t>(point));
}

template <typename Exact, typename Rounded>
Value compute(const Value& a, const Value& b, Exact exact, Rounded rounded) {
  const auto x = a.as_integer();
  const auto y = x ? b.as_integer() : std::nullopt;
  int64_t result = 0;
  if (x && y && !exact(*x, *y, &result)) return Value::integer(result);
  return number_of(rounded(a.as_double(), b.as_double()));
}

}  // namespace

Value number_of(double value) {
  if (std::isnan(value)) return Value::number_literal("nan");
  if (std::isinf(value)) return Value::number_literal(value > 0 ? "inf" : "-inf");
  if (value == std::floor(value) && std::abs(value) < kPrintedIntegerMax && !(value == 0 && std::signbit(value)))
    return Value::integer(static_cast<int64_t>(value));
  return Value::real(value);
}

bool is_nan(const Value& number) { return !number.is_int64() && std::isnan(number.as_double()); }

bool is_special(const Value& value) {
  if (!value.is_number() || value.is_int64() || value.is_computed_double()) return false;
  return value.number_text().find_first_of("in") != std::string::npos;
}

bool contains_special(const Value& value) {
  std::vector<const Value*> waiting = {&value};
  while (!waiting.empty()) {
    const Value& next = *waiting.back();
    waiting.pop_back();
    if (next.is_array())
      for (const Value& item : next.items()) waiting.push_back(&item);
    else if (next.is_object())
      for (const json::Member& member : next.members()) waiting.push_back(&member.value);
    else if (is_special(next))
      return true;
  }
  return false;
}

Value printable(const Value& value) {
  if (is_special(value)) {
    if (is_nan(value)) return Value();
    return Value::real(value.as_double() > 0 ? DBL_MAX : -DBL_MAX);
  }
  if (value.is_array()) {
    json::ArrayBuilder items(value.size());
    for (const Value& item : value.items()) items.push(printable(item));
    return items.build();
  }
  if (!value.is_object()) return value;
  json::ObjectBuilder members(value.size());
  for (const json::Member& member : value.members()) members.set(member.key, printable(member.value));
  return members.build();
}

std::string number_text(const Value& number) {
  if (number.is_computed_double()) return text_of(number.as_double());
  if (!is_special(number)) return number.number_text();
  return is_nan(number) ? "null" : text_of(number.as_double() > 0 ? DBL_MAX : -DBL_MAX);
}

Value add_numbers(const Value& a, const Value& b) {
  return compute(
      a, b, [](int64_t x, int64_t y, int64_t* sum) { return __builtin_add_overflow(x, y, sum); },
      [](double x, double y) { return x + y; });
}

Value subtract_numbers(const Value& a, const Value& b) {
  return compute(
      a, b, [](int64_t x, int64_t y, int64_t* difference) { return __builtin_sub_overflow(x, y, difference); },
      [](double x, double y) { return x - y; });
}

Value multiply_numbers(const Value& a, const Value& b) {
  return compute(
      a, b, [](int64_t x, int64_t y, int64_t* product) { return __builtin_mul_overflow(x, y, product); },
      [](double x, double y) { return x * y; });
}

Value divide_numbers(const Value& a, const Value& b) {
  const auto divide_exactly = [](int64_t x, int64_t y, int64_t* quotient) {
    if (y == -1) return __builtin_sub_overflow(int64_t{0}, x, quotient);
    *quotient = x / y;
    return x % y != 0;
  };
  return compute(a, b, divide_exactly, [](double x, double y) { return x / y; });
}

std::optional<Value> modulo_numbers(const Value& a, const Value& b) {
  if (is_nan(a) || is_nan(b)) return number_of(std::nan(""));
  const int64_t x = a.is_int64() ? *a.as_integer() : truncate(a.as_double());
  const int64_t y = b.is_int64() ? *b.as_integer() : truncate(b.as_double());
  if (y == 0) return std::nullopt;
  return Value::integer(y == -1 ? 0 : x % y);
}

Value negate_number(const Value& number) {
  if (number.is_int64() && *number.as_integer() == 0) return number;
  return subtract_numbers(Value::integer(0), number);
}

int64_t index_of(const Value& number) {
  if (number.is_int64()) return *number.as_integer();
  return truncate(std::floor(number.as_double()));
}

std::optional<Value> number_from(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return std::nullopt;
  text = text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
  if (text == "nan") return number_of(std::nan(""));
  const char begin = text.starts_with('-') && text.size() > 1 ? text[1] : text[0];
  if (begin < '0' || begin > '9') return std::nullopt;
  auto parsed = json::parse(text);
  if (!parsed || !parsed->is_number()) return std::nullopt;
  return *std::move(parsed);
}

}  // namespace pawl::jq::internal
