// Redrive: an execution that closed without success goes on where it failed.
//
// The fact ExecutionRedriven thaws every scope that did not succeed, with its input and its variables; what succeeded
// is kept. A thawed scope runs the state that it is in again, without entering it; its retries begin anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/time.h"
#include "kernel/execution.h"
#include "kernel/turn.h"

namespace pawl::kernel {

inline constexpr uint32_t kRedrivesMax = 1000;
inline constexpr Duration kRedrivablePeriod = std::chrono::hours(24 * 14);  // after the end
inline constexpr Duration kOpenTimeMax = std::chrono::hours(24 * 365);      // after the start
inline constexpr Duration kRedriveTokenLife = std::chrono::minutes(15);

// Why an execution cannot be redriven.
enum class RedriveObstacle : uint8_t {
  kNotClosed,
  kSucceeded,
  kHistoryFull,
  kStartedTooLongAgo,
  kClosedTooLongAgo,
  kTooOften
};

inline bool is_redrivable(Status status) {
  return status == Status::kFailed || status == Status::kTimedOut || status == Status::kAborted;
}

std::string_view to_sentence(RedriveObstacle obstacle);  // AWS's words, without the full stop

std::optional<RedriveObstacle> obstacle_to_redrive(const Execution& execution, const Limits& limits, Timestamp now);

// The time of the redrive that this token already made; nothing where it made none, or too long ago.
std::optional<Timestamp> find_redrive(const Execution& execution, const Value& token, Timestamp now);

}  // namespace pawl::kernel
