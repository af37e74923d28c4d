// Which states can be reached, and whether an end can.
#include "lang/serverless/lint/rules.h"
#include "lang/serverless/model_walk.h"

namespace pawl::serverless {
namespace {

bool has_end(const State& state) {
  bool ends = false;
  for_each_exit(state, [&](const Exit& exit) { ends |= exit.kind != ExitKind::kTransition; });
  return ends;
}

}  // namespace

std::vector<bool> reachable_from(const Workflow& workflow, StateOrdinal from) {
  std::vector<bool> reached(workflow.nodes.size());
  std::vector<StateOrdinal> open = {from};
  while (!open.empty()) {
    const State& state = workflow.state(open.back());
    open.pop_back();
    for_each_exit(state, [&](const Exit& exit) {
      if (!exit.next || reached[exit.next.number - 1]) return;
      reached[exit.next.number - 1] = true;
      open.push_back(exit.next);
    });
  }
  return reached;
}

void check_flow(const Workflow& workflow, Findings& findings) {
  if (!workflow.start) return;
  std::vector<bool> reachable = reachable_from(workflow, workflow.start);
  reachable[workflow.start.number - 1] = true;
  bool ends = false;
  for (const State& state : workflow.states) {
    const bool is_reached = reachable[state.ordinal.number - 1];
    ends |= is_reached && has_end(state);
    if (!is_reached)
      findings.report(Code::kUnreachableState, Place(state.pointer),
                      "No way leads to the state " + quoted(state.name) + ".", "Take it out, or let a state go to it.",
                      Findings::At::kKey);
  }
  if (!ends)
    findings.report(Code::kNoWayToEnd, Place(workflow.start_state().pointer), "No way from the start leads to an end.",
                    "Give a state an \"end\".", Findings::At::kKey);
}

}  // namespace pawl::serverless
