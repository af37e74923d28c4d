#include "cli/run_parts.h"

#include <array>
#include <cstdio>

#include "base/random.h"
#include "cli/console.h"
#include "cli/documents.h"
#include "text/timestamp.h"

namespace pawl::cli {

using json::Value;

namespace {

std::string unclaimed_fix(const RunOptions& options) {
  if (options.mocks_file) return "Give the state a response in the mock file, or map its Resource with --tasks.";
  return "Map its Resource to an endpoint or a command with --tasks, or answer for it with --mocks.";
}

Result<std::unique_ptr<connect::MockTasks>> make_mocks(const RunOptions& options, const std::string& machine) {
  if (!options.mocks_file) return nullptr;
  PAWL_TRY(const json::Document document, read_document(*options.mocks_file));
  auto plan = connect::read_mock_config(document.root, machine, options.test_case.value_or(""));
  if (!plan) return std::unexpected(in_file(plan.error(), *options.mocks_file));
  return std::make_unique<connect::MockTasks>(std::move(*plan));
}

Result<connect::TaskTargets> read_targets(const RunOptions& options) {
  if (!options.tasks_file) return connect::TaskTargets{};
  return read_task_targets(*options.tasks_file);
}

std::string random_name() {
  std::array<char, 33> name;
  std::snprintf(name.data(), name.size(), "%016lx%016lx", entropy_seed(), entropy_seed());
  return name.data();
}

}  // namespace

// With mocks, a URL is not called by itself: a test must not reach the network because a mock is missing.
Elsewhere elsewhere_of(const RunOptions& options) { return options.mocks_file ? Elsewhere::kLeave : Elsewhere::kFetch; }

Result<RunTasks> make_run_tasks(const RunOptions& options, const std::string& machine) {
  RunTasks tasks;
  PAWL_TRY(tasks.mocks, make_mocks(options, machine));
  PAWL_TRY(connect::TaskTargets targets, read_targets(options));
  const connect::MappedTasksOptions mapped{.call_urls = tasks.mocks == nullptr,
                                           .answer_bytes_max = options.payload_bytes_max};
  tasks.mapped = std::make_unique<connect::MappedTasks>(std::move(targets), mapped);
  tasks.router = std::make_unique<connect::Router>(tasks.stop, unclaimed_fix(options));
  if (tasks.mocks != nullptr) tasks.router->add(*tasks.mocks);
  tasks.router->add(*tasks.mapped);
  return tasks;
}

Result<api::ExecutionSetup> make_run_setup(const RunOptions& options, const std::string& machine) {
  api::ExecutionSetup setup;
  PAWL_TRY(Input input, read_input(options.input, options.payload_bytes_max));
  PAWL_TRY(const Input context, read_input(options.context, options.payload_bytes_max, "--context"));
  if (!context.value.is_object())
    return fail("CONTEXT_INVALID", "The context is no object.", "Give an object.", "--context");
  setup.input = std::move(input.value);
  setup.input_text = std::move(input.text);
  setup.context = context.value;
  setup.execution_name = random_name();
  setup.machine_name = machine;
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

Value result_of(kernel::Status status, const Value& outcome, bool json) {
  const bool succeeded = status == kernel::Status::kSucceeded;
  if (succeeded && !json) return outcome;
  json::ObjectBuilder object;
  if (json) object.set("status", Value::string(kernel::name_of(status)));
  if (succeeded) {
    object.set("output", outcome);
  } else {
    const api::Failure failure = api::failure_of(outcome);
    object.set("error", failure.error);
    object.set("cause", failure.cause);
  }
  return object.build();
}

int refuse_run(const Error& error, const RunOptions& options) {
  report(error, options.json);
  return finish_output(kExitRefused);
}

int report_interrupt(int signal, const RunOptions& options) {
  report(Error{"INTERRUPTED", "", "The execution was stopped by a signal.", ""}, options.json);
  return finish_output(kExitSignalBase + signal);
}

}  // namespace pawl::cli
