// AWS's GetExecutionHistory: a view of facts.
#pragma once

#include <span>
#include <vector>

#include "json/value.h"
#include "kernel/fact.h"
#include "lang/asl/program.h"

namespace pawl::asl {

// One HistoryEvent for a fact that shows in the history, in the shape of AWS's API: {"timestamp", "type", "id",
// "previousEventId", "<type>EventDetails"}; inputs and outputs as JSON text, timestamps as RFC 3339 text. Facts must be
// given in order, from the first, or from the one that follows a known state: details of later events are found in what
// came before.
class HistoryView {
 public:
  explicit HistoryView(const Program& program);
  ~HistoryView();
  // The facts that follow are those after this state.
  void begin_at(const kernel::Execution& execution);
  // Null where the fact does not show.
  Value event_of(const kernel::Fact& fact);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pawl::asl
