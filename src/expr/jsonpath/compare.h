// The comparisons of filters, on values. A null pointer stands for "the path led nowhere".
#pragma once

#include <cstdint>

#include "expr/jsonpath/program.h"

namespace pawl::jsonpath::internal {

// RFC 9535, 2.3.5.2.2: nothing equals nothing, and only numbers and strings have an order.
bool compare_rfc(Comparison comparison, const Value* left, const Value* right);

enum class Verdict : uint8_t { kFalse, kTrue, kReject };

// Jayway 2.9: a number equals a string that reads as it; a missing path equals nothing, not even another one. kReject
// where the operator cannot work with the operand's type: the whole filter then leaves the item out. Not for kMatches.
Verdict compare_jayway(Comparison comparison, const Value* left, const Value* right);

// How many values a comparison may have to look at.
uint64_t comparison_cost(Comparison comparison, const Value* left, const Value* right);

}  // namespace pawl::jsonpath::internal
