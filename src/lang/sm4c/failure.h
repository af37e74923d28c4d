// A failure while a state machine runs: a name and a message. The names are described in docs/sm4c.md.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "json/value.h"

namespace pawl::sm4c {

using json::Value;

struct Failure {
  std::string name;
  std::string message;

  Value to_value() const;  // {"Error", "Cause"}, as facts and histories show it
  Value to_error() const;  // {"Message", "message", "ClassName", "type"}, as handlers see it

  static Failure from_value(const Value& value);
  static Failure from_error(const Error& error);  // of an expression or a time
};

template <typename T>
using Attempt = std::expected<T, Failure>;

inline std::unexpected<Failure> failed(std::string_view name, std::string message) {
  return std::unexpected(Failure{std::string(name), std::move(message)});
}

// The value, or the failure that the error of a Result is.
template <typename T>
Attempt<T> attempt(Result<T> result) {
  if (result) return *std::move(result);
  return std::unexpected(Failure::from_error(result.error()));
}

inline constexpr std::string_view kFunctionError = "FunctionExecutionError";
inline constexpr std::string_view kActionTimeout = "StateMachine.ActionTimeout";
inline constexpr std::string_view kDataLimit = "StateMachine.DataLimitExceeded";
inline constexpr std::string_view kExpressionFailure = "StateMachine.ExpressionFailure";
inline constexpr std::string_view kHistoryLimit = "StateMachine.HistoryLimitExceeded";
inline constexpr std::string_view kNoProgress = "StateMachine.NoProgress";
inline constexpr std::string_view kNoTransition = "StateMachine.NoTransition";
inline constexpr std::string_view kNotAnArray = "StateMachine.NotAnArray";
inline constexpr std::string_view kTimeTooFar = "StateMachine.TimeTooFar";
inline constexpr std::string_view kMachineTimeout = "StateMachine.Timeout";

}  // namespace pawl::sm4c
