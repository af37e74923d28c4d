#include "lang/serverless/frame.h"

#include "lang/serverless/node_code.h"

namespace pawl::serverless {

using kernel::Fact;
using kernel::FactKind;
using kernel::OperationKind;
using kernel::Outcome;

Frame::Frame(const Program& program, const NodeCode& node, ScopeId scope, kernel::Turn& turn)
    : ScopeFrame(scope, node.ordinal(), turn), program_(program), node_(node) {}

Attempt<Timestamp> Frame::after(const DurationField& duration) const {
  return attempt(text::add(now(), duration.value));
}

// --- operations

void Frame::call(OperationKind kind, Value input, const std::optional<DurationField>& timeout) {
  if (!timeout) return turn_.append_event(operation(kind, std::move(input)));
  const auto end = after(*timeout);
  if (!end) return node_.fail(*this, end.error());
  turn_.append_event(operation_until(kind, std::move(input), *end));
}

void Frame::await_event(Value input, Timestamp due) {
  Fact scheduled = operation(OperationKind::kEvent, std::move(input));
  scheduled.due = due;
  turn_.append_event(std::move(scheduled));
}

void Frame::limit_wait(const kernel::Scope& child, Timestamp due) {
  Fact limited;
  limited.kind = FactKind::kOperationStarted;
  limited.scope = child.id;
  limited.state = child.state;
  limited.operation = child.operation;
  limited.operation_kind = OperationKind::kEvent;
  limited.due = due;
  turn_.append_event(std::move(limited));
}

// --- leaving

void Frame::halt(const Failure& failure) { end_execution(FactKind::kExecutionFailed, failure.to_end()); }

Frame Frame::parent() {
  const ScopeId id = scope().parent;
  const NodeCode& holder = program_.node(execution().scope(id).state);
  return Frame(program_, holder, id, turn_);
}

void Frame::close(Value result) {
  go_to({}, result);
  const uint32_t index = scope().index;
  Frame holder = parent();
  Fact closed = fact(FactKind::kScopeClosed);
  closed.parent = holder.scope_;
  closed.state = holder.node_.ordinal();
  closed.number = index;
  closed.value = std::move(result);
  turn_.append_event(std::move(closed));
  holder.node_.child_closed(holder, index);
}

void Frame::fail_scope(Failure failure) {
  Frame holder = parent();
  Fact closed = fact(FactKind::kScopeClosed);
  closed.parent = holder.scope_;
  closed.state = holder.node_.ordinal();
  closed.outcome = Outcome::kFailed;
  closed.number = scope().index;
  closed.value = failure.to_value();
  turn_.append_event(std::move(closed));
  if (!holder.has_enough_children()) holder.node_.child_failed(holder, std::move(failure));
}

}  // namespace pawl::serverless
