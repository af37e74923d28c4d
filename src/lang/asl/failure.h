// A state's failure while it runs: an Error Name, a cause, and how far it may be handled.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "json/value.h"

namespace pawl::asl {

using json::Value;

struct Failure {
  std::optional<std::string> error;  // SendTaskFailure may leave it out
  std::optional<std::string> cause;
  std::string_view also_matches;  // a second name that Retry and Catch may use for it; empty: none
  bool terminal = false;          // no Retry and no Catch handles it, whatever they name

  // {"Error", "Cause"} as histories show it: what is absent stays absent.
  Value to_value() const;
  // {"Error", "Cause"} as a Catch hands it on: both are there.
  Value to_error_output() const;
  static Failure from_value(const Value& value);
};

template <typename T>
using Attempt = std::expected<T, Failure>;

inline std::unexpected<Failure> failed(std::string_view error, std::string cause) {
  return std::unexpected(Failure{std::string(error), std::move(cause), {}, false});
}

inline constexpr std::string_view kRuntime = "States.Runtime";
inline constexpr std::string_view kTimeout = "States.Timeout";
inline constexpr std::string_view kHeartbeatTimeout = "States.HeartbeatTimeout";
inline constexpr std::string_view kTaskFailed = "States.TaskFailed";
inline constexpr std::string_view kAll = "States.ALL";
inline constexpr std::string_view kBranchFailed = "States.BranchFailed";
inline constexpr std::string_view kNoChoiceMatched = "States.NoChoiceMatched";
inline constexpr std::string_view kIntrinsicFailure = "States.IntrinsicFailure";
inline constexpr std::string_view kParameterPathFailure = "States.ParameterPathFailure";
inline constexpr std::string_view kResultPathMatchFailure = "States.ResultPathMatchFailure";
inline constexpr std::string_view kDataLimitExceeded = "States.DataLimitExceeded";
inline constexpr std::string_view kExceedToleratedFailureThreshold = "States.ExceedToleratedFailureThreshold";

}  // namespace pawl::asl
