// The waits of one execution for events, as the store has them: a row for each filter of each open operation.
//
// They follow from the execution's state, and are brought up to date with the facts that change it, in the same commit.
// Belongs to the thread that owns the execution.
#pragma once

#include <map>
#include <vector>

#include "kernel/execution.h"
#include "store/rows.h"

namespace pawl::engine {

class Subscriptions {
 public:
  // Of an execution that was read from the store, where they are.
  void restore(const store::ExecutionRow& row, const kernel::Execution& execution);
  // What has changed with these facts, into the batch, and the shapes of what is new. `last_event`: the last one that
  // arrived.
  void save(const store::ExecutionRow& row, const kernel::Execution& execution, const std::vector<kernel::Fact>& facts,
            store::EventNumber last_event, store::Batch& batch, std::vector<kernel::EventShape>& shapes);

 private:
  std::map<OperationId, std::vector<store::SubscriptionRow>> stored_;
};

}  // namespace pawl::engine
