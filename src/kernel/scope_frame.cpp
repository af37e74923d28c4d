#include "kernel/scope_frame.h"

#include <algorithm>
#include <limits>

namespace pawl::kernel {

Fact ScopeFrame::fact(FactKind kind) const {
  Fact fact;
  fact.kind = kind;
  fact.scope = scope_;
  fact.state = ordinal_;
  return fact;
}

// --- operations

Fact ScopeFrame::operation(OperationKind kind, Value input) const {
  Fact scheduled = fact(FactKind::kOperationScheduled);
  scheduled.operation = execution().next_operation_id();
  scheduled.operation_kind = kind;
  scheduled.value = std::move(input);
  return scheduled;
}

Fact ScopeFrame::operation_until(OperationKind kind, Value input, Timestamp end) const {
  Fact scheduled = operation(kind, std::move(input));
  scheduled.due = end;
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(end - now()).count();
  scheduled.number = static_cast<uint32_t>(std::clamp<int64_t>(seconds, 1, std::numeric_limits<uint32_t>::max()));
  return scheduled;
}

void ScopeFrame::sleep_until(Timestamp due) {
  Fact scheduled = operation(OperationKind::kTimer, {});
  scheduled.due = due;
  turn_.append(std::move(scheduled));
}

void ScopeFrame::retry_at(Timestamp due, uint32_t number, Value memory) {
  Fact retry = fact(FactKind::kRetryScheduled);
  retry.operation = execution().next_operation_id();
  retry.number = number;
  retry.due = due;
  retry.value = std::move(memory);
  turn_.append(std::move(retry));
}

// --- joins

void ScopeFrame::start_join(JoinPlan plan) {
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

void ScopeFrame::open_child(StateOrdinal first, Value input) {
  Fact opened = fact(FactKind::kScopeOpened);
  opened.scope = execution().next_scope_id();
  opened.parent = scope_;
  opened.number = join().opened;
  opened.next = first;
  opened.value = std::move(input);
  turn_.append_event(std::move(opened), join().start_event);
}

void ScopeFrame::end_join(Outcome outcome) {
  Fact ended = fact(FactKind::kJoinEnded);
  ended.outcome = outcome;
  turn_.append_event(std::move(ended));
}

bool ScopeFrame::succeeded(uint32_t child) const {
  const Join& at = join();
  const bool was_stopped =
      std::ranges::any_of(at.stopped, [&](const auto& stopped) { return stopped->index == child; });
  return child < at.children.size() && !at.children[child] && !was_stopped;
}

bool ScopeFrame::has_enough_children() const {
  const Ended& ended = scope().ended;
  return ended.what == Ended::What::kJoin && ended.outcome == Outcome::kSucceeded;
}

// --- leaving

void ScopeFrame::publish(Value event) {
  Fact published = fact(FactKind::kEventPublished);
  published.value = std::move(event);
  turn_.append_event(std::move(published));
}

void ScopeFrame::go_to(StateOrdinal next, Value output) {
  Fact exited = fact(FactKind::kStateExited);
  exited.next = next;
  exited.value = std::move(output);
  turn_.append_event(std::move(exited));
}

void ScopeFrame::end_execution(FactKind kind, Value value, Value extra) {
  Fact ended;
  ended.kind = kind;
  ended.scope = ScopeId(1);
  ended.value = std::move(value);
  ended.extra = std::move(extra);
  turn_.append_event(std::move(ended));
}

void ScopeFrame::succeed(Value output, bool terminate) {
  if (!terminate) return end_execution(FactKind::kExecutionSucceeded, std::move(output));
  json::ObjectBuilder extra(1);
  extra.set("terminate", Value::boolean(true));
  end_execution(FactKind::kExecutionSucceeded, std::move(output), extra.build());
}

}  // namespace pawl::kernel
