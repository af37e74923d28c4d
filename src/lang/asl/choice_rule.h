// Choice Rules: what a Choice state asks of its input. 39 comparison operators, And, Or and Not.
#pragma once

#include <memory>

#include "base/result.h"
#include "expr/jsonpath/rooted_path.h"
#include "json/value.h"

namespace pawl::asl {

using json::Value;

inline constexpr size_t kRuleNestingMax = 128;  // And, Or and Not inside each other

namespace internal {
class Condition;
}

// A rule, compiled once: its paths, its pattern and its timestamp are read when the definition is, not when it runs.
// Immutable; copies share the compiled rule; safe to evaluate on many threads at once.
class ChoiceRule {
 public:
  // Looks at the condition only: Next, Assign, Comment and unknown fields are lint's.
  // Error: ASL_CHOICE_RULE, with the JSON Pointer from the rule in `where`.
  static Result<ChoiceRule> compile(const Value& rule);

  // A value of another type than the operator compares is no match and no error. And and Or stop at the first rule that
  // decides, so that an IsPresent before another test protects it.
  // Errors: CHOICE_MISSING_VARIABLE where Variable (but for IsPresent) or a …Path leads nowhere, CHOICE_BAD_PATTERN
  // where a StringMatches pattern holds a backslash that escapes nothing, JSONPATH_LIMIT.
  Result<bool> evaluate(const jsonpath::Roots& roots) const;

 private:
  std::shared_ptr<const internal::Condition> condition_;
};

}  // namespace pawl::asl
