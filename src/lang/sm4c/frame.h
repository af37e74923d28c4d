// A frame: one step of one scope in one node. It gives codes what they need and appends the facts they decide.
#pragma once

#include <optional>
#include <string_view>

#include "kernel/turn.h"
#include "lang/sm4c/failure.h"
#include "lang/sm4c/model.h"
#include "lang/sm4c/program.h"

namespace pawl::sm4c {

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
  const StateMachine& machine() const { return program_.machine(); }
  const NodeCode& node() const { return node_; }
  const kernel::Execution& execution() const { return turn_.execution(); }
  const kernel::Scope& scope() const { return execution().scope(scope_); }
  kernel::Turn& turn() const { return turn_; }
  const Value& input() const { return scope().input; }

  // So much later than now. Failure: StateMachine.TimeTooFar.
  Attempt<Timestamp> after(const Timespan& timespan) const;
  Attempt<Value> evaluate(const Expression& expression, const Value& input, Value value = {}) const;
  Attempt<Value> evaluate(const Template& data, const Value& input) const;
  Attempt<bool> test(const Expression& condition, const Value& input, Value value = {}) const;  // JSON true
  // Failure: StateMachine.DataLimitExceeded.
  Attempt<void> check_size(const Value& data, std::string_view what) const;

  // The same turn in another scope, in the node where that is.
  Frame in(ScopeId scope) const;
  Frame parent() const { return in(scope().parent); }

  // --- operations: the scope waits
  void call(kernel::OperationKind kind, Value input, const std::optional<Timespan>& timeout);
  void await_event(Value input);
  void sleep_until(Timestamp due);  // kNever: until it is woken
  void retry_at(Timestamp due, uint32_t number);
  // Ends what the scope waits for, before its time.
  void wake(Value value);

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
  void enter_again(Value input);  // leaves the node and enters it at once, with another input
  // End the execution.
  void succeed(Value output, bool terminate = false);
  void halt(const Failure& failure);
  void time_out(const Failure& failure);
  // Of a child: leaves its node and closes the scope, and tells the node that holds it. `told` is what that gets.
  void close(Value result, Value told);
  void fail_scope(Failure failure);
  void abort_scope();

 private:
  kernel::Fact fact(kernel::FactKind kind) const;
  kernel::Fact operation(kernel::OperationKind kind, Value input) const;
  kernel::Fact closing(kernel::Outcome outcome, Value value) const;
  void end_execution(kernel::FactKind kind, Value value, Value extra = {});
  bool has_enough_children() const;

  const Program& program_;
  const NodeCode& node_;
  ScopeId scope_;
  kernel::Turn& turn_;
};

}  // namespace pawl::sm4c
