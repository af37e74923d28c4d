// The turn loop: what every language has in common.
#include "base/assert.h"
#include "kernel/program.h"
#include "kernel/redrive.h"

namespace pawl::kernel {

namespace {

Value timeout_error() {
  json::ObjectBuilder error;
  error.set("Error", Value::string("States.Timeout"));
  return error.build();
}

void append_operation_ended(const Operation& operation, Outcome outcome, Value value, Turn& turn) {
  Fact fact;
  fact.kind = FactKind::kOperationEnded;
  fact.scope = operation.scope;
  fact.state = operation.state;
  fact.operation = operation.id;
  fact.operation_kind = operation.kind;
  fact.outcome = outcome;
  fact.value = std::move(value);
  if (operation.is_shown())
    turn.append_event(std::move(fact));
  else
    turn.append(std::move(fact));
}

// A heartbeat that came after the due time was set moves it: nothing fires, the engine asks again later.
bool is_kept_alive(const Operation& operation, Turn& turn) {
  if (operation.heartbeat_s == 0) return false;
  const Timestamp beat = turn.services().last_heartbeat(operation.id);
  return beat + std::chrono::seconds(operation.heartbeat_s) > turn.now();
}

bool is_past_timeout(const Operation& operation, Timestamp now) {
  return operation.timeout_s != 0 && operation.started + std::chrono::seconds(operation.timeout_s) <= now;
}

void fire(OperationId id, Turn& turn) {
  const Operation* operation = turn.execution().find_operation(id);
  if (operation == nullptr) return;
  if (!operation->is_shown()) return append_operation_ended(*operation, Outcome::kSucceeded, {}, turn);
  const bool timed_out = is_past_timeout(*operation, turn.now()) || operation->heartbeat_s == 0;
  if (!timed_out && is_kept_alive(*operation, turn)) return;
  const Outcome outcome = timed_out ? Outcome::kTimedOut : Outcome::kHeartbeatTimedOut;
  append_operation_ended(*operation, outcome, timeout_error(), turn);
}

void close_execution(FactKind kind, Value error, Turn& turn) {
  Fact fact;
  fact.kind = kind;
  fact.value = std::move(error);
  turn.append_event(std::move(fact), EventId());
}

void fire_due(Turn& turn) {
  const Execution& execution = turn.execution();
  if (!execution.is_open()) return;
  if (execution.deadline() <= turn.now()) return close_execution(FactKind::kExecutionTimedOut, timeout_error(), turn);
  for (const OperationId id : execution.due_operations(turn.now())) fire(id, turn);
}

Timestamp due_after_start(const Operation& operation, Timestamp now) {
  Timestamp due = operation.due;  // where it was scheduled with its end
  if (operation.timeout_s != 0)
    due = std::min(due, now + Timestamp::duration(std::chrono::seconds(operation.timeout_s)));
  if (operation.heartbeat_s != 0)
    due = std::min(due, now + Timestamp::duration(std::chrono::seconds(operation.heartbeat_s)));
  return due;
}

void append_operation_fact(FactKind kind, const Operation& operation, Value value, Turn& turn) {
  Fact fact;
  fact.kind = kind;
  fact.scope = operation.scope;
  fact.state = operation.state;
  fact.operation = operation.id;
  fact.operation_kind = operation.kind;
  fact.due = kind == FactKind::kOperationStarted ? due_after_start(operation, turn.now()) : kNever;
  fact.value = std::move(value);
  if (operation.begins_silently)
    turn.append(std::move(fact));
  else
    turn.append_event(std::move(fact));
}

void apply_to_operation(const Program& program, Signal signal, Turn& turn) {
  const Operation* operation = turn.execution().find_operation(signal.operation);
  if (operation == nullptr) return;  // late or doubled: it no longer waits
  switch (signal.kind) {
    case SignalKind::kOperationStarted:
      if (operation->phase == Operation::Phase::kScheduled)
        append_operation_fact(FactKind::kOperationStarted, *operation, signal.value, turn);
      return;
    case SignalKind::kOperationSubmitted:
      if (operation->phase == Operation::Phase::kStarted)
        append_operation_fact(FactKind::kOperationSubmitted, *operation, signal.value, turn);
      return;
    case SignalKind::kOperationEnded:
      program.refine_answer(*operation, turn.limits(), signal);
      return append_operation_ended(*operation, signal.outcome, signal.value, turn);
    case SignalKind::kStart:
    case SignalKind::kContinue:
    case SignalKind::kWake:
    case SignalKind::kStop:
    case SignalKind::kRedrive:
    case SignalKind::kWaiterAdded:
    case SignalKind::kRequest:
      return;
  }
}

// The tree of scopes is frozen since the end; ExecutionRedriven thaws it.
void redrive(const Program& program, const Signal& signal, Turn& turn) {
  const Execution& execution = turn.execution();
  if (!is_redrivable(execution.status())) return;
  Fact fact;
  fact.kind = FactKind::kExecutionRedriven;
  fact.number = execution.redrives() + 1;
  fact.value = signal.value;
  program.refine_redrive(turn, fact);
  turn.append_event(std::move(fact), execution.last_event());
}

void append_waiter(Value waiter, Turn& turn) {
  Fact fact;
  fact.kind = FactKind::kWaiterAdded;
  fact.value = std::move(waiter);
  turn.append(std::move(fact));
}

void apply(const Program& program, const Signal& signal, Turn& turn) {
  switch (signal.kind) {
    case SignalKind::kStart:
      if (turn.execution().status() == Status::kNotStarted) program.start(signal, turn);
      return;
    case SignalKind::kContinue:
    case SignalKind::kWake:
      return;
    case SignalKind::kOperationStarted:
    case SignalKind::kOperationSubmitted:
    case SignalKind::kOperationEnded:
      return apply_to_operation(program, signal, turn);
    case SignalKind::kStop:
      if (turn.execution().is_open()) close_execution(FactKind::kExecutionAborted, signal.value, turn);
      return;
    case SignalKind::kRedrive:
      return redrive(program, signal, turn);
    case SignalKind::kWaiterAdded:
      if (turn.execution().is_open()) append_waiter(signal.value, turn);
      return;
    case SignalKind::kRequest:
      return program.take_request(signal, turn);
  }
}

void start_operation(const Scope& scope, Turn& turn) {
  const Operation* operation = turn.execution().find_operation(scope.operation);
  PAWL_ASSERT(operation != nullptr, scope.id);
  append_operation_fact(FactKind::kOperationStarted, *operation, {}, turn);
}

}  // namespace

TurnEnd decide(const Program& program, const Signal& signal, Turn& turn) {
  fire_due(turn);
  apply(program, signal, turn);
  const Execution& execution = turn.execution();
  while (execution.is_open()) {
    const ScopeId ready = execution.first_ready();
    if (!ready) return TurnEnd::kQuiet;
    if (turn.is_full()) return TurnEnd::kCut;
    if (program.enforce_limits(turn)) continue;
    const Scope& scope = execution.scope(ready);
    if (scope.step == Step::kStart)
      start_operation(scope, turn);
    else
      program.step(ready, turn);
  }
  return TurnEnd::kQuiet;
}

}  // namespace pawl::kernel
