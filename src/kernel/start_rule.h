// What starts executions of a definition besides a direct start: events, or a schedule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "kernel/event_filter.h"

namespace pawl::kernel {

// Value type; made once when a definition is compiled.
struct StartRule {
  // Events: none where no event starts it.
  std::vector<EventFilter> events;
  bool needs_all = false;  // one of each, in any order; else any one
  Duration gap{0};         // needs_all: the longest time between two of them; 0: no limit

  // A schedule: at most one of interval and cron is there.
  std::string interval;       // ISO 8601: when it may be started
  std::string cron;           // when it is started
  std::string timezone;       // of cron; empty: the machine's
  bool allows_direct = true;  // directInvoke: also outside of the interval, or besides cron

  bool is_event_started() const { return !events.empty(); }
  bool is_scheduled() const { return !interval.empty() || !cron.empty(); }
};

}  // namespace pawl::kernel
