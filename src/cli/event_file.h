// The file of `pawl run --events`: events that arrive while the run goes on, one JSON object a line.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"

namespace pawl::cli {

inline constexpr size_t kEventFileBytesMax = 256 * 1024 * 1024;

struct TimedEvent {
  Duration after{0};  // the beginning of the run
  json::Value event;  // a CloudEvent
};

// Lines {"after": "PT5S", "event": {…}}; without `after` at once, lines without anything are passed over. An event that
// has no specversion or id is given one. Errors: EVENTS_INVALID, those of JSON, of durations and of events
// (net/cloud_event.h), each with file, line and column; those of files.
Result<std::vector<TimedEvent>> read_event_file(const std::string& file, Timestamp begin);

}  // namespace pawl::cli
