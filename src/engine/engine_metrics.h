// What an engine counts. Everything may be looked at from any thread.
#pragma once

#include <array>

#include "base/metrics.h"
#include "store/rows.h"

namespace pawl::engine {

struct EngineMetrics {
  Histogram commit_time{kTimeBounds};    // microseconds, from handing it to the store until it is durable
  Histogram commit_chunks{kSizeBounds};  // executions that went on in a commit
  Histogram timer_lag{kTimeBounds};      // microseconds between a due time and its firing
  Counter failed_commits;
  Counter started;                // executions, once durable
  Counter redriven;               // the same, once they go on after an end without success
  std::array<Counter, 6> closed;  // by store::ExecutionStatus

  Counter events_received;   // each once
  Counter events_duplicate;  // dropped, because they were there before
  Counter events_matched;    // waits that got one
  Counter events_started;    // executions that events started
  Counter events_produced;   // by executions
  Gauge events_kept;         // for waits to come
  Gauge sink_queue;          // produced events that a sink has not got yet, counted for each sink

  const Counter& closed_as(store::ExecutionStatus status) const { return closed[static_cast<size_t>(status)]; }
  Counter& closed_as(store::ExecutionStatus status) { return closed[static_cast<size_t>(status)]; }
};

}  // namespace pawl::engine
