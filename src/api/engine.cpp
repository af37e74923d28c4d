// The library's public face: include/pawl/engine.h on top of the modules.
#include "pawl/engine.h"

#include <array>
#include <cstdio>

#include "api/machine.h"
#include "base/random.h"
#include "connect/functions.h"
#include "json/parse.h"
#include "json/position.h"
#include "json/print.h"
#include "json/utf8.h"
#include "lang/asl/history.h"

namespace pawl {

struct Workflow::Internals {
  std::string name;
  std::unique_ptr<asl::Program> program;
};

struct Engine::State {
  struct Entry {
    std::string pattern;
    TaskFunction function;
  };
  std::vector<Entry> entries;
};

namespace {

using engine::TaskAnswer;
using engine::TaskRequest;
using json::Value;

Problem to_problem(const Error& error) { return {true, error.code, error.where, "", error.what, error.fix}; }

Problem to_problem(const Diagnostic& diagnostic) {
  const std::string place = diagnostic.file + ":" + json::to_string(diagnostic.position);
  return {diagnostic.severity == Severity::kError,
          diagnostic.code,
          place,
          diagnostic.pointer,
          diagnostic.cause,
          diagnostic.fix};
}

RunResult refused(const Error& error) {
  RunResult result;
  result.problem = to_problem(error);
  return result;
}

// What a handler wrote may hold any bytes; a Value holds UTF-8.
std::string_view valid_part(std::string_view text) { return text.substr(0, json::find_invalid_utf8(text)); }

TaskAnswer to_answer(const TaskResult& result) {
  if (!result.succeeded) return TaskAnswer::failed(valid_part(result.error), valid_part(result.cause));
  auto output = json::parse(result.output);
  if (output) return TaskAnswer::succeeded(std::move(*output));
  return TaskAnswer::failed("States.TaskFailed", "The handler's output is not JSON: " + to_string(output.error()));
}

TaskAnswer call(const TaskFunction& function, const TaskRequest& request) {
  try {
    return to_answer(function(
        {request.state, request.resource, json::print(request.input), request.idempotency_key, request.attempt}));
  } catch (const std::exception& failure) {
    return TaskAnswer::failed("States.TaskFailed", valid_part(failure.what()));
  } catch (...) {
    return TaskAnswer::failed("States.TaskFailed", "The handler threw something that is no std::exception.");
  }
}

std::string random_name() {
  std::array<char, 33> name;
  std::snprintf(name.data(), name.size(), "%016lx%016lx", entropy_seed(), entropy_seed());
  return name.data();
}

Result<Value> parse_text(std::string_view text, const char* what) {
  if (text.empty()) return Value::empty_object();
  auto parsed = json::parse(text);
  if (parsed) return parsed;
  Error error = parsed.error();
  error.where = std::string(what) + ":" + error.where;
  return std::unexpected(std::move(error));
}

Result<api::ExecutionSetup> make_setup(const std::string& name, std::string_view input, const RunSettings& settings) {
  if (input.size() > settings.payload_bytes_max)
    return fail(
        "INPUT_TOO_LARGE",
        "The input has more than " + std::to_string(settings.payload_bytes_max) + " bytes (States.DataLimitExceeded).",
        "Give less, or raise payload_bytes_max.", "input");
  api::ExecutionSetup setup;
  PAWL_TRY(setup.input, parse_text(input, "input"));
  PAWL_TRY(setup.context, parse_text(settings.context, "context"));
  if (!setup.context.is_object())
    return fail("CONTEXT_INVALID", "The context is no object.", "Give an object.", "context");
  setup.input_text = input;
  setup.execution_name = settings.execution_name.empty() ? random_name() : settings.execution_name;
  setup.machine_name = name;
  setup.virtual_time = settings.virtual_time;
  if (settings.now) setup.now = std::chrono::time_point_cast<Duration>(*settings.now);
  setup.limits = {settings.events_max, settings.payload_bytes_max};
  setup.seed = settings.seed ? *settings.seed : entropy_seed();
  return setup;
}

RunResult::Status to_status(kernel::Status status) {
  switch (status) {
    case kernel::Status::kSucceeded:
      return RunResult::Status::kSucceeded;
    case kernel::Status::kFailed:
      return RunResult::Status::kFailed;
    case kernel::Status::kTimedOut:
      return RunResult::Status::kTimedOut;
    case kernel::Status::kAborted:
      return RunResult::Status::kAborted;
    case kernel::Status::kNotStarted:
    case kernel::Status::kRunning:
      return RunResult::Status::kRefused;
  }
  return RunResult::Status::kRefused;
}

RunResult to_result(const engine::LocalRun& run) {
  RunResult result;
  result.status = to_status(run.status);
  if (result.succeeded()) {
    result.output = json::print(run.outcome);
    return result;
  }
  const api::Failure failure = api::failure_of(run.outcome);
  if (failure.error.is_string()) result.error = failure.error.as_string();
  if (failure.cause.is_string()) result.cause = failure.cause.as_string();
  return result;
}

// Hands each event to whoever asked for it.
class EventTap {
 public:
  EventTap(const asl::Program& program, const RunSettings& settings) : view_(program), settings_(settings) {}

  bool is_wanted() const { return settings_.keep_history || settings_.on_event; }

  void take(const kernel::Fact& fact) {
    const Value event = view_.event_of(fact);
    if (!event.is_object()) return;
    std::string text = json::print(event);
    if (settings_.on_event) settings_.on_event(text);
    if (settings_.keep_history) history_.push_back(std::move(text));
  }

  std::vector<std::string> history() && { return std::move(history_); }

 private:
  asl::HistoryView view_;
  const RunSettings& settings_;
  std::vector<std::string> history_;
};

}  // namespace

Engine::Engine() : state_(std::make_unique<State>()) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

Engine& Engine::handle(std::string pattern, TaskFunction function) {
  state_->entries.push_back({std::move(pattern), std::move(function)});
  return *this;
}

Compilation Engine::compile(std::string_view definition, std::string_view name,
                            const std::vector<std::string>& options) const {
  Compilation compilation;
  asl::Options assigned;
  for (const std::string& option : options) {
    if (auto set = assigned.set(option); !set) {
      compilation.problems.push_back(to_problem(set.error()));
      return compilation;
    }
  }
  api::LoadedMachine machine = api::load_machine(definition, name, assigned);
  for (const Diagnostic& diagnostic : machine.diagnostics) compilation.problems.push_back(to_problem(diagnostic));
  if (machine.program == nullptr) return compilation;
  auto internals = std::make_shared<Workflow::Internals>();
  internals->name = api::machine_name_of(name);
  internals->program = std::move(machine.program);
  compilation.workflow.emplace(std::move(internals));
  return compilation;
}

RunResult Engine::run(const Workflow& workflow, std::string_view input, const RunSettings& settings) const {
  const asl::Program& program = *workflow.internals().program;
  auto setup = make_setup(workflow.internals().name, input, settings);
  if (!setup) return refused(setup.error());
  std::stop_source stop;
  const std::stop_callback pass_on(settings.stop, [&] { stop.request_stop(); });
  connect::FunctionTasks functions;
  for (const State::Entry& entry : state_->entries)
    functions.add(entry.pattern, [&entry](const TaskRequest& request) { return call(entry.function, request); });
  connect::Router router(stop, "Give the Engine a handler for the Resource.");
  router.add(functions);
  EventTap tap(program, settings);
  if (tap.is_wanted()) setup->on_fact = [&](const kernel::Fact& fact) { tap.take(fact); };
  const auto run = api::run_machine(program, *setup, router, stop);
  if (!run) return refused(run.error());
  RunResult result = to_result(*run);
  result.history = std::move(tap).history();
  return result;
}

}  // namespace pawl
