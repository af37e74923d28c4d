#include "lang/sm4c/frame.h"

#include <algorithm>
#include <limits>

#include "lang/sm4c/node_code.h"

namespace pawl::sm4c {

using kernel::Fact;
using kernel::FactKind;
using kernel::OperationKind;
using kernel::Outcome;

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

Fact Frame::fact(FactKind kind) const {
  Fact fact;
  fact.kind = kind;
  fact.scope = scope_;
  fact.state = node_.ordinal();
  return fact;
}

Fact Frame::operation(OperationKind kind, Value input) const {
  Fact scheduled = fact(FactKind::kOperationScheduled);
  scheduled.operation = execution().next_operation_id();
  scheduled.operation_kind = kind;
  scheduled.value = std::move(input);
  return scheduled;
}

namespace {

// Whole seconds, so that a timeout is never early.
uint32_t seconds_between(Timestamp begin, Timestamp end) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(end - begin).count();
  return static_cast<uint32_t>(std::clamp<int64_t>(seconds, 1, std::numeric_limits<uint32_t>::max()));
}

}  // namespace

void Frame::call(OperationKind kind, Value input, const std::optional<Timespan>& timeout) {
  Fact scheduled = operation(kind, std::move(input));
  if (timeout) {
    const auto end = after(*timeout);
    if (!end) return node_.fail(*this, end.error());
    scheduled.number = seconds_between(turn_.now(), *end);
  }
  turn_.append_event(std::move(scheduled));
}

void Frame::await_event(Value input) { turn_.append_event(operation(OperationKind::kEvent, std::move(input))); }

void Frame::sleep_until(Timestamp due) {
  Fact scheduled = operation(OperationKind::kTimer, {});
  scheduled.due = due;
  turn_.append(std::move(scheduled));
}

void Frame::retry_at(Timestamp due, uint32_t number) {
  Fact retry = fact(FactKind::kRetryScheduled);
  retry.operation = execution().next_operation_id();
  retry.number = number;
  retry.due = due;
  turn_.append(std::move(retry));
}

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

// --- joins

void Frame::start_join(JoinPlan plan) {
  Fact started = fact(FactKind::kJoinStarted);
  started.number = static_cast<uint32_t>(plan.total);
  started.limit = plan.at_once;
  started.value = std::move(plan.memory);
  if (plan.needed != 0) {
    json::ObjectBuilder extra(1);
    extra.set("needed", Value::integer(plan.needed));
    started.extra = extra.build();
  }
  turn_.append_event(std::move(started));
}

void Frame::open_child(StateOrdinal first, Value input) {
  Fact opened = fact(FactKind::kScopeOpened);
  opened.scope = execution().next_scope_id();
  opened.parent = scope_;
  opened.number = join().opened;
  opened.next = first;
  opened.value = std::move(input);
  turn_.append_event(std::move(opened), join().start_event);
}

void Frame::end_join(Outcome outcome) {
  Fact ended = fact(FactKind::kJoinEnded);
  ended.outcome = outcome;
  turn_.append_event(std::move(ended));
}

bool Frame::succeeded(uint32_t child) const {
  const kernel::Join& at = join();
  const bool was_stopped =
      std::ranges::any_of(at.stopped, [&](const auto& stopped) { return stopped->index == child; });
  return child < at.children.size() && !at.children[child] && !was_stopped;
}

// A child that fails after that is ignored.
bool Frame::has_enough_children() const {
  const kernel::Ended& ended = scope().ended;
  return ended.what == kernel::Ended::What::kJoin && ended.outcome == Outcome::kSucceeded;
}

// --- leaving

void Frame::publish(Value event) {
  Fact published = fact(FactKind::kEventPublished);
  published.value = std::move(event);
  turn_.append_event(std::move(published));
}

void Frame::go_to(StateOrdinal next, Value output) {
  Fact exited = fact(FactKind::kStateExited);
  exited.next = next;
  exited.value = std::move(output);
  turn_.append_event(std::move(exited));
}

void Frame::enter_again(Value input) {
  go_to(node_.ordinal(), input);
  Fact entered = fact(FactKind::kStateEntered);
  entered.value = std::move(input);
  turn_.append_event(std::move(entered));
  node_.run(*this);
}

void Frame::end_execution(FactKind kind, Value value, Value extra) {
  Fact ended;
  ended.kind = kind;
  ended.scope = ScopeId(1);
  ended.value = std::move(value);
  ended.extra = std::move(extra);
  turn_.append_event(std::move(ended));
}

void Frame::succeed(Value output, bool terminate) {
  if (!terminate) return end_execution(FactKind::kExecutionSucceeded, std::move(output));
  json::ObjectBuilder extra(1);
  extra.set("terminate", Value::boolean(true));
  end_execution(FactKind::kExecutionSucceeded, std::move(output), extra.build());
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
