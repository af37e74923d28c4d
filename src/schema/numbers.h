// Questions about numbers that doubles answer wrongly. For schema/ only.
#pragma once

#include "json/value.h"

namespace pawl::schema::internal {

// Whether the number has no fraction, however it is written: 1.0, 1e400.
bool is_integral(const json::Value& number);

// Whether the number is a whole multiple of a divisor above zero. Exact for divisors of up to 18 digits, whatever the
// exponents; by doubles for longer ones.
bool is_multiple(const json::Value& number, const json::Value& divisor);

}  // namespace pawl::schema::internal
