#include "lang/serverless/frame.h"

#include <algorithm>
#include <limits>

#include "lang/serverless/node_code.h"

namespace pawl::serverless {

using kernel::Fact;
using kernel::FactKind;
using kernel::OperationKind;
using kernel::Outcome;

Attempt<Timestamp> Frame::after(const DurationField& duration) const {
  return attempt(text::add(now(), duration.value));
}

Fact Frame::fact(FactKind kind) const {
  Fact fact;
  fact.kind = kind;
  fact.scope = scope_;
  fact.state = node_.ordinal();
  return fact;
}

// --- operations

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

void Frame::call(OperationKind kind, Value input, const std::optional<DurationField>& timeout) {
  Fact scheduled = operation(kind, std::move(input));
  if (timeout) {
    const auto end = after(*timeout);
    if (!end) return node_.fail(*this, end.error());
    scheduled.number = seconds_between(now(), *end);
  }
  turn_.append_event(std::move(scheduled));
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

void Frame::sleep_until(Timestamp due) {
  Fact scheduled = operation(OperationKind::kTimer, {});
  scheduled.due = due;
  turn_.append(std::move(scheduled));
}

void Frame::retry_at(Timestamp due, uint32_t number, Value memory) {
  Fact retry = fact(FactKind::kRetryScheduled);
  retry.operation = execution().next_operation_id();
  retry.number = number;
  retry.due = due;
  retry.value = std::move(memory);
  turn_.append(std::move(retry));
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

void Frame::succeed(Value output, bool terminate) {
  Fact ended;
  ended.kind = FactKind::kExecutionSucceeded;
  ended.scope = ScopeId(1);
  ended.value = std::move(output);
  if (terminate) {
    json::ObjectBuilder extra(1);
    extra.set("terminate", Value::boolean(true));
    ended.extra = extra.build();
  }
  turn_.append_event(std::move(ended));
}

void Frame::halt(const Failure& failure) {
  Fact ended;
  ended.kind = FactKind::kExecutionFailed;
  ended.scope = ScopeId(1);
  ended.value = failure.to_value();
  turn_.append_event(std::move(ended));
}

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
