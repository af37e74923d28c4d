// The comparison operators of Choice Rules, by name. For the asl module only.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string_view>

namespace pawl::asl {

// What an operator asks of the variable.
enum class ChoiceSubject : uint8_t {
  kString,
  kNumeric,
  kBoolean,
  kTimestamp,
  kPattern,  // StringMatches
  kIsNull,
  kIsPresent,
  kIsNumeric,
  kIsString,
  kIsBoolean,
  kIsTimestamp,
};

enum class ChoiceRelation : uint8_t { kEquals, kLessThan, kGreaterThan, kLessThanEquals, kGreaterThanEquals };

struct ChoiceOperator {
  std::string_view name;
  ChoiceSubject subject;
  ChoiceRelation relation = ChoiceRelation::kEquals;
  bool compares_with_path = false;
};

std::span<const ChoiceOperator> choice_operators();

// Null where there is none of that name.
const ChoiceOperator* find_choice_operator(std::string_view name);

bool holds(ChoiceRelation relation, std::weak_ordering ordering);

}  // namespace pawl::asl
