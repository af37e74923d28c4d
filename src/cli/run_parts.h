// What every `pawl run` needs, whatever the language: who answers its tasks, what it starts with, how its end is told.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "api/definition.h"
#include "api/machine.h"
#include "base/result.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "connect/mapped_tasks.h"
#include "connect/mocks.h"
#include "connect/router.h"

namespace pawl::cli {

// One run's. The router outlives the run.
struct RunTasks {
  std::stop_source stop;
  std::unique_ptr<connect::MockTasks> mocks;
  std::unique_ptr<connect::MappedTasks> mapped;
  std::unique_ptr<connect::Router> router;
};

// Mocks first, then what --tasks maps, then Resources that are URLs. `machine` is the name that the mock file knows the
// definition by. Errors: MOCKS_…, TASKS_…, those of files.
Result<RunTasks> make_run_tasks(const RunOptions& options, const std::string& machine);

// With mocks nothing is asked of anybody else.
Elsewhere elsewhere_of(const RunOptions& options);

// Errors: those of --input, --context and --now.
Result<api::ExecutionSetup> make_run_setup(const RunOptions& options, const std::string& machine);

// The output; or, of one that failed and with --json, an object that says what became of it.
json::Value result_of(kernel::Status status, const json::Value& outcome, bool json);

int refuse_run(const Error& error, const RunOptions& options);
int report_interrupt(int signal, const RunOptions& options);

// A definition in any language but ASL: on the engine, with its events and sub-workflows (run_workflow.cpp).
int run_workflow(const RunOptions& options, const api::LoadedDefinition& definition);

}  // namespace pawl::cli
