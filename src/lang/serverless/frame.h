// A frame: one step of one scope in one node. It gives codes what they need and appends the facts they decide.
#pragma once

#include <optional>
#include <string_view>

#include "kernel/scope_frame.h"
#include "lang/serverless/failure.h"
#include "lang/serverless/model.h"
#include "lang/serverless/program.h"

namespace pawl::serverless {

using kernel::JoinPlan;

class Frame : public kernel::ScopeFrame {
 public:
  Frame(const Program& program, const NodeCode& node, ScopeId scope, kernel::Turn& turn);

  const Program& program() const { return program_; }
  const NodeCode& node() const { return node_; }

  // So much later than now. Failure: Workflow.TimeTooFar.
  Attempt<Timestamp> after(const DurationField& duration) const;

  // --- operations: the scope waits
  void call(kernel::OperationKind kind, Value input, const std::optional<DurationField>& timeout);
  void await_event(Value input, Timestamp due);
  // A child's wait for an event ends then.
  void limit_wait(const kernel::Scope& child, Timestamp due);

  // --- leaving
  void halt(const Failure& failure);
  // Of a child: leaves its node and closes the scope, and tells the node that holds it.
  void close(Value result);
  void fail_scope(Failure failure);

 private:
  Frame parent();

  const Program& program_;
  const NodeCode& node_;
};

}  // namespace pawl::serverless
