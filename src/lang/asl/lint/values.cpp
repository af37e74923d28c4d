#include "lang/asl/lint/values.h"

#include <string>

#include "text/timestamp.h"

namespace pawl::asl {
namespace {

constexpr int64_t kSecondsMax = 99'999'999;

struct Range {
  int64_t low;
  int64_t high;
  bool integral;
  std::string_view words;
};

Range range_of(Kind kind) {
  if (kind == Kind::kPositiveSeconds) return {1, kSecondsMax, true, "an integer from 1 to 99999999"};
  if (kind == Kind::kSeconds) return {0, kSecondsMax, true, "an integer from 0 to 99999999"};
  if (kind == Kind::kCount) return {0, INT64_MAX, true, "an integer that is not negative"};
  if (kind == Kind::kPositive) return {1, INT64_MAX, true, "a positive integer"};
  if (kind == Kind::kPercentage) return {0, 100, false, "a number from 0 to 100"};
  return {1, INT64_MAX, false, "a number that is at least 1"};
}

bool within(const Range& range, const Value& value) {
  if (range.integral) {
    const std::optional<int64_t> number = value.as_integer();
    return number && *number >= range.low && *number <= range.high;
  }
  const double number = value.as_double();
  return number >= static_cast<double>(range.low) && number <= static_cast<double>(range.high);
}

void check_number(Kind kind, const Value& value, const Place& place, Context& context) {
  const Range range = range_of(kind);
  if (!value.is_number()) return report_type(place, range.words, context);
  if (within(range, value)) return;
  context.findings.report(Code::kNumberRange, place,
                          quoted(place.last_token()) + " must be " + std::string(range.words) + ".",
                          "Write " + std::string(range.words) + ".");
}

void check_timestamp(std::string_view text, const Place& place, Context& context) {
  if (text::parse_timestamp(text)) return;
  context.findings.report(Code::kTimestamp, place, "String does not match RFC3339 timestamp",
                          "Write a date and a time with an upper-case T, and Z or an offset: 2016-03-14T01:59:00Z.");
}

void check_jsonata_template(const Value& value, const Place& place, Context& context) {
  if (context.findings.full()) return;
  if (value.is_string()) return check_jsonata_form(value.as_string(), place, context);
  if (value.is_object())
    for (const json::Member& member : value.members())
      check_jsonata_template(member.value, Place(place, member.key.as_string()), context);
  if (value.is_array())
    for (size_t index = 0; index < value.size(); ++index)
      check_jsonata_template(value.at(index), Place(place, index), context);
}

// What a JSONata state may write as a {% … %} string in place of the value itself.
bool may_be_computed(Kind kind) {
  switch (kind) {
    case Kind::kTimestamp:
    case Kind::kPositiveSeconds:
    case Kind::kSeconds:
    case Kind::kCount:
    case Kind::kPositive:
    case Kind::kPercentage:
      return true;
    case Kind::kAny:
    case Kind::kString:
    case Kind::kBoolean:
    case Kind::kNumber:
    case Kind::kObject:
    case Kind::kArray:
    case Kind::kPath:
    case Kind::kResultPath:
    case Kind::kReferencePath:
    case Kind::kNumberPath:
    case Kind::kPathOrIntrinsic:
    case Kind::kTemplate:
    case Kind::kAssign:
    case Kind::kJsonataTemplate:
    case Kind::kRate:
      return false;
  }
  return false;
}

void check_text(Kind kind, const Value& value, const Place& place, Context& context) {
  if (value.is_null() && (kind == Kind::kPath || kind == Kind::kResultPath)) return;
  if (!value.is_string()) return report_type(place, "a string", context);
  const std::string_view text = value.as_string();
  if (kind == Kind::kTimestamp) return check_timestamp(text, place, context);
  if (kind == Kind::kPath) return check_path(text, place, context);
  if (kind == Kind::kPathOrIntrinsic) return check_path_or_intrinsic(text, place, context);
  if (kind != Kind::kString) check_reference_path(kind, text, place, context);
}

}  // namespace

bool is_jsonata(std::string_view text) { return text.size() >= 4 && text.starts_with("{%") && text.ends_with("%}"); }

void check_jsonata_form(std::string_view text, const Place& place, Context& context) {
  const bool opens = text.starts_with("{%");
  const bool closes = text.ends_with("%}");
  if ((!opens && !closes) || is_jsonata(text)) return;
  context.findings.report(Code::kJsonataSyntax, place, quoted(text) + " is no whole JSONata expression.",
                          "Begin the string with {% and end it with %}, without blanks outside of them.");
}

void report_type(const Place& place, std::string_view wanted, Context& context) {
  context.findings.report(Code::kFieldType, place, quoted(place.last_token()) + " must be " + std::string(wanted) + ".",
                          "Write " + std::string(wanted) + ".");
}

void check_value(Kind kind, const Value& value, const Place& place, Context& context) {
  const bool jsonata = context.language == Language::kJsonata;
  if (jsonata && may_be_computed(kind) && value.is_string() && is_jsonata(value.as_string())) return;
  switch (kind) {
    case Kind::kAny:
      return;
    case Kind::kBoolean:
      return value.is_boolean() ? void() : report_type(place, "true or false", context);
    case Kind::kNumber:
      return value.is_number() ? void() : report_type(place, "a number", context);
    case Kind::kObject:
      return value.is_object() ? void() : report_type(place, "an object", context);
    case Kind::kArray:
      return value.is_array() ? void() : report_type(place, "an array", context);
    case Kind::kTemplate:
      return jsonata ? check_jsonata_template(value, place, context) : check_template(value, place, context);
    case Kind::kAssign:
      check_assign(value, place, context);
      return jsonata ? check_jsonata_template(value, place, context) : check_template(value, place, context);
    case Kind::kJsonataTemplate:
      return check_jsonata_template(value, place, context);
    case Kind::kString:
    case Kind::kPath:
    case Kind::kResultPath:
    case Kind::kReferencePath:
    case Kind::kNumberPath:
    case Kind::kPathOrIntrinsic:
    case Kind::kTimestamp:
      return check_text(kind, value, place, context);
    case Kind::kPositiveSeconds:
    case Kind::kSeconds:
    case Kind::kCount:
    case Kind::kPositive:
    case Kind::kPercentage:
    case Kind::kRate:
      return check_number(kind, value, place, context);
  }
}

}  // namespace pawl::asl
