// Expressions, "${ jq }", and JSON whose strings may be expressions.
//
// An expression gives one value: that of its only output, or the array of its outputs where there is none or more than
// one. `${ fn:name }` is the definition's function of that name, of type expression.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "expr/jq/jq.h"
#include "json/value.h"

namespace pawl::sm4c {

using json::Value;

std::string lower_case(std::string_view text);  // ASCII: names are compared without case

// What an evaluation sees besides its input.
struct Evaluation {
  Timestamp now{};
  Value value{};  // $value, in a handler
};

// The definition's functions of type expression, by their lower-case names.
using ExpressionFunctions = std::map<std::string, jq::Program, std::less<>>;

// Where an expression stands decides what it may name.
enum class Role : uint8_t {
  kPlain,
  kHandler,  // has $value
};

// Immutable; copies share the compiled code.
class Expression {
 public:
  // Errors: SM4C_NOT_AN_EXPRESSION where it is not in ${ }, SM4C_UNKNOWN_FUNCTION, and jq's own.
  static Result<Expression> compile(std::string_view text, Role role, const ExpressionFunctions& functions);
  // jq alone, without ${ } around it.
  static Result<jq::Program> compile_function(std::string_view text);

  static bool is_expression(std::string_view text);  // "${ … }"

  // Error: that of jq.
  Result<Value> evaluate(const Value& input, const Evaluation& evaluation) const;

  const std::string& text() const { return text_; }  // without ${ }
  bool uses_value() const;                           // names $value

 private:
  std::string text_;
  std::optional<jq::Program> program_;
  Role role_ = Role::kPlain;
};

// One value out of the outputs of a program.
Result<Value> evaluate_to_one(const jq::Program& program, const Value& input, const jq::Evaluation& evaluation);

// JSON in which each string "${ … }" stands for what it gives. Immutable.
class Template {
 public:
  Template() = default;  // null
  // Errors: as Expression::compile, with the pointer of the string in `where`.
  static Result<Template> compile(const Value& value, const ExpressionFunctions& functions);
  Result<Value> evaluate(const Value& input, const Evaluation& evaluation) const;

 private:
  using Items = std::vector<Template>;
  using Members = std::vector<std::pair<std::string, Template>>;
  std::variant<Value, Expression, Items, Members> part_;
};

}  // namespace pawl::sm4c
