// Walks over the parts of a state, in the order of the text.
#pragma once

#include <variant>

#include "lang/serverless/model.h"

namespace pawl::serverless {

// Calls visit(Body&) for an operation's, an event's, a parallel's and a foreach's bodies. State may be const.
template <typename SomeState, typename Visit>
void for_each_body(SomeState& state, Visit visit) {
  if (auto* event = std::get_if<EventState>(&state.detail))
    for (auto& group : event->groups) visit(group.body);
  if (auto* operation = std::get_if<OperationState>(&state.detail)) visit(operation->body);
  if (auto* parallel = std::get_if<ParallelState>(&state.detail))
    for (auto& branch : parallel->branches) visit(branch);
  if (auto* foreach = std::get_if<ForeachState>(&state.detail)) visit(foreach->body);
}

// Calls visit(Exit&) for everything that can happen after the state: conditions and default, its own exit, its error
// handlers' exits.
template <typename SomeState, typename Visit>
void for_each_exit(SomeState& state, Visit visit) {
  if (auto* decision = std::get_if<SwitchState>(&state.detail)) {
    for (auto& condition : decision->data_conditions) visit(condition.exit);
    for (auto& condition : decision->event_conditions) visit(condition.exit);
    if (decision->fallback) visit(*decision->fallback);
  }
  if (state.exit) visit(*state.exit);
  for (auto& handler : state.handlers)
    if (handler.exit) visit(*handler.exit);
}

}  // namespace pawl::serverless
