// Choice Rules: data-test expressions (one of 39 operators), And, Or, Not, and JSONata conditions.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "lang/asl/lint/objects.h"
#include "lang/asl/lint/rules.h"
#include "lang/asl/lint/values.h"
#include "text/timestamp.h"

namespace pawl::asl {
namespace {

enum class Operand : uint8_t { kString, kNumber, kBoolean, kTimestamp, kPath, kRules, kRule };

struct Operator {
  std::string_view name;
  Operand operand;
};

constexpr std::array kOperators = {
    Operator{"And", Operand::kRules},
    Operator{"Or", Operand::kRules},
    Operator{"Not", Operand::kRule},
    Operator{"StringEquals", Operand::kString},
    Operator{"StringEqualsPath", Operand::kPath},
    Operator{"StringLessThan", Operand::kString},
    Operator{"StringLessThanPath", Operand::kPath},
    Operator{"StringGreaterThan", Operand::kString},
    Operator{"StringGreaterThanPath", Operand::kPath},
    Operator{"StringLessThanEquals", Operand::kString},
    Operator{"StringLessThanEqualsPath", Operand::kPath},
    Operator{"StringGreaterThanEquals", Operand::kString},
    Operator{"StringGreaterThanEqualsPath", Operand::kPath},
    Operator{"StringMatches", Operand::kString},
    Operator{"NumericEquals", Operand::kNumber},
    Operator{"NumericEqualsPath", Operand::kPath},
    Operator{"NumericLessThan", Operand::kNumber},
    Operator{"NumericLessThanPath", Operand::kPath},
    Operator{"NumericGreaterThan", Operand::kNumber},
    Operator{"NumericGreaterThanPath", Operand::kPath},
    Operator{"NumericLessThanEquals", Operand::kNumber},
    Operator{"NumericLessThanEqualsPath", Operand::kPath},
    Operator{"NumericGreaterThanEquals", Operand::kNumber},
    Operator{"NumericGreaterThanEqualsPath", Operand::kPath},
    Operator{"BooleanEquals", Operand::kBoolean},
    Operator{"BooleanEqualsPath", Operand::kPath},
    Operator{"TimestampEquals", Operand::kTimestamp},
    Operator{"TimestampEqualsPath", Operand::kPath},
    Operator{"TimestampLessThan", Operand::kTimestamp},
    Operator{"TimestampLessThanPath", Operand::kPath},
    Operator{"TimestampGreaterThan", Operand::kTimestamp},
    Operator{"TimestampGreaterThanPath", Operand::kPath},
    Operator{"TimestampLessThanEquals", Operand::kTimestamp},
    Operator{"TimestampLessThanEqualsPath", Operand::kPath},
    Operator{"TimestampGreaterThanEquals", Operand::kTimestamp},
    Operator{"TimestampGreaterThanEqualsPath", Operand::kPath},
    Operator{"IsNull", Operand::kBoolean},
    Operator{"IsPresent", Operand::kBoolean},
    Operator{"IsNumeric", Operand::kBoolean},
    Operator{"IsString", Operand::kBoolean},
    Operator{"IsBoolean", Operand::kBoolean},
    Operator{"IsTimestamp", Operand::kBoolean},
};

const Operator* find_operator(std::string_view name) {
  const auto found = std::ranges::find(kOperators, name, &Operator::name);
  return found == kOperators.end() ? nullptr : &*found;
}

enum class Level : uint8_t { kTop, kNested };

void check_rule(const Value& rule, Level level, const Place& place, Context& context);

void check_rules(const Value& rules, const Place& place, Context& context) {
  if (!rules.is_array()) return report_type(place, "an array of rules", context);
  if (rules.size() == 0) return context.findings.report(Code::kEmpty, place, "Value cannot be empty", "Add a rule.");
  for (size_t index = 0; index < rules.size(); ++index)
    check_rule(rules.at(index), Level::kNested, Place(place, index), context);
}

void check_operand(const Operator& op, const Value& value, const Place& place, Context& context) {
  switch (op.operand) {
    case Operand::kString:
      return check_value(Kind::kString, value, place, context);
    case Operand::kNumber:
      return value.is_number() ? void() : report_type(place, "a number", context);
    case Operand::kBoolean:
      return check_value(Kind::kBoolean, value, place, context);
    case Operand::kTimestamp:
      return check_value(Kind::kTimestamp, value, place, context);
    case Operand::kPath:
      return value.is_string() ? check_path(value.as_string(), place, context) : report_type(place, "a path", context);
    case Operand::kRules:
      return check_rules(value, place, context);
    case Operand::kRule:
      return check_rule(value, Level::kNested, place, context);
  }
}

std::vector<std::string_view> rule_fields() {
  std::vector<std::string_view> names = {"Variable", "Next", "Comment", "Assign"};
  for (const Operator& op : kOperators) names.push_back(op.name);
  return names;
}

void report_unknown(std::string_view key, const Place& place, Context& context) {
  if (key == "Condition" || key == "Output")
    return context.findings.report(
        Code::kQueryLanguage, place, only_for(key, Language::kJsonPath),
        "The field belongs to JSONata: use \"Variable\" with a comparison, or set \"QueryLanguage\".",
        Findings::At::kKey);
  context.findings.report(
      Code::kUnknownField, place, "Field '" + shortened(key) + "' is not supported",
      suggestion(key, rule_fields(), "A rule has \"Variable\" with one comparison, or \"And\", \"Or\" or \"Not\"."),
      Findings::At::kKey);
}

// Next and Assign of a rule; they are for the rules of "Choices" themselves.
void check_outcome(const json::Member& member, Level level, const Place& place, Context& context) {
  const bool next = member.key.as_string() == "Next";
  if (level == Level::kNested)
    return context.findings.report(Code::kNestedNext, place,
                                   quoted(place.last_token()) + " must not be in a nested rule.",
                                   "Move it to the rule in \"Choices\" that holds this one.", Findings::At::kKey);
  check_value(next ? Kind::kString : Kind::kAssign, member.value, place, context);
}

struct RuleSummary {
  std::vector<std::string_view> operators;
  bool boolean = false;  // And, Or or Not
};

RuleSummary check_members(const Value& rule, Level level, const Place& place, Context& context) {
  RuleSummary summary;
  for (const json::Member& member : rule.members()) {
    if (context.findings.full()) break;
    const std::string_view key = member.key.as_string();
    const Place here(place, key);
    if (const Operator* op = find_operator(key)) {
      summary.operators.push_back(op->name);
      summary.boolean |= op->operand == Operand::kRules || op->operand == Operand::kRule;
      check_operand(*op, member.value, here, context);
    } else if (key == "Variable") {
      member.value.is_string() ? check_path(member.value.as_string(), here, context)
                               : report_type(here, "a path", context);
    } else if (key == "Next" || key == "Assign") {
      check_outcome(member, level, here, context);
    } else if (key == "Comment") {
      check_value(Kind::kString, member.value, here, context);
    } else {
      report_unknown(key, here, context);
    }
  }
  return summary;
}

void check_operators(const Value& rule, const RuleSummary& summary, const Place& place, Context& context) {
  if (summary.operators.empty())
    return context.findings.report(Code::kOperatorMissing, place, "The rule compares nothing.",
                                   "Add a comparison such as \"StringEquals\", or \"And\", \"Or\" or \"Not\".");
  if (summary.operators.size() > 1)
    return context.findings.report(Code::kOperatorTwice, Place(place, summary.operators[1]),
                                   "There should only be one of the following fields: " + listed(summary.operators),
                                   "Join two comparisons with \"And\" or \"Or\".", Findings::At::kKey);
  const bool variable = rule.find("Variable") != nullptr;
  if (!variable && !summary.boolean)
    context.findings.report(Code::kMissingField, place, "These fields are required: [Variable]",
                            "Add the path of what is compared.");
  if (variable && summary.boolean)
    context.findings.report(Code::kUnknownField, Place(place, "Variable"), "Field 'Variable' is not supported",
                            "Take it out: the rules inside have a \"Variable\" each.", Findings::At::kKey);
}

void check_next(const Value& rule, Level level, const Place& place, Context& context) {
  if (level == Level::kTop && rule.find("Next") == nullptr)
    context.findings.report(Code::kMissingField, place, "These fields are required: [Next]",
                            "Add the name of the state to go to.");
}

// Recursion is bounded by the parser's depth.
void check_rule(const Value& rule, Level level, const Place& place, Context& context) {
  if (context.findings.full()) return;
  if (!rule.is_object())
    return context.findings.report(Code::kFieldType, place, "A rule must be an object.", "Write an object.");
  const RuleSummary summary = check_members(rule, level, place, context);
  check_operators(rule, summary, place, context);
  check_next(rule, level, place, context);
}

constexpr std::array kConditionFields = {
    Field{"Condition", Kind::kAny, kNoType, kEveryType, true},
    Field{"Next", Kind::kString, kNoType, kEveryType, true},
    Field{"Comment", Kind::kString, kNoType, kEveryType},
    Field{"Assign", Kind::kAssign, kNoType, kEveryType},
    Field{"Output", Kind::kJsonataTemplate, kNoType, kEveryType},
};
constexpr Shape kConditionShape{"A rule", kConditionFields, {}};

void check_condition(const Value& rule, const Place& place, Context& context) {
  check_object(rule, kConditionShape, place, context);
  const Value* condition = rule.find("Condition");
  if (condition == nullptr || condition->is_boolean()) return;
  const Place here(place, "Condition");
  if (!condition->is_string() || !is_jsonata(condition->as_string()))
    context.findings.report(Code::kJsonataSyntax, here, "A condition must be a boolean or a JSONata expression.",
                            "Write a string that begins with {% and ends with %}.");
}

}  // namespace

void check_choices(const State& state, const Place& place, Context& context) {
  const Value* choices = state.source.find("Choices");
  if (choices == nullptr || !choices->is_array()) return;
  const Place here(place, "Choices");
  if (choices->size() == 0) return context.findings.report(Code::kEmpty, here, "Value cannot be empty", "Add a rule.");
  for (size_t index = 0; index < choices->size(); ++index) {
    if (context.language == Language::kJsonata)
      check_condition(choices->at(index), Place(here, index), context);
    else
      check_rule(choices->at(index), Level::kTop, Place(here, index), context);
  }
}

}  // namespace pawl::asl
