// One step of one scope in one node of a definition: what languages decide there, appended as facts.
//
// A language derives its own frame from it, with what its nodes need besides.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/turn.h"

namespace pawl::kernel {

// What a join is started with.
struct JoinPlan {
  size_t total = 0;
  uint32_t at_once = 0;  // 0: all
  uint32_t needed = 0;   // 0: all
  Value memory;          // what its children work on; given back by ScopeFrame::memory
};

class ScopeFrame {
 public:
  ScopeFrame(ScopeId scope, StateOrdinal node, Turn& turn) : scope_(scope), turn_(turn), ordinal_(node) {}

  const Execution& execution() const { return turn_.execution(); }
  const Scope& scope() const { return execution().scope(scope_); }
  Turn& turn() const { return turn_; }
  const Limits& limits() const { return turn_.limits(); }
  Timestamp now() const { return turn_.now(); }
  const Value& input() const { return scope().input; }

  // --- operations: the scope waits
  void sleep_until(Timestamp due);  // kNever: until it is woken
  void retry_at(Timestamp due, uint32_t number, Value memory = {});

  // --- joins
  void start_join(JoinPlan plan);
  bool has_join() const { return scope().join != nullptr; }
  const Join& join() const { return *scope().join; }
  const Value& memory() const { return join().items; }
  void open_child(StateOrdinal first, Value input);
  void end_join(Outcome outcome);
  bool succeeded(uint32_t child) const;  // of the join
  bool has_enough_children() const;      // a child that fails after that is ignored

  // --- leaving
  void publish(Value event);
  void go_to(StateOrdinal next, Value output);
  // Ends the execution, and with `terminate` whatever waits for it.
  void succeed(Value output, bool terminate = false);

 protected:
  Fact fact(FactKind kind) const;
  Fact operation(OperationKind kind, Value input) const;
  // As operation(), with a timeout at `end`. Whoever is called hears of whole seconds, never too few.
  Fact operation_until(OperationKind kind, Value input, Timestamp end) const;
  void end_execution(FactKind kind, Value value, Value extra = {});

  ScopeId scope_;
  Turn& turn_;

 private:
  StateOrdinal ordinal_;
};

}  // namespace pawl::kernel
