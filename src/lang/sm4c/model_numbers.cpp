// Gives everything that runs in a scope of its own its ordinal.
#include <algorithm>

#include "lang/sm4c/model_reader.h"

namespace pawl::sm4c {
namespace {

class Numbering {
 public:
  explicit Numbering(StateMachine& machine) : machine_(machine) {}

  void number() {
    for (State& state : machine_.states) number_state(state);
    for (State& state : machine_.states)
      for (Transition& transition : state.transitions)
        if (transition.next) transition.next = machine_.states[transition.next.number - 1].ordinal;
    if (machine_.timeout_action) number_action(*machine_.timeout_action);
    machine_.machine = add({.kind = NodeKind::kMachine, .name = machine_.name});
    machine_.mailbox = add({.kind = NodeKind::kMailbox, .name = "mailbox"});
    machine_.timekeeper = add({.kind = NodeKind::kTimekeeper, .name = "timeout"});
  }

 private:
  StateOrdinal add(Node node) {
    machine_.nodes.push_back(std::move(node));
    return StateOrdinal(static_cast<uint32_t>(machine_.nodes.size()));
  }

  void number_state(State& state) {
    state.ordinal = add({.kind = NodeKind::kState, .state = &state, .name = state.name});
    if (state.enter_action) number_action(*state.enter_action);
    state.wait = add({.kind = NodeKind::kWait, .state = &state, .name = "wait"});
    for (Transition& transition : state.transitions) {
      if (transition.action) number_action(*transition.action);
      for (const EventGroup& group : transition.groups) await(group);
    }
    if (state.exit_action) number_action(*state.exit_action);
  }

  void number_action(Action& action) {
    action.ordinal = add({.kind = NodeKind::kAction, .action = &action, .name = action.name});
    const auto* call = std::get_if<InvokeFunctionAction>(&action.detail);
    const bool is_call =
        call != nullptr && call->function != nullptr && call->function->type != FunctionType::kExpression;
    if (is_call && !call->waits) {
      action.detached = add({.kind = NodeKind::kDetachedCall, .action = &action, .name = action.name});
      machine_.has_detached_calls = true;
    }
    for (Action& child : children_of(action)) number_action(child);
  }

  void await(const EventGroup& group) {
    for (const EventDefinition* event : group.events)
      if (std::ranges::find(machine_.awaited, event) == machine_.awaited.end()) machine_.awaited.push_back(event);
  }

  StateMachine& machine_;
};

}  // namespace

void number_nodes(StateMachine& machine) { Numbering(machine).number(); }

}  // namespace pawl::sm4c
