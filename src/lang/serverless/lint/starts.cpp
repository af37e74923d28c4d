// One start state, and what it may be.
#include "lang/serverless/lint/rules.h"

namespace pawl::serverless {
namespace {

// A start state that the first one leads to was a mistake in a known example: it can be run, so it is only said.
void check_second_start(const State& state, const std::vector<bool>& reachable, Findings& findings) {
  const Place place(state.start->pointer);
  if (reachable[state.ordinal.number - 1])
    return findings.report(Code::kStartIgnored, place, "There is another start state, which leads to this one.",
                           "Take this start out.", Findings::At::kKey);
  findings.report(Code::kSecondStart, place, "There is another start state; a workflow has one.",
                  "Take one of them out.", Findings::At::kKey);
}

void check_event_start(const State& state, Findings& findings) {
  const auto* event = std::get_if<EventState>(&state.detail);
  if (event != nullptr && event->exclusive && event->timeout)
    findings.report(Code::kTimeoutIgnored, Place(state.pointer + "/timeout"),
                    "An event state that any one event starts has no time to wait: the timeout is ignored.",
                    "Take it out.", Findings::At::kKey);
}

}  // namespace

void check_starts(const Workflow& workflow, Findings& findings) {
  if (!workflow.start) return;
  const State& start = workflow.start_state();
  const bool was_read = !start.pointer.empty();
  if (!was_read) return;
  check_event_start(start, findings);
  bool is_declared = workflow.starts_at_is_given;
  std::vector<bool> reachable;
  for (const State& state : workflow.states) {
    if (!state.start) continue;
    is_declared = true;
    if (state.ordinal == workflow.start) continue;
    if (reachable.empty()) reachable = reachable_from(workflow, workflow.start);
    check_second_start(state, reachable, findings);
  }
  if (!is_declared)
    findings.report(Code::kNoStart, Place(start.pointer), "No state says that it starts: the first one does.",
                    "Add \"start\" to it.", Findings::At::kKey);
}

}  // namespace pawl::serverless
