// Pawl in your program: compile a definition, give it task handlers in C++, run it.
//
//   pawl::Engine engine;
//   engine.handle("arn:aws:lambda:*:function:greet", [](const pawl::TaskCall& call) {
//     return pawl::TaskResult::success("\"Hello\"");
//   });
//   const pawl::Compilation compiled = engine.compile(definition_text);
//   if (!compiled.workflow) { /* compiled.problems says why */ }
//   const pawl::RunResult result = engine.run(*compiled.workflow, R"({"name":"Ada"})");
//   // result.status, result.output
//
// Definitions, inputs and outputs are JSON text; a definition may be YAML as well. Nothing here throws but what a copy
// of a string can.
//
// Threads: set an Engine up on one thread, then run from as many as you like. Task handlers are called on threads of
// the run, several at once.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// Something to say about a text: a mistake that refuses it, or a warning.
struct Problem {
  bool is_error = true;
  std::string code;     // stable: "ASL_UNKNOWN_FIELD"
  std::string where;    // file:line:column, or what else is known of the place
  std::string pointer;  // JSON Pointer into the definition
  std::string cause;    // one sentence
  std::string fix;      // one sentence; may be empty
};

// One call of a task.
struct TaskCall {
  std::string state;            // the name of the state
  std::string resource;         // as the definition says it
  std::string input;            // JSON
  std::string idempotency_key;  // the same when one attempt is made again
  std::uint32_t attempt = 0;    // retries before this one
};

// What a handler answers.
struct TaskResult {
  bool succeeded = true;
  std::string output = "null";  // JSON
  std::string error;
  std::string cause;

  static TaskResult success(std::string output_json) {
    TaskResult result;
    result.output = std::move(output_json);
    return result;
  }
  static TaskResult failure(std::string error_name, std::string cause_text) {
    TaskResult result;
    result.succeeded = false;
    result.error = std::move(error_name);
    result.cause = std::move(cause_text);
    return result;
  }
};

// An exception that leaves a handler, or an output that is not JSON, fails the task with States.TaskFailed.
using TaskFunction = std::function<TaskResult(const TaskCall&)>;

// A compiled definition: immutable, cheap to copy, usable on any thread and by any Engine.
class Workflow {
 public:
  struct Internals;
  explicit Workflow(std::shared_ptr<const Internals> internals) : internals_(std::move(internals)) {}
  const Internals& internals() const { return *internals_; }

 private:
  std::shared_ptr<const Internals> internals_;
};

struct Compilation {
  std::optional<Workflow> workflow;  // none where a problem is an error
  std::vector<Problem> problems;     // warnings, too
};

struct RunSettings {
  bool virtual_time = false;                                 // waits, retry delays and timeouts take no time
  std::optional<std::chrono::system_clock::time_point> now;  // where the virtual clock starts
  std::string context;                      // a JSON object: members of the Context Object; may be empty
  std::string execution_name;               // empty: a random one
  std::optional<std::uint64_t> seed;        // of States.UUID, States.MathRandom and jitter; none: a random one
  std::uint32_t events_max = 25'000;        // of the history; then the execution fails
  std::size_t payload_bytes_max = 262'144;  // of each input, output and result
  bool keep_history = false;                // fills RunResult::history
  std::function<void(std::string_view event)> on_event;  // each event of the history as JSON, when it happens
  std::stop_token stop;                                  // ends the execution early
};

struct RunResult {
  enum class Status : std::uint8_t {
    kSucceeded,
    kFailed,    // error and cause say why
    kTimedOut,  // the machine's own TimeoutSeconds
    kAborted,   // it was stopped
    kRefused,   // it did not run to an end: problem says why (a wrong input, a task without a handler)
  };
  Status status = Status::kRefused;
  std::string output;  // JSON, where it succeeded
  std::string error;
  std::string cause;
  std::optional<Problem> problem;
  std::vector<std::string> history;  // events in the shape of AWS's GetExecutionHistory, each as JSON

  bool succeeded() const { return status == Status::kSucceeded; }
};

class Engine {
 public:
  Engine();
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // Answers the tasks whose Resource is `pattern`, in which '*' stands for any text. An exact Resource comes before
  // patterns, then the first that was given.
  Engine& handle(std::string pattern, TaskFunction function);

  // `name` is what problems call the text and what $$.StateMachine.Name is, up to its first dot; `options` are as
  // `--set` takes them
  // ("errors=spec").
  Compilation compile(std::string_view definition, std::string_view name = "workflow",
                      const std::vector<std::string>& options = {}) const;

  // Runs an execution to its end, on the calling thread. An empty input is {}.
  RunResult run(const Workflow& workflow, std::string_view input = {}, const RunSettings& settings = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pawl
