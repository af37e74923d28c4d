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

  const Counter& closed_as(store::ExecutionStatus status) const { return closed[static_cast<size_t>(status)]; }
  Counter& closed_as(store::ExecutionStatus status) { return closed[static_cast<size_t>(status)]; }
};

}  // namespace pawl::engine
