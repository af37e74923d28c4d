// A frame: one step of one scope in one node. It gives codes what they need and appends the facts they decide.
#pragma once

#include <optional>
#include <string_view>

#include "kernel/turn.h"
#include "lang/serverless/failure.h"
#include "lang/serverless/model.h"
#include "lang/serverless/program.h"

namespace pawl::serverless {

// What a join is started with.
struct JoinPlan {
  size_t total = 0;
  uint32_t at_once = 0;  // 0: all
  uint32_t needed = 0;   // 0: all
  Value memory;          // what its children work on; given back by Frame::memory
};

class Frame {
 public:
  Frame(const Program& program, const NodeCode& node, ScopeId scope, kernel::Turn& turn)
      : program_(program), node_(node), scope_(scope), turn_(turn) {}

  const Program& program() const { return program_; }
  const NodeCode& node() const { return node_; }
  const kernel::Execution& execution() const { return turn_.execution(); }
  const kernel::Scope& scope() const { return execution().scope(scope_); }
  kernel::Turn& turn() { return turn_; }
  const kernel::Limits& limits() const { return turn_.limits(); }
  Timestamp now() const { return turn_.now(); }
  const Value& input() const { return scope().input; }

  // So much later than now. Failure: Workflow.TimeTooFar.
  Attempt<Timestamp> after(const DurationField& duration) const;

  // --- operations: the scope waits
  void call(kernel::OperationKind kind, Value input, const std::optional<DurationField>& timeout);
  void await_event(Value input, Timestamp due);
  // A child's wait for an event ends then.
  void limit_wait(const kernel::Scope& child, Timestamp due);
  void sleep_until(Timestamp due);
  void retry_at(Timestamp due, uint32_t number, Value memory);

  // --- joins
  void start_join(JoinPlan plan);
  bool has_join() const { return scope().join != nullptr; }
  const kernel::Join& join() const { return *scope().join; }
  const Value& memory() const { return join().items; }
  void open_child(StateOrdinal first, Value input);
  void end_join(kernel::Outcome outcome);
  bool succeeded(uint32_t child) const;  // of the join

  // --- leaving
  void publish(Value event);
  void go_to(StateOrdinal next, Value output);
  // Ends the execution, and with `terminate` whatever waits for it.
  void succeed(Value output, bool terminate);
  void halt(const Failure& failure);
  // Of a child: leaves its node and closes the scope, and tells the node that holds it.
  void close(Value result);
  void fail_scope(Failure failure);

 private:
  kernel::Fact fact(kernel::FactKind kind) const;
  kernel::Fact operation(kernel::OperationKind kind, Value input) const;
  Frame parent();
  bool has_enough_children() const;

  const Program& program_;
  const NodeCode& node_;
  ScopeId scope_;
  kernel::Turn& turn_;
};

}  // namespace pawl::serverless
