// Transitions that could never be taken, or would be taken for ever.
#include <algorithm>

#include "lang/sm4c/lint/rules.h"

namespace pawl::sm4c {
namespace {

size_t count(const State& state, TransitionKind kind) {
  return static_cast<size_t>(std::ranges::count(state.transitions, kind, &Transition::kind));
}

bool is_false(const Transition& transition) { return transition.condition && transition.condition->text() == "false"; }

class TransitionRules {
 public:
  TransitionRules(const State& state, Findings& findings) : state_(state), findings_(findings) {}

  void check() {
    for (const Transition& transition : state_.transitions) check_one(transition);
    report_others(TransitionKind::kImplicit, Code::kSecondImplicit,
                  "A state can have one transition without condition, events and timeout.");
    report_others(TransitionKind::kTimeout, Code::kSecondTimeout, "A state can have one transition with a timeout.");
    const bool never_goes_on = !state_.transitions.empty() && std::ranges::all_of(state_.transitions, is_false);
    if (never_goes_on)
      findings_.report(Code::kNoWayOn, Place(state_.pointer), "None of the state's transitions can ever be taken.",
                       "Give it one that can be, or none, so that the machine ends here.", Findings::At::kKey);
  }

 private:
  void check_one(const Transition& transition) {
    const Place place(transition.pointer);
    const TransitionKind kind = transition.kind();
    if (kind == TransitionKind::kMixed)
      findings_.report(Code::kMixedTransition, place,
                       "A transition that mixes condition, events and timeout belongs to no kind and is never taken.",
                       "Make a transition of each; a condition on an event goes into its event group.");
    const bool stays = !transition.has_next;
    const bool changes_nothing = !transition.action && !transition.result_handler;
    if (stays && kind == TransitionKind::kImplicit)
      findings_.report(Code::kNoProgress, place, "The transition is always taken and never leaves the state.",
                       "Give it a \"nextState\".");
    if (stays && changes_nothing && kind == TransitionKind::kCondition)
      findings_.report(Code::kNoProgress, place,
                       "Once its condition holds, the transition is taken for ever: it leaves neither the state nor a "
                       "change of the data.",
                       "Give it a \"nextState\", or an action with a \"resultHandler\".");
    if (kind != TransitionKind::kImplicit && count(state_, TransitionKind::kImplicit) == 1)
      findings_.report(Code::kTransitionNeverTaken, place,
                       "The state's transition without a condition is always taken before this one.",
                       "Give that one a condition, or take this one out.");
  }

  void report_others(TransitionKind kind, Code code, const std::string& cause) {
    bool is_first = true;
    for (const Transition& transition : state_.transitions) {
      if (transition.kind() != kind) continue;
      if (!is_first) findings_.report(code, Place(transition.pointer), cause, "Keep one of them.");
      is_first = false;
    }
  }

  const State& state_;
  Findings& findings_;
};

}  // namespace

void check_transitions(const StateMachine& machine, Findings& findings) {
  for (const State& state : machine.states) TransitionRules(state, findings).check();
}

}  // namespace pawl::sm4c
