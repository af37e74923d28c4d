#include "lang/asl/choice_rule.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "json/pointer.h"
#include "lang/asl/choice_operator.h"
#include "lang/asl/choice_text.h"
#include "text/timestamp.h"

namespace pawl::asl {

namespace internal {

using jsonpath::RootedPath;
using jsonpath::Roots;

// What stands at the right of an operator, read as far as it can be before an input is there.
using Operand = std::variant<Value, text::Instant, TextPattern, RootedPath>;

struct Comparison {
  RootedPath variable;
  const ChoiceOperator* comparison_operator = nullptr;
  Operand operand;
};

enum class Connective : uint8_t { kAnd, kOr, kNot };

struct Connection {
  Connective connective;
  std::vector<Condition> conditions;  // one for kNot
};

// A node of the rule. The compiler bounds the recursion by kRuleNestingMax.
class Condition {
 public:
  explicit Condition(Comparison comparison) : node_(std::move(comparison)) {}
  explicit Condition(Connection connection) : node_(std::move(connection)) {}

  Result<bool> evaluate(const Roots& roots) const;

 private:
  std::variant<Comparison, Connection> node_;
};

namespace {

// --- evaluating ------------------------------------------------------------------------------------------------------

bool leads_nowhere(const Error& error) {
  return error.code == "JSONPATH_NO_MATCH" || error.code == "JSONPATH_UNKNOWN_VARIABLE";
}

Error missing_variable(const RootedPath& path) {
  return {"CHOICE_MISSING_VARIABLE",
          {},
          "Invalid path '" + path.text() + "': The choice state's condition path references an invalid value.",
          "Test it with IsPresent first, in an And."};
}

Result<Value> look_up(const RootedPath& path, const Roots& roots) {
  auto value = path.evaluate(roots);
  if (!value && leads_nowhere(value.error())) return std::unexpected(missing_variable(path));
  return value;
}

std::optional<text::Instant> instant_of(const Value& value) {
  return value.is_string() ? text::parse_timestamp(value.as_string()) : std::nullopt;
}

// A path that may match any number of places is present where it matches one.
Result<bool> is_present(const RootedPath& path, const Roots& roots) {
  const auto value = path.evaluate(roots);
  if (value) return path.is_definite() || !value->is_array() || value->size() > 0;
  if (leads_nowhere(value.error())) return false;
  return std::unexpected(value.error());
}

bool has_type(ChoiceSubject subject, const Value& value) {
  switch (subject) {
    case ChoiceSubject::kIsNull:
      return value.is_null();
    case ChoiceSubject::kNumeric:
    case ChoiceSubject::kIsNumeric:
      return value.is_number();
    case ChoiceSubject::kString:
    case ChoiceSubject::kPattern:
    case ChoiceSubject::kIsString:
      return value.is_string();
    case ChoiceSubject::kBoolean:
    case ChoiceSubject::kIsBoolean:
      return value.is_boolean();
    case ChoiceSubject::kTimestamp:
    case ChoiceSubject::kIsTimestamp:
      return instant_of(value).has_value();
    case ChoiceSubject::kIsPresent:
      return true;
  }
  return false;
}

// Both values have the operator's type.
std::weak_ordering order(ChoiceSubject subject, const Value& left, const Value& right) {
  if (subject == ChoiceSubject::kNumeric) return json::compare_numbers(left, right);
  if (subject == ChoiceSubject::kBoolean) return left.as_boolean() <=> right.as_boolean();
  return compare_utf16(left.as_string(), right.as_string());
}

bool compare_timestamps(ChoiceRelation relation, const Value& left, const std::optional<text::Instant>& right) {
  const auto instant = instant_of(left);
  return instant && right && holds(relation, *instant <=> *right);
}

bool compare(const ChoiceOperator& comparison, const Value& left, const Value& right) {
  if (comparison.subject == ChoiceSubject::kTimestamp)
    return compare_timestamps(comparison.relation, left, instant_of(right));
  return has_type(comparison.subject, left) && has_type(comparison.subject, right) &&
         holds(comparison.relation, order(comparison.subject, left, right));
}

Result<bool> match(const TextPattern& pattern, const Value& value) {
  if (pattern.has_open_escape())
    return fail("CHOICE_BAD_PATTERN", "An open escape backslash was found in the StringMatches string.",
                "Write \\\\ for a backslash and \\* for a star.");
  return value.is_string() && pattern.matches(value.as_string());
}

Result<bool> compare_operand(const Comparison& comparison, const Value& left, const Roots& roots) {
  const ChoiceOperator& how = *comparison.comparison_operator;
  if (const auto* literal = std::get_if<Value>(&comparison.operand)) return compare(how, left, *literal);
  if (const auto* instant = std::get_if<text::Instant>(&comparison.operand))
    return compare_timestamps(how.relation, left, *instant);
  if (const auto* pattern = std::get_if<TextPattern>(&comparison.operand)) return match(*pattern, left);
  PAWL_TRY(const Value right, look_up(std::get<RootedPath>(comparison.operand), roots));
  return compare(how, left, right);
}

bool asks_for_type(ChoiceSubject subject) { return subject >= ChoiceSubject::kIsNull; }

Result<bool> evaluate_comparison(const Comparison& comparison, const Roots& roots) {
  const ChoiceSubject subject = comparison.comparison_operator->subject;
  if (subject == ChoiceSubject::kIsPresent) {
    PAWL_TRY(const bool present, is_present(comparison.variable, roots));
    return present == std::get<Value>(comparison.operand).as_boolean();
  }
  PAWL_TRY(const Value variable, look_up(comparison.variable, roots));
  if (asks_for_type(subject)) return has_type(subject, variable) == std::get<Value>(comparison.operand).as_boolean();
  return compare_operand(comparison, variable, roots);
}

Result<bool> evaluate_connection(const Connection& connection, const Roots& roots) {
  if (connection.connective == Connective::kNot) {
    PAWL_TRY(const bool value, connection.conditions.front().evaluate(roots));
    return !value;
  }
  const bool decides = connection.connective == Connective::kOr;
  for (const Condition& condition : connection.conditions) {
    PAWL_TRY(const bool value, condition.evaluate(roots));
    if (value == decides) return decides;
  }
  return !decides;
}

// --- compiling -------------------------------------------------------------------------------------------------------

std::unexpected<Error> wrong_rule(std::string what, std::string_view pointer, std::string fix = {}) {
  return fail("ASL_CHOICE_RULE", std::move(what), std::move(fix), std::string(pointer));
}

Result<RootedPath> compile_path(const Value& text, std::string_view pointer) {
  if (!text.is_string() || !text.as_string().starts_with('$')) return wrong_rule("A path is needed here.", pointer);
  auto path = RootedPath::compile(text.as_string());
  if (!path) return wrong_rule("The path is wrong: " + path.error().what, pointer, path.error().fix);
  return path;
}

std::string_view needed_literal(ChoiceSubject subject) {
  switch (subject) {
    case ChoiceSubject::kString:
    case ChoiceSubject::kPattern:
      return "a string";
    case ChoiceSubject::kNumeric:
      return "a number";
    case ChoiceSubject::kTimestamp:
      return "a timestamp such as 2016-03-14T01:59:00Z";
    case ChoiceSubject::kBoolean:
    case ChoiceSubject::kIsNull:
    case ChoiceSubject::kIsPresent:
    case ChoiceSubject::kIsNumeric:
    case ChoiceSubject::kIsString:
    case ChoiceSubject::kIsBoolean:
    case ChoiceSubject::kIsTimestamp:
      return "true or false";
  }
  return {};
}

Result<Operand> compile_operand(const ChoiceOperator& comparison, const Value& literal, std::string_view pointer) {
  if (comparison.compares_with_path) return compile_path(literal, pointer);
  const ChoiceSubject literal_type = asks_for_type(comparison.subject) ? ChoiceSubject::kBoolean : comparison.subject;
  if (!has_type(literal_type, literal))
    return wrong_rule(std::string(comparison.name) + " needs " + std::string(needed_literal(comparison.subject)) + ".",
                      pointer);
  if (comparison.subject == ChoiceSubject::kPattern) return TextPattern(literal.as_string());
  if (comparison.subject == ChoiceSubject::kTimestamp) return *instant_of(literal);
  return literal;
}

class Compiler {
 public:
  Result<Condition> compile(const Value& rule, const std::string& pointer) {
    if (!rule.is_object()) return wrong_rule("A Choice Rule must be an object.", pointer);
    PAWL_TRY(const json::Member* const member, find_operator(rule, pointer));
    const std::string_view name = member->key.as_string();
    const std::string member_pointer = json::child_pointer(pointer, name);
    if (name == "And") return compile_list(Connective::kAnd, member->value, member_pointer);
    if (name == "Or") return compile_list(Connective::kOr, member->value, member_pointer);
    if (name == "Not") return compile_not(member->value, member_pointer);
    return compile_comparison(*find_choice_operator(name), rule, member->value, pointer);
  }

 private:
  static bool is_operator(std::string_view name) {
    return name == "And" || name == "Or" || name == "Not" || find_choice_operator(name) != nullptr;
  }

  static Result<const json::Member*> find_operator(const Value& rule, std::string_view pointer) {
    const json::Member* found = nullptr;
    for (const json::Member& member : rule.members()) {
      if (!is_operator(member.key.as_string())) continue;
      if (found != nullptr) return wrong_rule("A Choice Rule has one operator, not two.", pointer);
      found = &member;
    }
    if (found == nullptr) return wrong_rule("A Choice Rule needs an operator.", pointer);
    return found;
  }

  Result<Condition> compile_list(Connective connective, const Value& rules, const std::string& pointer) {
    if (!rules.is_array() || rules.size() == 0) return wrong_rule("A list of rules is needed here.", pointer);
    Connection connection{connective, {}};
    connection.conditions.reserve(rules.size());
    for (size_t i = 0; i < rules.size(); ++i) {
      PAWL_TRY(auto condition, compile_nested(rules.at(i), json::child_pointer(pointer, i)));
      connection.conditions.push_back(std::move(condition));
    }
    return Condition(std::move(connection));
  }

  Result<Condition> compile_not(const Value& rule, const std::string& pointer) {
    PAWL_TRY(auto condition, compile_nested(rule, pointer));
    Connection connection{Connective::kNot, {}};
    connection.conditions.push_back(std::move(condition));
    return Condition(std::move(connection));
  }

  Result<Condition> compile_nested(const Value& rule, const std::string& pointer) {
    if (++depth_ > kRuleNestingMax)
      return wrong_rule("Rules are nested more than " + std::to_string(kRuleNestingMax) + " deep.", pointer);
    auto condition = compile(rule, pointer);
    --depth_;
    return condition;
  }

  static Result<Condition> compile_comparison(const ChoiceOperator& comparison, const Value& rule, const Value& literal,
                                              std::string_view pointer) {
    const Value* variable = rule.find("Variable");
    if (variable == nullptr) return wrong_rule("A comparison needs a Variable.", pointer);
    PAWL_TRY(auto path, compile_path(*variable, json::child_pointer(pointer, "Variable")));
    PAWL_TRY(auto operand, compile_operand(comparison, literal, json::child_pointer(pointer, comparison.name)));
    return Condition(Comparison{std::move(path), &comparison, std::move(operand)});
  }

  size_t depth_ = 0;
};

}  // namespace

Result<bool> Condition::evaluate(const Roots& roots) const {
  if (const auto* comparison = std::get_if<Comparison>(&node_)) return evaluate_comparison(*comparison, roots);
  return evaluate_connection(std::get<Connection>(node_), roots);
}

}  // namespace internal

Result<ChoiceRule> ChoiceRule::compile(const Value& rule) {
  PAWL_TRY(auto condition, internal::Compiler().compile(rule, ""));
  ChoiceRule compiled;
  compiled.condition_ = std::make_shared<const internal::Condition>(std::move(condition));
  return compiled;
}

Result<bool> ChoiceRule::evaluate(const jsonpath::Roots& roots) const { return condition_->evaluate(roots); }

}  // namespace pawl::asl
