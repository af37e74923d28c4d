// What a store holds of one execution, read and folded.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kernel/execution.h"
#include "store/store.h"

namespace pawl::sim {

struct History {
  store::ExecutionRow row;
  std::optional<store::LiveRow> live;
  std::vector<kernel::Fact> facts;
  std::unique_ptr<kernel::Execution> execution;
};

// Nothing where there is no such execution. A broken chain of chunks is a violation.
std::optional<History> read_history(const store::Store& store, ExecutionId id);

// Facts are numbered without a gap, times and events rise, the rows say what the facts say, and whatever the engine
// owes the execution is marked as needing attention.
void check_history(const History& history);

}  // namespace pawl::sim
