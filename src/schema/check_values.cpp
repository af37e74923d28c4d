// Keywords for values as such, for numbers and for strings.
#include <algorithm>

#include "json/print.h"
#include "schema/evaluator.h"
#include "schema/numbers.h"

namespace pawl::schema::internal {

using json::Value;

namespace {

constexpr size_t kShownBytesMax = 64;  // of a value, in a sentence

TypeSet types_of(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      return kTypeNull;
    case Value::Kind::kBoolean:
      return kTypeBoolean;
    case Value::Kind::kNumber:
      return is_integral(value) ? kTypeInteger | kTypeNumber : kTypeNumber;
    case Value::Kind::kString:
      return kTypeString;
    case Value::Kind::kArray:
      return kTypeArray;
    case Value::Kind::kObject:
      break;
  }
  return kTypeObject;
}

const char* article_and_name(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      return "null";
    case Value::Kind::kBoolean:
      return "a boolean";
    case Value::Kind::kNumber:
      return "a number";
    case Value::Kind::kString:
      return "a string";
    case Value::Kind::kArray:
      return "an array";
    case Value::Kind::kObject:
      break;
  }
  return "an object";
}

std::string names_of(TypeSet types) {
  static constexpr std::pair<TypeSet, const char*> kNames[] = {
      {kTypeNull, "null"},       {kTypeBoolean, "a boolean"}, {kTypeInteger, "an integer"}, {kTypeNumber, "a number"},
      {kTypeString, "a string"}, {kTypeArray, "an array"},    {kTypeObject, "an object"}};
  std::string names;
  for (const auto& [type, name] : kNames)
    if ((types & type) != 0) names += (names.empty() ? "" : " or ") + std::string(name);
  return names;
}

std::string shown(const Value& value) {
  return value.json_size() <= kShownBytesMax ? json::print(value) : std::string("the one that is given");
}

size_t count_code_points(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

bool Evaluator::check_types(const Application& a) {
  if ((types_of(a.value) & a.node.types) != 0) return true;
  return violate(a, "type",
                 "The value is " + std::string(article_and_name(a.value)) + ", not " + names_of(a.node.types) + ".");
}

bool Evaluator::check_values(const Application& a) {
  if (a.node.constant != nullptr && a.value != *a.node.constant)
    return violate(a, "const", "The value is not " + shown(*a.node.constant) + ".");
  if (a.node.choices == nullptr) return true;
  const auto choices = a.node.choices->items();
  steps_ += choices.size() / 8;
  if (std::ranges::find(choices, a.value) != choices.end()) return true;
  return violate(a, "enum", "The value is none of " + shown(*a.node.choices) + ".");
}

bool Evaluator::check_numbers(const Application& a) {
  const NumberRules& rules = *a.node.numbers;
  bool holds = true;
  const auto check = [&](const Value* bound, bool is_kept, const char* keyword, const char* what) {
    if (bound != nullptr && !is_kept)
      holds = violate(a, keyword, std::string("The number is ") + what + shown(*bound) + ".");
  };
  const auto compare = [&](const Value* bound) {
    return bound == nullptr ? std::weak_ordering::equivalent : json::compare_numbers(a.value, *bound);
  };
  check(rules.minimum, compare(rules.minimum) >= 0, "minimum", "less than ");
  check(rules.maximum, compare(rules.maximum) <= 0, "maximum", "more than ");
  check(rules.exclusive_minimum, compare(rules.exclusive_minimum) > 0, "exclusiveMinimum", "not more than ");
  check(rules.exclusive_maximum, compare(rules.exclusive_maximum) < 0, "exclusiveMaximum", "not less than ");
  if (rules.multiple_of != nullptr)
    check(rules.multiple_of, is_multiple(a.value, *rules.multiple_of), "multipleOf", "no multiple of ");
  return holds;
}

bool Evaluator::check_strings(const Application& a) {
  const StringRules& rules = *a.node.strings;
  const std::string_view text = a.value.as_string();
  bool holds = true;
  if (rules.min_length || rules.max_length) {
    const size_t length = count_code_points(text);
    if (rules.min_length && length < *rules.min_length)
      holds = violate(a, "minLength", "The text has fewer than " + std::to_string(*rules.min_length) + " characters.");
    if (rules.max_length && length > *rules.max_length)
      holds = violate(a, "maxLength", "The text has more than " + std::to_string(*rules.max_length) + " characters.");
  }
  if (rules.pattern && !search(a, *rules.pattern, text, "pattern"))
    holds = violate(a, "pattern", "The text does not match the pattern.");
  return holds;
}

bool Evaluator::search(const Application& a, const Pattern& pattern, std::string_view text, const char* keyword) {
  steps_ += 1 + text.size() / 64;
  switch (pattern.search(text)) {
    case PatternOutcome::kMatch:
      return true;
    case PatternOutcome::kNoMatch:
      return false;
    case PatternOutcome::kTooMuchEffort:
      break;
  }
  return give_up(a, std::string("The regular expression of ") + keyword + " takes too much effort.");
}

}  // namespace pawl::schema::internal
