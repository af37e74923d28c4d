// Which states can be reached, and whether an end can.
#include <algorithm>

#include "lang/sm4c/lint/rules.h"

namespace pawl::sm4c {
namespace {

std::vector<bool> reachable_states(const StateMachine& machine) {
  std::vector<bool> reached(machine.nodes.size() + 1);
  std::vector<StateOrdinal> open = {machine.start};
  reached[machine.start.number] = true;
  while (!open.empty()) {
    const State& state = *machine.node(open.back()).state;
    open.pop_back();
    for (const Transition& transition : state.transitions) {
      if (!transition.next || reached[transition.next.number]) continue;
      reached[transition.next.number] = true;
      open.push_back(transition.next);
    }
  }
  return reached;
}

}  // namespace

void check_flow(const StateMachine& machine, Findings& findings) {
  if (!machine.start) return;
  const std::vector<bool> reached = reachable_states(machine);
  for (const State& state : machine.states)
    if (!reached[state.ordinal.number])
      findings.report(Code::kUnreachableState, Place(state.pointer),
                      "No transition leads to the state " + quoted(state.name) + ".",
                      "Lead one to it, or take the state out.");
  const bool can_end = std::ranges::any_of(
      machine.states, [&](const State& state) { return reached[state.ordinal.number] && state.transitions.empty(); });
  if (!can_end)
    findings.report(Code::kNoWayToEnd, Place("/states"),
                    "Every state that can be reached has transitions: the machine never ends.",
                    "Add a state without transitions.", Findings::At::kKey);
}

}  // namespace pawl::sm4c
