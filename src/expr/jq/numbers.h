// Numbers as jq computes with them: integers exact to 64 bits, everything else doubles; with NaN and the infinities,
// which JSON does not have.
//
// Inside an evaluation NaN and the infinities are number literals with the texts "nan", "inf" and "-inf". What leaves
// an evaluation is printable(): NaN becomes null, the infinities become the largest doubles, as jq prints them.
#pragma once

#include <optional>
#include <string>

#include "expr/jq/syntax.h"

namespace pawl::jq::internal {

Value number_of(double value);  // any double; integral ones below 10^17 become integers

bool is_nan(const Value& number);
bool is_special(const Value& value);  // NaN or an infinity
bool contains_special(const Value& value);
Value printable(const Value& value);  // without NaN and infinities

// The number as jq writes it into texts: literals as they were written, doubles with up to 17 digits.
std::string number_text(const Value& number);

// Arithmetic of two numbers. Integers stay exact; where 64 bits do not suffice, the result is a double.
Value add_numbers(const Value& a, const Value& b);
Value subtract_numbers(const Value& a, const Value& b);
Value multiply_numbers(const Value& a, const Value& b);
Value divide_numbers(const Value& a, const Value& b);                 // b is not zero
std::optional<Value> modulo_numbers(const Value& a, const Value& b);  // nothing where b is zero once truncated
Value negate_number(const Value& number);

// A number as an index: rounded down, and within 64 bits.
int64_t index_of(const Value& number);

// The number that a text is, as tonumber reads it.
std::optional<Value> number_from(std::string_view text);

}  // namespace pawl::jq::internal
