// How far a run of ours agrees with a recording: levels of rising strictness.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "recording.h"

namespace pawl::conformance {

enum class Level : uint8_t {
  kStatus,
  kOutput,
  kError,
  kCause,
  kRequests,      // what the tasks were asked
  kEventTypes,    // the sequence of types and state names
  kStateData,     // the inputs and outputs of states, and what they assigned
  kEventIds,      // id and previousEventId
  kEventDetails,  // everything that an event says
  kVerdict,       // of a definition: accepted or refused
  kMessage,       // AWS's words for the refusal
  kAnswer,        // everything that the answer to an API call says
};
inline constexpr size_t kLevelCount = 12;

std::string_view name_of(Level level);  // "event types"
// The levels that a kind of recording is judged by, in order.
std::vector<Level> levels_of(const Recording& recording);

// What our run came to, in the recording's shapes.
struct Ours {
  std::string status;
  Value output;
  Value error;
  Value cause;
  std::vector<Value> events;            // unfolded, with placeholders
  std::vector<std::string> complaints;  // about requests
};

// The differences found at each level; none where it agrees. A level that the recording says nothing of agrees.
struct Agreement {
  std::array<std::vector<std::string>, kLevelCount> differences;

  std::vector<std::string>& at(Level level) { return differences[static_cast<size_t>(level)]; }
  const std::vector<std::string>& at(Level level) const { return differences[static_cast<size_t>(level)]; }
};

void compare_end(const Recording& recording, const Ours& ours, Agreement& agreement);

}  // namespace pawl::conformance
