// Runs one execution in this process, in memory, to its end: what `pawl run`, `pawl test` and the conformance suite do.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/task.h"
#include "kernel/execution.h"
#include "kernel/fact.h"
#include "kernel/program.h"

namespace pawl::engine {

struct LocalRunOptions {
  bool virtual_time = false;  // waits, delays and timeouts take no time: the clock jumps when no real task is in flight
  std::optional<Timestamp> now;  // where the clock starts; virtual time only
  kernel::Limits limits;
  uint64_t seed = 0;
  std::string input_text;                // as sent, for histories and causes; empty: as the input prints
  Value labels;                          // handed to its tasks
  std::string execution_name = "local";  // part of idempotency keys and tokens
  bool prove_rebuild = false;  // store and fold the facts anew as the run goes on, compare with the live state, and go
                               // on with what was folded
  std::function<bool(std::string_view resource)> has_activity;  // which activities there are; empty: all
  std::function<void(const kernel::Fact&)> on_fact;             // on the running thread, as facts are recorded
  std::stop_token stop;  // asked from any thread: the execution is aborted, its tasks are cancelled
};

struct LocalRun {
  kernel::Status status = kernel::Status::kNotStarted;
  Value outcome;  // output or {"Error", "Cause"}
  std::vector<kernel::Fact> facts;
};

// What begins an execution. `input_text` is the input as it was sent; empty: as it prints.
kernel::Signal start_signal(Value input, Value context, const std::string& input_text);

// `context` is the fixed part of the Context Object. Returns when the execution is closed.
// Error: RUN_STUCK where it waits for something that can never come.
Result<LocalRun> run_local(const kernel::Program& program, Value input, Value context, TaskHandler& tasks,
                           const LocalRunOptions& options);

}  // namespace pawl::engine
