// States.MathAdd, States.MathRandom and States.UUID.
#include <cmath>
#include <string>

#include "expr/intrinsic/functions.h"

namespace pawl::intrinsic::internal {

namespace {

// To the nearest integer, halves up: 1.5 -> 2, -1.5 -> -1. That is AWS's behaviour (Java's Math.round).
std::optional<int64_t> rounded_integer(const Value& value) {
  if (!value.is_number()) return std::nullopt;
  if (const auto integer = value.as_integer()) return integer;
  const double exact = value.as_double();
  const double below = std::floor(exact);
  const double rounded = exact - below >= 0.5 ? below + 1 : below;
  if (!(rounded >= -0x1p63 && rounded < 0x1p63)) return std::nullopt;
  return static_cast<int64_t>(rounded);
}

// A number below the bound, by the high half of a 128-bit product: no division, and a bias below 2^-64 times the bound.
uint64_t below(uint64_t bound, Random& random) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(random.next()) * bound) >> 64);
}

}  // namespace

Result<Value> math_add(Arguments arguments, Random& /*random*/) {
  const auto left = rounded_integer(arguments[0]), right = rounded_integer(arguments[1]);
  if (!left || !right) return refuse("States.MathAdd", "Both arguments must be numbers of at most 64 bits.");
  int64_t sum = 0;
  if (__builtin_add_overflow(*left, *right, &sum))
    return refuse("States.MathAdd", "The sum is outside the 64-bit integers.");
  return Value::integer(sum);
}

// From the start, to below the end. A seed makes a generator of its own, so that the same seed gives the same number.
Result<Value> math_random(Arguments arguments, Random& random) {
  const auto start = truncated_integer(arguments[0]), end = truncated_integer(arguments[1]);
  if (!start || !end) return refuse("States.MathRandom", "The start and the end must be integers.");
  if (*start >= *end) return refuse("States.MathRandom", "The start must be below the end.");
  const uint64_t range = static_cast<uint64_t>(*end) - static_cast<uint64_t>(*start);
  uint64_t drawn = 0;
  if (arguments.size() == 3) {
    const auto seed = truncated_integer(arguments[2]);
    if (!seed) return refuse("States.MathRandom", "The seed must be an integer.");
    SeededRandom seeded(static_cast<uint64_t>(*seed));
    drawn = below(range, seeded);
  } else {
    drawn = below(range, random);
  }
  return Value::integer(static_cast<int64_t>(static_cast<uint64_t>(*start) + drawn));
}

// Version 4 (RFC 9562): 122 random bits, and six that name version and variant.
Result<Value> uuid(Arguments /*arguments*/, Random& random) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  const uint64_t high = (random.next() & 0xFFFF'FFFF'FFFF'0FFF) | 0x0000'0000'0000'4000;
  const uint64_t low = (random.next() & 0x3FFF'FFFF'FFFF'FFFF) | 0x8000'0000'0000'0000;
  std::string text;
  text.reserve(36);
  for (int digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) text += '-';
    const uint64_t half = digit < 16 ? high : low;
    text += kDigits[(half >> (60 - 4 * (digit % 16))) & 0xF];
  }
  return Value::string(text);
}

}  // namespace pawl::intrinsic::internal
