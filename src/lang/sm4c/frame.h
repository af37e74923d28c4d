// A frame: one step of one scope in one node. It gives codes what they need and appends the facts they decide.
#pragma once

#include <optional>
#include <string_view>

#include "kernel/scope_frame.h"
#include "lang/sm4c/failure.h"
#include "lang/sm4c/model.h"
#include "lang/sm4c/program.h"

namespace pawl::sm4c {

using kernel::JoinPlan;

class Frame : public kernel::ScopeFrame {
 public:
  Frame(const Program& program, const NodeCode& node, ScopeId scope, kernel::Turn& turn);

  const Program& program() const { return program_; }
  const StateMachine& machine() const { return program_.machine(); }
  const NodeCode& node() const { return node_; }

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
  // Ends what the scope waits for, before its time.
  void wake(Value value);

  // --- leaving
  void enter_again(Value input);  // leaves the node and enters it at once, with another input
  // They end the execution.
  void halt(const Failure& failure);
  void time_out(const Failure& failure);
  // Of a child: leaves its node and closes the scope, and tells the node that holds it. `told` is what that gets.
  void close(Value result, Value told);
  void fail_scope(Failure failure);
  void abort_scope();

 private:
  kernel::Fact closing(kernel::Outcome outcome, Value value) const;

  const Program& program_;
  const NodeCode& node_;
};

}  // namespace pawl::sm4c
