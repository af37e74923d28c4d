// A language of few instructions, for the tests of the kernel: each state's ordinal says what it does.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "kernel/program.h"

namespace pawl::kernel {

inline constexpr StateOrdinal kCallTask{1};     // a task; its result is the output; ends the scope
inline constexpr StateOrdinal kSleepMinute{2};  // a timer of a minute; ends the scope
inline constexpr StateOrdinal kLoopForever{3};  // exits to itself
inline constexpr StateOrdinal kForkThree{4};    // three children in kCallTask, two at once; ends the scope
inline constexpr StateOrdinal kRetryTask{5};    // as kCallTask, but a failure is retried after ten seconds
inline constexpr StateOrdinal kAskWorker{6};    // as kCallTask, but an activity
inline constexpr StateOrdinal kStartChild{7};   // as kCallTask, but another execution
inline constexpr StateOrdinal kPassOn{8};       // its input is the output; ends the scope
inline constexpr StateOrdinal kAwaitEvent{9};   // an event, for a minute; what came is the output; then `after_event`
inline constexpr StateOrdinal kPublishInput{
    10};  // its input is published as an event, and is the output; ends the scope

class ToyProgram final : public Program {
 public:
  explicit ToyProgram(StateOrdinal first) : first_(first) {}

  uint32_t task_timeout_s = 0;
  uint32_t task_heartbeat_s = 0;
  Duration execution_timeout{0};
  uint32_t tolerated_failures = 0;  // of a fork's children
  uint32_t needed_successes = 0;    // of a fork's children; 0: all
  std::vector<EventFilter> filters{{"moved", "toys", "toy.moved", {{"toy", std::nullopt}}}};  // of kAwaitEvent
  StateOrdinal after_event;
  Duration wait = std::chrono::minutes(1);  // of kAwaitEvent
  StateOrdinal forked = kCallTask;          // what a fork's children do
  StartRule starts;

  void start(const Signal& signal, Turn& turn) const override {
    Fact fact = fact_of(FactKind::kExecutionStarted, ScopeId(1));
    fact.next = first_;
    fact.value = signal.value;
    fact.extra = signal.extra;
    if (execution_timeout.count() != 0) fact.due = turn.now() + execution_timeout;
    turn.append_event(std::move(fact), EventId());
  }

  void step(ScopeId id, Turn& turn) const override {
    const Scope& scope = turn.execution().scope(id);
    switch (scope.step) {
      case Step::kEnter:
        return enter(id, turn);
      case Step::kRun:
        return run(id, scope.state, turn);
      case Step::kOpen:
        return open(id, turn);
      case Step::kResume:
        return resume(id, turn);
      case Step::kStart:
      case Step::kWait:
        return;
    }
  }

  void refine_redrive(const Turn& turn, Fact& fact) const override {
    if (execution_timeout.count() != 0) fact.due = turn.now() + execution_timeout;
  }

  bool enforce_limits(Turn&) const override { return false; }
  void refine_answer(const Operation&, const Limits&, Signal&) const override {}
  std::string_view resource_of(StateOrdinal) const override { return "toy"; }
  std::string_view state_name(StateOrdinal) const override { return "state"; }
  StartRule start_rule() const override { return starts; }

 private:
  static Fact fact_of(FactKind kind, ScopeId scope, StateOrdinal state = {}) {
    Fact fact;
    fact.kind = kind;
    fact.scope = scope;
    fact.state = state;
    return fact;
  }

  void enter(ScopeId id, Turn& turn) const {
    const StateOrdinal state = turn.execution().scope(id).next;
    Fact entered = fact_of(FactKind::kStateEntered, id, state);
    entered.value = turn.execution().scope(id).input;
    turn.append_event(std::move(entered));
    run(id, state, turn);
  }

  void run(ScopeId id, StateOrdinal state, Turn& turn) const {
    if (state == kCallTask || state == kRetryTask) return schedule(id, state, OperationKind::kTask, turn);
    if (state == kAskWorker) return schedule(id, state, OperationKind::kActivity, turn);
    if (state == kStartChild) return schedule(id, state, OperationKind::kChild, turn);
    if (state == kSleepMinute) return schedule(id, state, OperationKind::kTimer, turn);
    if (state == kPassOn) return exit(id, state, {}, turn.execution().scope(id).input, turn);
    if (state == kLoopForever) return exit(id, state, kLoopForever, Value(), turn);
    if (state == kAwaitEvent) return await_event(id, turn);
    if (state == kPublishInput) return publish(id, turn);
    Fact join = fact_of(FactKind::kJoinStarted, id, state);
    join.number = 3;
    join.limit = 2;
    join.extra = Value::integer(tolerated_failures);
    if (needed_successes != 0) {
      json::ObjectBuilder extra(2);
      extra.set("tolerated", Value::integer(tolerated_failures));
      extra.set("needed", Value::integer(needed_successes));
      join.extra = extra.build();
    }
    turn.append_event(std::move(join));
  }

  void schedule(ScopeId id, StateOrdinal state, OperationKind kind, Turn& turn) const {
    Fact fact = fact_of(FactKind::kOperationScheduled, id, state);
    fact.operation = turn.execution().next_operation_id();
    fact.operation_kind = kind;
    if (kind == OperationKind::kTimer) {
      fact.due = turn.now() + std::chrono::minutes(1);
      return turn.append(std::move(fact));
    }
    fact.value = turn.execution().scope(id).input;
    fact.number = task_timeout_s;
    fact.limit = task_heartbeat_s;
    turn.append_event(std::move(fact));
  }

  // What the execution's events have in common is asked for.
  Value filters_of(const Execution& execution) const {
    json::ArrayBuilder list;
    for (EventFilter filter : filters) {
      for (const json::Member& known : execution.correlation().members())
        for (EventAttribute& attribute : filter.attributes)
          if (!attribute.value && attribute.name == known.key.as_string()) attribute.value = known.value.as_string();
      list.push(filter.to_value());
    }
    json::ObjectBuilder value(1);
    value.set("filters", list.build());
    return value.build();
  }

  void await_event(ScopeId id, Turn& turn) const {
    Fact fact = fact_of(FactKind::kOperationScheduled, id, kAwaitEvent);
    fact.operation = turn.execution().next_operation_id();
    fact.operation_kind = OperationKind::kEvent;
    fact.value = filters_of(turn.execution());
    fact.due = turn.now() + wait;
    turn.append_event(std::move(fact));
  }

  void publish(ScopeId id, Turn& turn) const {
    Fact fact = fact_of(FactKind::kEventPublished, id, kPublishInput);
    fact.value = turn.execution().scope(id).input;
    turn.append_event(std::move(fact));
    exit(id, kPublishInput, {}, turn.execution().scope(id).input, turn);
  }

  void open(ScopeId id, Turn& turn) const {
    while (turn.execution().scope(id).join->may_open()) {
      Fact fact = fact_of(FactKind::kScopeOpened, turn.execution().next_scope_id(), kForkThree);
      fact.parent = id;
      fact.number = turn.execution().scope(id).join->opened;
      fact.next = forked;
      turn.append(std::move(fact));
    }
  }

  void resume(ScopeId id, Turn& turn) const {
    const Scope& scope = turn.execution().scope(id);
    const Ended ended = scope.ended;
    const StateOrdinal state = scope.state;
    if (ended.operation_kind == OperationKind::kRetryDelay) return schedule(id, state, OperationKind::kTask, turn);
    if (ended.outcome != Outcome::kSucceeded) return fail(id, state, ended.value, turn);
    if (ended.what == Ended::What::kJoin) {
      json::ArrayBuilder results;
      for (const Value& result : scope.join->results) results.push(result);
      turn.append(fact_of(FactKind::kJoinEnded, id, state));
      return exit(id, state, {}, results.build(), turn);
    }
    exit(id, state, state == kAwaitEvent ? after_event : StateOrdinal(), ended.value, turn);
  }

  void fail(ScopeId id, StateOrdinal state, Value error, Turn& turn) const {
    if (state == kRetryTask) {
      Fact fact = fact_of(FactKind::kRetryScheduled, id, state);
      fact.operation = turn.execution().next_operation_id();
      fact.due = turn.now() + std::chrono::seconds(10);
      return turn.append(std::move(fact));
    }
    close(id, Outcome::kFailed, std::move(error), turn);
  }

  void exit(ScopeId id, StateOrdinal state, StateOrdinal next, Value output, Turn& turn) const {
    Fact fact = fact_of(FactKind::kStateExited, id, state);
    fact.next = next;
    fact.value = output;
    turn.append_event(std::move(fact));
    if (!next) close(id, Outcome::kSucceeded, std::move(output), turn);
  }

  void close(ScopeId id, Outcome outcome, Value value, Turn& turn) const {
    const bool succeeded = outcome == Outcome::kSucceeded;
    Fact fact = fact_of(succeeded ? FactKind::kExecutionSucceeded : FactKind::kExecutionFailed, id);
    if (turn.execution().scope(id).parent) fact.kind = FactKind::kScopeClosed;
    fact.outcome = outcome;
    fact.value = std::move(value);
    turn.append(std::move(fact));
  }

  StateOrdinal first_;
};

}  // namespace pawl::kernel
