// Expressions as definitions write them: text with JsonPaths in double braces, "Hello {{ $.name }}".
//
//   auto greeting = Expression::compile("Hello {{ $.first }} {{ $.last }}");
//   Value text = greeting->evaluate(data).value();      // "Hello John Doe"
//
// A text that is one expression and nothing else keeps the type of what it selects; blanks around it do not count.
// Anything else gives text. What is missing is null where the text is one expression, and nothing inside a text. Text
// that comes out of the data is never looked at for braces again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "expr/jsonpath/path.h"
#include "json/value.h"

namespace pawl::serverless {

using json::Value;

inline constexpr size_t kExpressionBytesMax = 65536;  // of the text with everything in it

// Immutable; copies share what was compiled; safe on many threads.
class Expression {
 public:
  using Dialect = jsonpath::Dialect;

  // Any text. Errors: SW_EXPRESSION (braces that are not closed, a path that is none), with the column in `where`.
  static Result<Expression> compile(std::string_view text, Dialect dialect = Dialect::kServerless);
  // A text where only an expression makes sense: a path without braces ("$.people") is taken as one too.
  static Result<Expression> compile_path(std::string_view text, Dialect dialect = Dialect::kServerless);

  // The value. Errors: only those of a path that cannot be evaluated (JSONPATH_LIMIT, JSONPATH_FUNCTION); missing is
  // none.
  Result<Value> evaluate(const Value& root) const;
  // What it selects; nothing where a definite path leads nowhere or an indefinite one matches nothing. A text that is
  // not one expression selects itself.
  Result<std::optional<Value>> select(const Value& root) const;
  // In the place of a boolean: false where nothing is selected, or something empty, or a definite path leads to false
  // or null. Text around one expression does not count.
  Result<bool> test(const Value& root) const;

  bool is_literal() const;             // there is no expression in it
  bool is_whole() const;               // it is one expression
  const jsonpath::Path* path() const;  // of a whole one; else null
  std::string_view key() const;        // the last name on the path of a whole one, outside of filters; may be empty
  // The names of a whole one's path where it is made of names only ($.a.b: a, b); else empty.
  const std::vector<std::string>& names() const;
  const std::string& text() const;

 private:
  struct Code;
  std::shared_ptr<const Code> code_;
};

// JSON whose strings, at any depth, are expressions: parameters, the data of produced events.
class Template {
 public:
  // Error: as Expression::compile, with the JSON Pointer below the template in `where`.
  static Result<Template> compile(const Value& source, jsonpath::Dialect dialect = jsonpath::Dialect::kServerless);
  // Error: as Expression::evaluate.
  Result<Value> evaluate(const Value& root) const;
  const Value& source() const { return source_; }

 private:
  struct Object;
  struct Array;
  using Node = std::variant<Value, std::shared_ptr<const Object>, std::shared_ptr<const Array>, Expression>;

  static Result<Node> compile_node(const Value& source, jsonpath::Dialect dialect);
  static Result<Value> evaluate_node(const Node& node, const Value& root);

  Value source_;
  Node root_;
};

// n, max, maxAttempts: a number, digits, or an expression that gives one of them.
class IntegerField {
 public:
  // Errors: SW_NUMBER, SW_EXPRESSION.
  static Result<IntegerField> compile(const Value& source, jsonpath::Dialect dialect = jsonpath::Dialect::kServerless);
  // Error: SW_NUMBER where the expression gives no integer from 0.
  Result<int64_t> evaluate(const Value& root) const;
  std::optional<int64_t> literal() const { return literal_; }  // where no expression is needed to know it

 private:
  std::optional<int64_t> literal_;
  std::optional<Expression> expression_;
};

}  // namespace pawl::serverless
