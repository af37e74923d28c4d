// "If the state machine has exactly one state with start = true, that is the start state, else error."
#include "lang/sm4c/lint/rules.h"

namespace pawl::sm4c {

void check_starts(const StateMachine& machine, Findings& findings) {
  if (!machine.start)
    return findings.report(Code::kNoStart, Place("/states"), "No state has \"start\": true.",
                           "Mark the state that the machine begins with.", Findings::At::kKey);
  for (const State& state : machine.states) {
    if (!state.is_start || state.ordinal == machine.start) continue;
    const Place place(state.pointer);
    findings.report(Code::kSecondStart, Place(place, "start"), "Another state is a start state already.",
                    "Leave \"start\" at one state only.");
  }
}

}  // namespace pawl::sm4c
