// The facts of a durable function as the events of AWS's GetDurableExecutionHistory.
#pragma once

#include <memory>

#include "json/value.h"
#include "kernel/execution.h"

namespace pawl::functions {

using json::Value;

class HistoryView {
 public:
  // Begins with the fact after those that `before` holds; null: with the first.
  explicit HistoryView(const kernel::Execution* before = nullptr, bool with_data = true);

  // Null where the fact does not show. Facts must be given in order.
  Value event_of(const kernel::Fact& fact);

 private:
  std::unique_ptr<kernel::Execution> state_;
  bool with_data_;
};

}  // namespace pawl::functions
