// `pawl run`: one execution, in this process, to its end.
#include <array>
#include <cstdio>

#include <unistd.h>

#include "api/machine.h"
#include "base/random.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/documents.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/live_line.h"
#include "connect/mapped_tasks.h"
#include "connect/mocks.h"
#include "json/print.h"
#include "lang/asl/history.h"
#include "text/timestamp.h"

namespace pawl::cli {

namespace {

using json::Value;

std::string unclaimed_fix(const RunOptions& options) {
  if (options.mocks_file) return "Give the state a response in the mock file, or map its Resource with --tasks.";
  return "Map its Resource to an endpoint or a command with --tasks, or answer for it with --mocks.";
}

// Everything that answers the tasks of one run.
struct Tasks {
  std::stop_source stop;
  std::unique_ptr<connect::MockTasks> mocks;
  std::unique_ptr<connect::MappedTasks> mapped;
  std::unique_ptr<connect::Router> router;
};

Result<std::unique_ptr<connect::MockTasks>> make_mocks(const RunOptions& options) {
  if (!options.mocks_file) return nullptr;
  PAWL_TRY(const json::Document document, read_document(*options.mocks_file));
  auto plan =
      connect::read_mock_config(document.root, api::machine_name_of(options.file), options.test_case.value_or(""));
  if (!plan) return std::unexpected(in_file(plan.error(), *options.mocks_file));
  return std::make_unique<connect::MockTasks>(std::move(*plan));
}

Result<connect::TaskTargets> read_targets(const RunOptions& options) {
  if (!options.tasks_file) return connect::TaskTargets{};
  return read_task_targets(*options.tasks_file);
}

// Mocks first, then what --tasks maps, then Resources that are URLs. With mocks, a URL is not called by itself: a test
// must not reach the network because a mock is missing.
Result<Tasks> make_tasks(const RunOptions& options) {
  Tasks tasks;
  PAWL_TRY(tasks.mocks, make_mocks(options));
  PAWL_TRY(connect::TaskTargets targets, read_targets(options));
  const connect::MappedTasksOptions mapped{.call_urls = tasks.mocks == nullptr,
                                           .answer_bytes_max = options.payload_bytes_max};
  tasks.mapped = std::make_unique<connect::MappedTasks>(std::move(targets), mapped);
  tasks.router = std::make_unique<connect::Router>(tasks.stop, unclaimed_fix(options));
  if (tasks.mocks != nullptr) tasks.router->add(*tasks.mocks);
  tasks.router->add(*tasks.mapped);
  return tasks;
}

std::string random_name() {
  std::array<char, 33> name;
  std::snprintf(name.data(), name.size(), "%016lx%016lx", entropy_seed(), entropy_seed());
  return name.data();
}

Result<api::ExecutionSetup> make_setup(const RunOptions& options) {
  api::ExecutionSetup setup;
  PAWL_TRY(Input input, read_input(options.input, options.payload_bytes_max));
  PAWL_TRY(const Input context, read_input(options.context, options.payload_bytes_max, "--context"));
  if (!context.value.is_object())
    return fail("CONTEXT_INVALID", "The context is no object.", "Give an object.", "--context");
  setup.input = std::move(input.value);
  setup.input_text = std::move(input.text);
  setup.context = context.value;
  setup.execution_name = random_name();
  setup.machine_name = api::machine_name_of(options.file);
  setup.virtual_time = options.virtual_time;
  setup.limits = {options.events_max, options.payload_bytes_max};
  setup.seed = entropy_seed();
  if (!options.now) return setup;
  const auto now = text::parse_timestamp(*options.now);
  if (!now)
    return fail("NOW_INVALID", "'" + *options.now + "' is no timestamp.", "Write it as 2020-01-01T00:00:00Z.", "--now");
  setup.now = now->ceil_to_milliseconds();
  return setup;
}

Value to_value(const engine::LocalRun& run, bool json) {
  const bool succeeded = run.status == kernel::Status::kSucceeded;
  if (succeeded && !json) return run.outcome;
  json::ObjectBuilder object;
  if (json) object.set("status", Value::string(kernel::name_of(run.status)));
  if (succeeded) {
    object.set("output", run.outcome);
  } else {
    const api::Failure failure = api::failure_of(run.outcome);
    object.set("error", failure.error);
    object.set("cause", failure.cause);
  }
  return object.build();
}

// Prints what a run shows while it goes on.
class Reporter {
 public:
  Reporter(const asl::Program& program, const RunOptions& options)
      : program_(program),
        options_(options),
        history_(program),
        line_(can_redraw() && !(options.history && ::isatty(STDOUT_FILENO) != 0)) {}

  void show(const kernel::Fact& fact) {
    if (fact.kind == kernel::FactKind::kStateEntered) line_.show_state(program_.state_name(fact.state));
    if (!options_.history) return;
    const Value event = history_.event_of(fact);
    if (!event.is_object()) return;
    print_line(json::print(event));
    if (!options_.virtual_time) std::fflush(stdout);  // whoever reads along sees it when it happens
  }

 private:
  const asl::Program& program_;
  const RunOptions& options_;
  asl::HistoryView history_;
  LiveLine line_;
};

Result<engine::LocalRun> execute(const asl::Program& program, const RunOptions& options, api::ExecutionSetup setup,
                                 Tasks& tasks) {
  Reporter reporter(program, options);
  setup.on_fact = [&](const kernel::Fact& fact) { reporter.show(fact); };
  return api::run_machine(program, setup, *tasks.router, tasks.stop);
}

int conclude(const Result<engine::LocalRun>& run, const RunOptions& options, int signal) {
  if (signal != 0) {
    report(Error{"INTERRUPTED", "", "The execution was stopped by a signal.", ""}, options.json);
    return finish_output(kExitSignalBase + signal);
  }
  if (!run) {
    report(run.error(), options.json);
    return finish_output(kExitRefused);
  }
  const Value result = to_value(*run, options.json);
  if (options.history)
    print_line(json::print(result));
  else
    print_value(result);
  return finish_output(run->status == kernel::Status::kSucceeded ? kExitOk : kExitFailed);
}

Result<asl::Options> read_assignments(const std::vector<std::string>& assignments) {
  asl::Options options;
  for (const std::string& assignment : assignments)
    if (auto set = options.set(assignment); !set) return std::unexpected(in_file(set.error(), "--set"));
  return options;
}

int refuse(const Error& error, const RunOptions& options) {
  report(error, options.json);
  return kExitRefused;
}

}  // namespace

int run(const RunOptions& options) {
  const auto assigned = read_assignments(options.assignments);
  if (!assigned) return refuse(assigned.error(), options);
  const auto text = read_file(options.file, kDefinitionBytesMax);
  if (!text) return refuse(text.error(), options);
  const api::LoadedMachine machine = api::load_machine(*text, options.file, *assigned);
  if (machine.program == nullptr) {
    report(machine.diagnostics, options.json);
    return kExitRefused;
  }
  auto setup = make_setup(options);
  if (!setup) return refuse(setup.error(), options);
  auto tasks = make_tasks(options);
  if (!tasks) return refuse(tasks.error(), options);
  const InterruptWatcher interrupt(tasks->stop);
  const auto outcome = execute(*machine.program, options, std::move(*setup), *tasks);
  return conclude(outcome, options, interrupt.signal());
}

}  // namespace pawl::cli
