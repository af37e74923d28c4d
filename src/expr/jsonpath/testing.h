// Helpers for the tests of paths: JSON in, JSON or an error's code out.
#pragma once

#include <string>
#include <string_view>

#include "expr/jsonpath/path.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::jsonpath::testing {

inline Value json_of(std::string_view text) { return json::parse(text).value(); }

inline Result<Value> evaluate(std::string_view path, std::string_view document, Dialect dialect = Dialect::kAsl) {
  auto compiled = Path::compile(path, dialect);
  if (!compiled) return std::unexpected(compiled.error());
  return compiled->evaluate(json_of(document));
}

// The result as compact JSON, or the error's code.
inline std::string answer(std::string_view path, std::string_view document, Dialect dialect = Dialect::kAsl) {
  const auto result = evaluate(path, document, dialect);
  return result ? json::print(*result) : result.error().code;
}

inline std::string sentence(std::string_view path, std::string_view document, Dialect dialect = Dialect::kAsl) {
  const auto result = evaluate(path, document, dialect);
  return result ? "no error" : result.error().what;
}

inline std::string code_of(std::string_view path, Dialect dialect = Dialect::kAsl) {
  const auto compiled = Path::compile(path, dialect);
  return compiled ? "accepted" : compiled.error().code;
}

inline std::string column_of(std::string_view path, Dialect dialect = Dialect::kAsl) {
  const auto compiled = Path::compile(path, dialect);
  return compiled ? "accepted" : compiled.error().where;
}

}  // namespace pawl::jsonpath::testing
