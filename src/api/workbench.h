// Runs a definition on the engine itself, in memory and on one thread: with events, sub-workflows and timers, in real
// or in virtual time. What `pawl run` does for every language but ASL, and the conformance suite of Serverless
// Workflow.
//
//   Workbench bench({"order", program}, router, {.virtual_time = true});
//   bench.start(input);
//   bench.publish(Duration(5'000), event);
//   const auto instances = bench.run();
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/task.h"
#include "kernel/execution.h"
#include "kernel/program.h"

namespace pawl::store {
class Store;
}

namespace pawl::api {

using json::Value;

inline constexpr size_t kBenchExecutionsMax = 100'000;  // of one run: a workflow that its own events start has no end

// A fact, as it became durable.
struct BenchFact {
  ExecutionId execution;
  std::string_view definition;  // its name
  std::string_view name;        // the execution's
  FactSeq seq;
  const kernel::Fact& fact;
  const kernel::Program& program;
};

struct BenchDefinition {
  std::string name;
  std::shared_ptr<const kernel::Program> program;
};

struct BenchOptions {
  bool virtual_time = false;     // waits take no time: the clock jumps when no task is in flight
  std::optional<Timestamp> now;  // where the clock starts; virtual time only
  kernel::Limits limits;
  uint64_t seed = 0;
  Value context;                              // members that replace or add to those of the context; an object or null
  Value labels;                               // of every start, handed to its tasks
  bool restart_after_each_commit = false;     // the engine is closed and opened again: for tests of recovery
  std::function<store::Store&()> open_store;  // called for each such opening, with no store in use; none: memory
  std::function<void(const BenchFact&)> on_fact;       // in the order of the commits, on the running thread
  std::function<void(const Value& event)> on_emitted;  // a CloudEvent that an execution produced; the same
  // The definition that a sub-workflow names; a null program: there is none.
  std::function<std::shared_ptr<const kernel::Program>(std::string_view name)> find_definition;
  std::stop_token stop;  // asked from any thread: the run ends early, with INTERRUPTED
};

// An execution of the definition that was started directly or by events.
struct Instance {
  ExecutionId execution;
  std::string name;
  kernel::Status status = kernel::Status::kRunning;
  Value outcome;  // output or {"Error", "Cause"}
};

// Lifecycle: start and publish what you like, then run once. Concurrency: one thread; tasks may answer from any.
class Workbench {
 public:
  // `tasks` outlives the workbench.
  Workbench(BenchDefinition definition, engine::TaskHandler& tasks, BenchOptions options);
  ~Workbench();
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  // An execution that run() starts first.
  void start(Value input, std::string input_text = {}, std::string name = {});
  // The same for a definition that a schedule starts, whose first state may wait for events: the schedule makes them.
  void start_by_schedule(std::string name);
  // One execution as the definition's start rule has it: none where events start it. A schedule is not waited for: the
  // run stands for its next time. Errors: START_NOT_ALLOWED, those of api::StartWindow::of.
  Result<void> start_by_rule(Value input, std::string input_text, std::string name);
  // A CloudEvent that arrives so long after the beginning of run().
  void publish(Duration after, Value event);

  // Until every execution has ended and every event has come, or nothing can happen any more. The instances in the
  // order of their starts; those that wait for what never came are still running. Errors: what the engine refuses
  // (EVENT_INVALID, …), RUN_TOO_MANY, INTERRUPTED.
  Result<std::vector<Instance>> run();

  Timestamp now() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

// RUN_STUCK where an instance waits for what never came, RUN_NOTHING_STARTED where there is none.
Result<void> check_ended(const std::vector<Instance>& instances);

}  // namespace pawl::api
