// A failure while a workflow runs: a name, a message, and where it happened. The names are described in
// docs/serverless-workflow.md.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "json/value.h"

namespace pawl::serverless {

using json::Value;

struct Failure {
  std::string name;
  std::string message;
  std::string trace;          // a line for each place that it went through, the innermost first
  bool goes_on = false;       // an action's timeout that nobody handles: what holds the action goes on without the rest
  bool is_final = false;      // no retry and no onError is asked
  bool is_placeless = false;  // the message does not say where in the definition it happened

  // {"Error", "Cause"}, as facts and histories show it.
  Value to_value() const;
  // The same for the execution that it ends: a message that does not say where is followed by the trace.
  Value to_end() const;
  // {"name", "message", "trace"}, as a workflow's expressions see it.
  Value to_error() const;
  // Adds a line to the trace: "at action 'greet'".
  Failure at(std::string_view what, std::string_view name) &&;

  static Failure from_value(const Value& value);
  // Of an expression, a filter or a merge that could not be done.
  static Failure from_error(const Error& error);
};

template <typename T>
using Attempt = std::expected<T, Failure>;

// A failure of what a definition says, whose message has no place.
inline Failure placeless(std::string_view name, std::string message) {
  Failure failure{std::string(name), std::move(message), {}};
  failure.is_placeless = true;
  return failure;
}

inline std::unexpected<Failure> failed(std::string_view name, std::string message) {
  return std::unexpected(Failure{std::string(name), std::move(message), {}});
}

// The value, or the failure that the error of a Result is.
template <typename T>
Attempt<T> attempt(Result<T> result) {
  if (result) return *std::move(result);
  return std::unexpected(Failure::from_error(result.error()));
}

inline constexpr std::string_view kFunctionError = "FunctionExecutionError";
inline constexpr std::string_view kActionTimeout = "Workflow.ActionTimeout";
inline constexpr std::string_view kTransitionDenied = "Workflow.TransitionDenied";
inline constexpr std::string_view kNoConditionMatched = "Workflow.NoConditionMatched";
inline constexpr std::string_view kSchemaViolation = "Workflow.SchemaViolation";
inline constexpr std::string_view kInputNotAnObject = "Workflow.InputNotAnObject";
inline constexpr std::string_view kExpressionFailure = "Workflow.ExpressionFailure";
inline constexpr std::string_view kMergeFailure = "Workflow.MergeFailure";
inline constexpr std::string_view kNotAnArray = "Workflow.NotAnArray";
inline constexpr std::string_view kNotANumber = "Workflow.NotANumber";
inline constexpr std::string_view kUnknownEvent = "Workflow.UnknownEvent";
inline constexpr std::string_view kTimeTooFar = "Workflow.TimeTooFar";
inline constexpr std::string_view kDataLimit = "Workflow.DataLimitExceeded";
inline constexpr std::string_view kHistoryLimit = "Workflow.HistoryLimitExceeded";

}  // namespace pawl::serverless
