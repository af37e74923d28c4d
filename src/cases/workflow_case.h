// Runs a case whose definition is no state machine: on the engine, with events and sub-workflows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/workbench.h"
#include "cases/case_file.h"

namespace pawl::cases {

// Whether the case's definition is in a language that runs so. A definition that cannot be read is not.
bool is_workflow(const Case& source);

struct WorkflowRunOptions {
  bool restarts = false;                               // the engine is closed and opened again after every commit
  std::function<store::Store&()> open_store;           // as in api::BenchOptions
  std::function<void(const api::BenchFact&)> on_fact;  // sees every fact of every execution; may be empty
};

// In virtual time, every task answered by the case's mocks.
void run_and_judge_workflow(const Case& source, const WorkflowRunOptions& options,
                            std::vector<std::string>& differences);

}  // namespace pawl::cases
