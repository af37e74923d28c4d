#include "lang/asl/join.h"

#include <utility>
#include <vector>

#include "lang/asl/state_code.h"

namespace pawl::asl {

using kernel::Fact;
using kernel::FactKind;
using kernel::Outcome;
using kernel::Scope;

namespace {

bool is_iteration(const Program& program, const Scope& child, const kernel::Turn& turn) {
  const Scope& parent = turn.execution().scope(child.parent);
  return program.state_type(parent.state) == StateType::kMap;
}

Fact closing_fact(const Scope& child, Outcome outcome, Value value) {
  Fact fact;
  fact.kind = FactKind::kScopeClosed;
  fact.scope = child.id;
  fact.parent = child.parent;
  fact.outcome = outcome;
  fact.number = child.index;
  fact.value = std::move(value);
  return fact;
}

void append_state_aborted(ScopeId scope, StateOrdinal state, EventId previous, kernel::Turn& turn) {
  Fact fact;
  fact.kind = FactKind::kStateAborted;
  fact.scope = scope;
  fact.state = state;
  fact.on_chain = false;
  turn.append_event(std::move(fact), previous);
}

// AWS shows the Task states that a failure leaves behind, and only those.
bool shows_abort(const Program& program, StateOrdinal state) {
  return state && program.state_type(state) == StateType::kTask;
}

void abort_child(const Program& program, const Scope& child, kernel::Turn& turn) {
  const EventId previous = turn.execution().scope(child.parent).last_event;
  const ScopeId id = child.id;
  const StateOrdinal state = child.state;
  Fact fact = closing_fact(child, Outcome::kAborted, Value());
  fact.state = turn.execution().scope(child.parent).state;
  fact.on_chain = false;
  if (is_iteration(program, child, turn))
    turn.append_event(std::move(fact), previous);
  else
    turn.append(std::move(fact));
  if (shows_abort(program, state)) append_state_aborted(id, state, previous, turn);
}

}  // namespace

void abort_open_children(const Program& program, ScopeId parent, kernel::Turn& turn) {
  const std::vector<ScopeId> children = turn.execution().scope(parent).join->children;
  for (const ScopeId child : children)
    if (const Scope* open = turn.execution().find_scope(child)) abort_child(program, *open, turn);
}

void close_child(const Program& program, ScopeId id, Value output, kernel::Turn& turn) {
  const Scope& child = turn.execution().scope(id);
  Fact fact = closing_fact(child, Outcome::kSucceeded, std::move(output));
  fact.state = turn.execution().scope(child.parent).state;
  if (is_iteration(program, child, turn))
    turn.append_event(std::move(fact));
  else
    turn.append(std::move(fact));
}

void fail_child(const Program& program, ScopeId id, Failure failure, kernel::Turn& turn) {
  const Scope& child = turn.execution().scope(id);
  const ScopeId parent = child.parent;
  const StateOrdinal left = child.state;
  const EventId previous = child.last_event;
  Fact fact = closing_fact(child, Outcome::kFailed, failure.to_error_output());
  fact.state = turn.execution().scope(parent).state;
  fact.on_chain = false;
  if (is_iteration(program, child, turn))
    turn.append_event(std::move(fact), previous);
  else
    turn.append(std::move(fact));

  const kernel::Join& join = *turn.execution().scope(parent).join;
  if (join.failed <= join.tolerated) return;
  if (shows_abort(program, left)) append_state_aborted(id, left, previous, turn);
  const StateCode& holder = program.state(turn.execution().scope(parent).state);
  Frame(program, holder, parent, turn).fail(holder.join_failure(std::move(failure)));
}

void end_join(Frame& frame, Outcome outcome) {
  Fact fact;
  fact.kind = FactKind::kJoinEnded;
  fact.scope = frame.scope().id;
  fact.state = frame.state().ordinal();
  fact.outcome = outcome;
  fact.on_chain = outcome != Outcome::kSucceeded;
  frame.turn().append_event(std::move(fact));
}

Value join_results(const kernel::Join& join) {
  json::ArrayBuilder results(join.results.size());
  for (const Value& result : join.results) results.push(result);
  return results.build();
}

}  // namespace pawl::asl
