// Choice Rules: data-test expressions (one of 39 operators), And, Or, Not, and JSONata conditions.
#include <array>
#include <string>
#include <vector>

#include "lang/asl/choice_operator.h"
#include "lang/asl/choice_rule.h"
#include "lang/asl/lint/objects.h"
#include "lang/asl/lint/rules.h"
#include "lang/asl/lint/values.h"

namespace pawl::asl {
namespace {

bool is_connective(std::string_view name) { return name == "And" || name == "Or" || name == "Not"; }

// A rule of "Choices" has the depth 0.
void check_rule(const Value& rule, size_t depth, const Place& place, Context& context);

void check_rules(const Value& rules, size_t depth, const Place& place, Context& context) {
  if (!rules.is_array()) return report_type(place, "an array of rules", context);
  if (rules.size() == 0) return context.findings.report(Code::kEmpty, place, "Value cannot be empty", "Add a rule.");
  for (size_t index = 0; index < rules.size(); ++index)
    check_rule(rules.at(index), depth, Place(place, index), context);
}

void check_connective(const json::Member& member, size_t depth, const Place& place, Context& context) {
  if (depth == kRuleNestingMax)
    return context.findings.report(Code::kRulesTooDeep, place,
                                   "Rules are nested more than " + std::to_string(kRuleNestingMax) + " deep.",
                                   "Split the rule into several Choice states.", Findings::At::kKey);
  if (member.key.as_string() == "Not") return check_rule(member.value, depth + 1, place, context);
  check_rules(member.value, depth + 1, place, context);
}

Kind kind_of_literal(ChoiceSubject subject) {
  switch (subject) {
    case ChoiceSubject::kString:
    case ChoiceSubject::kPattern:
      return Kind::kString;
    case ChoiceSubject::kNumeric:
      return Kind::kNumber;
    case ChoiceSubject::kTimestamp:
      return Kind::kTimestamp;
    case ChoiceSubject::kBoolean:
    case ChoiceSubject::kIsNull:
    case ChoiceSubject::kIsPresent:
    case ChoiceSubject::kIsNumeric:
    case ChoiceSubject::kIsString:
    case ChoiceSubject::kIsBoolean:
    case ChoiceSubject::kIsTimestamp:
      return Kind::kBoolean;
  }
  return Kind::kAny;
}

void check_path_field(const Value& value, const Place& place, Context& context) {
  value.is_string() ? check_path(value.as_string(), place, context) : report_type(place, "a path", context);
}

void check_comparison(const ChoiceOperator& comparison, const Value& value, const Place& place, Context& context) {
  if (comparison.compares_with_path) return check_path_field(value, place, context);
  check_value(kind_of_literal(comparison.subject), value, place, context);
}

std::vector<std::string_view> rule_fields() {
  std::vector<std::string_view> names = {"Variable", "Next", "Comment", "Assign", "And", "Or", "Not"};
  for (const ChoiceOperator& comparison : choice_operators()) names.push_back(comparison.name);
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
void check_outcome(const json::Member& member, size_t depth, const Place& place, Context& context) {
  const bool next = member.key.as_string() == "Next";
  if (depth > 0)
    return context.findings.report(Code::kNestedNext, place,
                                   quoted(place.last_token()) + " must not be in a nested rule.",
                                   "Move it to the rule in \"Choices\" that holds this one.", Findings::At::kKey);
  check_value(next ? Kind::kString : Kind::kAssign, member.value, place, context);
}

struct RuleSummary {
  std::vector<std::string_view> operators;
  bool connective = false;  // And, Or or Not
};

RuleSummary check_members(const Value& rule, size_t depth, const Place& place, Context& context) {
  RuleSummary summary;
  for (const json::Member& member : rule.members()) {
    if (context.findings.full()) break;
    const std::string_view key = member.key.as_string();
    const Place here(place, key);
    if (is_connective(key)) {
      summary.operators.push_back(key);
      summary.connective = true;
      check_connective(member, depth, here, context);
    } else if (const ChoiceOperator* comparison = find_choice_operator(key)) {
      summary.operators.push_back(key);
      check_comparison(*comparison, member.value, here, context);
    } else if (key == "Variable") {
      check_path_field(member.value, here, context);
    } else if (key == "Next" || key == "Assign") {
      check_outcome(member, depth, here, context);
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
  if (!variable && !summary.connective)
    context.findings.report(Code::kMissingField, place, "These fields are required: [Variable]",
                            "Add the path of what is compared.");
  if (variable && summary.connective)
    context.findings.report(Code::kUnknownField, Place(place, "Variable"), "Field 'Variable' is not supported",
                            "Take it out: the rules inside have a \"Variable\" each.", Findings::At::kKey);
}

void check_next(const Value& rule, size_t depth, const Place& place, Context& context) {
  if (depth == 0 && rule.find("Next") == nullptr)
    context.findings.report(Code::kMissingField, place, "These fields are required: [Next]",
                            "Add the name of the state to go to.");
}

// Recursion is bounded by the parser's depth.
void check_rule(const Value& rule, size_t depth, const Place& place, Context& context) {
  if (context.findings.full()) return;
  if (!rule.is_object())
    return context.findings.report(Code::kFieldType, place, "A rule must be an object.", "Write an object.");
  const RuleSummary summary = check_members(rule, depth, place, context);
  check_operators(rule, summary, place, context);
  check_next(rule, depth, place, context);
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
      check_rule(choices->at(index), 0, Place(here, index), context);
  }
}

}  // namespace pawl::asl
