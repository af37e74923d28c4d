#include "lang/sm4c/expression.h"

#include <array>

#include "json/pointer.h"

namespace pawl::sm4c {

namespace {

constexpr std::array<std::string_view, 1> kHandlerVariables = {"value"};
constexpr std::string_view kCallPrefix = "fn:";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_name_character(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

double seconds_since_epoch(Timestamp time) { return static_cast<double>(time.time_since_epoch().count()) / 1000.0; }

Result<jq::Program> find_function(std::string_view name, const ExpressionFunctions& functions) {
  const auto found = functions.find(lower_case(name));
  if (found != functions.end()) return found->second;
  return fail("SM4C_UNKNOWN_FUNCTION", "There is no function \"" + std::string(name) + "\" of type expression.",
              "Define it under \"functions\".");
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

bool Expression::is_expression(std::string_view text) {
  text = trimmed(text);
  return text.starts_with("${") && text.ends_with('}');
}

Result<jq::Program> Expression::compile_function(std::string_view text) {
  if (is_expression(text)) {
    text = trimmed(text);
    text = text.substr(2, text.size() - 3);
  }
  return jq::Program::compile(trimmed(text));
}

Result<Expression> Expression::compile(std::string_view text, Role role, const ExpressionFunctions& functions) {
  if (!is_expression(text))
    return fail("SM4C_NOT_AN_EXPRESSION", "An expression stands in ${ and }.", "Write it as \"${ .path }\".");
  text = trimmed(text);
  Expression expression;
  expression.text_ = trimmed(text.substr(2, text.size() - 3));
  if (expression.text_.starts_with(kCallPrefix)) {
    const std::string_view name = trimmed(std::string_view(expression.text_).substr(kCallPrefix.size()));
    PAWL_TRY(expression.program_, find_function(name, functions));
    return expression;
  }
  expression.role_ = role;
  const std::span<const std::string_view> variables = kHandlerVariables;
  PAWL_TRY(expression.program_,
           jq::Program::compile(expression.text_, role == Role::kHandler ? variables : variables.first(0)));
  return expression;
}

Result<Value> evaluate_to_one(const jq::Program& program, const Value& input, const jq::Evaluation& evaluation) {
  PAWL_TRY(std::vector<Value> outputs, program.evaluate(input, evaluation));
  if (outputs.size() == 1) return std::move(outputs.front());
  json::ArrayBuilder all(outputs.size());
  for (Value& output : outputs) all.push(std::move(output));
  return all.build();
}

Result<Value> Expression::evaluate(const Value& input, const Evaluation& evaluation) const {
  const std::span<const Value> bound(&evaluation.value, role_ == Role::kHandler ? 1 : 0);
  return evaluate_to_one(*program_, input, {.variables = bound, .now_seconds = seconds_since_epoch(evaluation.now)});
}

bool Expression::uses_value() const {
  constexpr std::string_view kName = "$value";
  for (size_t at = text_.find(kName); at != std::string::npos; at = text_.find(kName, at + 1)) {
    const size_t end = at + kName.size();
    if (end == text_.size() || !is_name_character(text_[end])) return true;
  }
  return false;
}

// --- templates

namespace {

Error below(std::string_view token, Error error) {
  const bool is_pointer = error.where.starts_with('/');
  error.where = json::child_pointer("", token) + (is_pointer ? error.where : "");
  return error;
}

}  // namespace

Result<Template> Template::compile(const Value& value, const ExpressionFunctions& functions) {
  Template made;
  if (value.is_string() && Expression::is_expression(value.as_string())) {
    PAWL_TRY(made.part_, Expression::compile(value.as_string(), Role::kPlain, functions));
  } else if (value.is_array()) {
    Items items;
    for (size_t index = 0; index < value.size(); ++index) {
      auto item = compile(value.at(index), functions);
      if (!item) return std::unexpected(below(std::to_string(index), std::move(item).error()));
      items.push_back(*std::move(item));
    }
    made.part_ = std::move(items);
  } else if (value.is_object()) {
    Members members;
    for (const json::Member& member : value.members()) {
      auto inner = compile(member.value, functions);
      if (!inner) return std::unexpected(below(member.key.as_string(), std::move(inner).error()));
      members.emplace_back(member.key.as_string(), *std::move(inner));
    }
    made.part_ = std::move(members);
  } else {
    made.part_ = value;
  }
  return made;
}

Result<Value> Template::evaluate(const Value& input, const Evaluation& evaluation) const {
  if (const auto* literal = std::get_if<Value>(&part_)) return *literal;
  if (const auto* expression = std::get_if<Expression>(&part_)) return expression->evaluate(input, evaluation);
  if (const auto* items = std::get_if<Items>(&part_)) {
    json::ArrayBuilder array(items->size());
    for (const Template& item : *items) {
      PAWL_TRY(Value value, item.evaluate(input, evaluation));
      array.push(std::move(value));
    }
    return array.build();
  }
  const auto& members = std::get<Members>(part_);
  json::ObjectBuilder object(members.size());
  for (const auto& [name, member] : members) {
    PAWL_TRY(Value value, member.evaluate(input, evaluation));
    object.set(name, std::move(value));
  }
  return object.build();
}

}  // namespace pawl::sm4c
