#include "lang/asl/choice_operator.h"

#include <algorithm>
#include <array>

namespace pawl::asl {

namespace {

using enum ChoiceSubject;
using enum ChoiceRelation;

constexpr std::array kOperators = {
    ChoiceOperator{"StringEquals", kString, kEquals},
    ChoiceOperator{"StringEqualsPath", kString, kEquals, true},
    ChoiceOperator{"StringLessThan", kString, kLessThan},
    ChoiceOperator{"StringLessThanPath", kString, kLessThan, true},
    ChoiceOperator{"StringGreaterThan", kString, kGreaterThan},
    ChoiceOperator{"StringGreaterThanPath", kString, kGreaterThan, true},
    ChoiceOperator{"StringLessThanEquals", kString, kLessThanEquals},
    ChoiceOperator{"StringLessThanEqualsPath", kString, kLessThanEquals, true},
    ChoiceOperator{"StringGreaterThanEquals", kString, kGreaterThanEquals},
    ChoiceOperator{"StringGreaterThanEqualsPath", kString, kGreaterThanEquals, true},
    ChoiceOperator{"StringMatches", kPattern},
    ChoiceOperator{"NumericEquals", kNumeric, kEquals},
    ChoiceOperator{"NumericEqualsPath", kNumeric, kEquals, true},
    ChoiceOperator{"NumericLessThan", kNumeric, kLessThan},
    ChoiceOperator{"NumericLessThanPath", kNumeric, kLessThan, true},
    ChoiceOperator{"NumericGreaterThan", kNumeric, kGreaterThan},
    ChoiceOperator{"NumericGreaterThanPath", kNumeric, kGreaterThan, true},
    ChoiceOperator{"NumericLessThanEquals", kNumeric, kLessThanEquals},
    ChoiceOperator{"NumericLessThanEqualsPath", kNumeric, kLessThanEquals, true},
    ChoiceOperator{"NumericGreaterThanEquals", kNumeric, kGreaterThanEquals},
    ChoiceOperator{"NumericGreaterThanEqualsPath", kNumeric, kGreaterThanEquals, true},
    ChoiceOperator{"BooleanEquals", kBoolean, kEquals},
    ChoiceOperator{"BooleanEqualsPath", kBoolean, kEquals, true},
    ChoiceOperator{"TimestampEquals", kTimestamp, kEquals},
    ChoiceOperator{"TimestampEqualsPath", kTimestamp, kEquals, true},
    ChoiceOperator{"TimestampLessThan", kTimestamp, kLessThan},
    ChoiceOperator{"TimestampLessThanPath", kTimestamp, kLessThan, true},
    ChoiceOperator{"TimestampGreaterThan", kTimestamp, kGreaterThan},
    ChoiceOperator{"TimestampGreaterThanPath", kTimestamp, kGreaterThan, true},
    ChoiceOperator{"TimestampLessThanEquals", kTimestamp, kLessThanEquals},
    ChoiceOperator{"TimestampLessThanEqualsPath", kTimestamp, kLessThanEquals, true},
    ChoiceOperator{"TimestampGreaterThanEquals", kTimestamp, kGreaterThanEquals},
    ChoiceOperator{"TimestampGreaterThanEqualsPath", kTimestamp, kGreaterThanEquals, true},
    ChoiceOperator{"IsNull", kIsNull},
    ChoiceOperator{"IsPresent", kIsPresent},
    ChoiceOperator{"IsNumeric", kIsNumeric},
    ChoiceOperator{"IsString", kIsString},
    ChoiceOperator{"IsBoolean", kIsBoolean},
    ChoiceOperator{"IsTimestamp", kIsTimestamp},
};
static_assert(kOperators.size() == 39);

}  // namespace

std::span<const ChoiceOperator> choice_operators() { return kOperators; }

const ChoiceOperator* find_choice_operator(std::string_view name) {
  const auto* found = std::ranges::find(kOperators, name, &ChoiceOperator::name);
  return found == kOperators.end() ? nullptr : found;
}

bool holds(ChoiceRelation relation, std::weak_ordering ordering) {
  switch (relation) {
    case kEquals:
      return ordering == 0;
    case kLessThan:
      return ordering < 0;
    case kGreaterThan:
      return ordering > 0;
    case kLessThanEquals:
      return ordering <= 0;
    case kGreaterThanEquals:
      return ordering >= 0;
  }
  return false;
}

}  // namespace pawl::asl
