// Handlers that get nothing to handle, and actions that never run.
#include <algorithm>

#include "lang/sm4c/lint/rules.h"

namespace pawl::sm4c {
namespace {

// Whether the result is null because nobody waits for it.
bool is_not_waited_for(const Action& action) {
  if (const auto* call = std::get_if<InvokeFunctionAction>(&action.detail)) return !call->waits;
  if (const auto* call = std::get_if<InvokeSubflowAction>(&action.detail)) return !call->waits;
  return false;
}

// The action itself, or all of those inside it.
bool gives_nothing(const Action& action) {
  const auto children = children_of(action);
  return is_not_waited_for(action) || (!children.empty() && std::ranges::all_of(children, gives_nothing));
}

class ValueRules {
 public:
  explicit ValueRules(Findings& findings) : findings_(findings) {}

  void check(const std::optional<Action>& action, const std::optional<Expression>& handler, const std::string& pointer,
             std::string_view field) {
    if (!handler) return;
    const Place owner(pointer);
    const Place place(owner, field);
    if (!action && handler->uses_value())
      findings_.report(Code::kHandlerWithoutAction, place,
                       "There is no action whose result $value could be: it is null.",
                       "Add the action, or take $value out.");
    if (action && handler->uses_value() && gives_nothing(*action))
      findings_.report(Code::kValueNotWaitedFor, place, "The call is not waited for, and so $value is null.",
                       "Set \"waitForCompletion\" to true in the action (or run with --set sm4c.wait=always).");
  }

  // An error of a call that nobody waits for is handled by nobody.
  void check_handlers(const Action& action) {
    if (is_not_waited_for(action) && !action.handlers.empty()) {
      const Place owner(action.pointer);
      findings_.report(Code::kValueNotWaitedFor, Place(owner, "errorHandlers"),
                       "The call is not waited for, and so its errors reach no handler.",
                       "Set \"waitForCompletion\" to true in the action (or run with --set sm4c.wait=always).");
    }
    for (const Action& child : children_of(action)) check_handlers(child);
  }

 private:
  Findings& findings_;
};

void check_state(const State& state, const Options& options, Findings& findings) {
  ValueRules rules(findings);
  rules.check(state.enter_action, state.enter_handler, state.pointer, "enterResultHandler");
  rules.check(state.exit_action, state.exit_handler, state.pointer, "exitResultHandler");
  if (state.enter_action) rules.check_handlers(*state.enter_action);
  if (state.exit_action) rules.check_handlers(*state.exit_action);
  for (const Transition& transition : state.transitions) {
    rules.check(transition.action, transition.result_handler, transition.pointer, "resultHandler");
    if (transition.action) rules.check_handlers(*transition.action);
  }
  const bool is_left = std::ranges::any_of(state.transitions, &Transition::has_next);
  const bool ends = state.transitions.empty() && options.exits_on_end;
  if (state.exit_action && !is_left && !ends) {
    const Place owner(state.pointer);
    findings.report(Code::kExitActionNeverRuns, Place(owner, "exitAction"),
                    "The state is never left for another one, and so its exit action never runs.",
                    "Make it the enter action (or run with --set sm4c.exit_on_end=true).", Findings::At::kKey);
  }
}

}  // namespace

void check_values(const StateMachine& machine, const Options& options, Findings& findings) {
  for (const State& state : machine.states) check_state(state, options, findings);
}

}  // namespace pawl::sm4c
