#include "lang/sm4c/frame.h"

#include "lang/sm4c/node_code.h"

namespace pawl::sm4c {

using kernel::Fact;
using kernel::FactKind;
using kernel::OperationKind;
using kernel::Outcome;

Frame::Frame(const Program& program, const NodeCode& node, ScopeId scope, kernel::Turn& turn)
    : ScopeFrame(scope, node.ordinal(), turn), program_(program), node_(node) {}

// --- evaluating

Attempt<Timestamp> Frame::after(const Timespan& timespan) const {
  return attempt(text::add(turn_.now(), timespan.value));
}

Attempt<Value> Frame::evaluate(const Expression& expression, const Value& input, Value value) const {
  return attempt(expression.evaluate(input, {turn_.now(), std::move(value)}));
}

Attempt<Value> Frame::evaluate(const Template& data, const Value& input) const {
  return attempt(data.evaluate(input, {turn_.now(), {}}));
}

Attempt<bool> Frame::test(const Expression& condition, const Value& input, Value value) const {
  const auto result = evaluate(condition, input, std::move(value));
  if (!result) return std::unexpected(result.error());
  return result->is_boolean() && result->as_boolean();
}

Attempt<void> Frame::check_size(const Value& data, std::string_view what) const {
  const size_t bytes_max = turn_.limits().payload_bytes_max;
  if (data.json_size() <= bytes_max) return {};
  return failed(kDataLimit, std::string(what) + " is larger than " + std::to_string(bytes_max) + " bytes.");
}

Frame Frame::in(ScopeId id) const {
  const kernel::Scope& other = execution().scope(id);
  return Frame(program_, program_.node(other.state ? other.state : other.next), id, turn_);
}

// --- operations

void Frame::call(OperationKind kind, Value input, const std::optional<Timespan>& timeout) {
  if (!timeout) return turn_.append_event(operation(kind, std::move(input)));
  const auto end = after(*timeout);
  if (!end) return node_.fail(*this, end.error());
  turn_.append_event(operation_until(kind, std::move(input), *end));
}

void Frame::await_event(Value input) { turn_.append_event(operation(OperationKind::kEvent, std::move(input))); }

void Frame::wake(Value value) {
  const kernel::Operation* waited_for = execution().find_operation(scope().operation);
  PAWL_ASSERT(waited_for != nullptr, scope_);
  Fact ended = fact(FactKind::kOperationEnded);
  ended.operation = waited_for->id;
  ended.operation_kind = waited_for->kind;
  ended.value = std::move(value);
  if (waited_for->is_shown())
    turn_.append_event(std::move(ended));
  else
    turn_.append(std::move(ended));
}

// --- leaving

void Frame::enter_again(Value input) {
  go_to(node_.ordinal(), input);
  Fact entered = fact(FactKind::kStateEntered);
  entered.value = std::move(input);
  turn_.append_event(std::move(entered));
  node_.run(*this);
}

void Frame::halt(const Failure& failure) { end_execution(FactKind::kExecutionFailed, failure.to_value()); }

void Frame::time_out(const Failure& failure) { end_execution(FactKind::kExecutionTimedOut, failure.to_value()); }

Fact Frame::closing(Outcome outcome, Value value) const {
  Fact closed = fact(FactKind::kScopeClosed);
  closed.parent = scope().parent;
  closed.state = execution().scope(closed.parent).state;
  closed.outcome = outcome;
  closed.number = scope().index;
  closed.value = std::move(value);
  return closed;
}

void Frame::close(Value result, Value told) {
  go_to({}, std::move(result));
  Frame holder = parent();
  turn_.append_event(closing(Outcome::kSucceeded, std::move(told)));
  holder.node_.child_closed(holder);
}

void Frame::fail_scope(Failure failure) {
  Frame holder = parent();
  turn_.append_event(closing(Outcome::kFailed, failure.to_value()));
  if (!holder.has_enough_children()) holder.node_.fail(holder, std::move(failure));
}

void Frame::abort_scope() { turn_.append_event(closing(Outcome::kAborted, {})); }

}  // namespace pawl::sm4c
