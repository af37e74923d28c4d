// Gives the nodes of a definition their ordinals.
#include "lang/serverless/model_reader.h"
#include "lang/serverless/model_walk.h"

namespace pawl::serverless {
namespace {

class Numberer {
 public:
  explicit Numberer(Workflow& workflow) : workflow_(workflow) {}

  void number(State& state) {
    state.ordinal = add({.kind = NodeKind::kState, .state = &state});
    size_t index = 0;
    const bool owns_actions = state.type == StateType::kOperation;
    for_each_body(state, [&](Body& body) { number(state, body, index++, !owns_actions); });
    if (auto* callback = std::get_if<CallbackState>(&state.detail)) {
      callback->action.ordinal = add({.kind = NodeKind::kAction, .state = &state, .action = &callback->action});
      callback->wait = add({.kind = NodeKind::kWait, .state = &state});
    }
  }

 private:
  void number(State& state, Body& body, size_t index, bool is_node) {
    if (is_node) body.ordinal = add({.kind = NodeKind::kBody, .state = &state, .body = &body, .index = index});
    size_t place = 0;
    for (Action& action : body.actions)
      action.ordinal =
          add({.kind = NodeKind::kAction, .state = &state, .body = &body, .action = &action, .index = place++});
  }

  StateOrdinal add(Node node) {
    workflow_.nodes.push_back(node);
    return StateOrdinal(static_cast<uint32_t>(workflow_.nodes.size()));
  }

  Workflow& workflow_;
};

}  // namespace

void number_nodes(Workflow& workflow) {
  Numberer numberer(workflow);
  for (State& state : workflow.states) numberer.number(state);
  // Until now an exit's `next` was the state's place in the text. Reading stops where there are too many findings, so
  // that the state may be missing.
  for (State& state : workflow.states)
    for_each_exit(state, [&](Exit& exit) {
      const bool is_there = exit.next.number <= workflow.states.size();
      if (exit.next) exit.next = is_there ? workflow.states[exit.next.number - 1].ordinal : StateOrdinal();
    });
}

}  // namespace pawl::serverless
