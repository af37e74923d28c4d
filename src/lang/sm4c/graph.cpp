#include "lang/sm4c/graph.h"

#include <string>
#include <vector>

#include "graph/label.h"

namespace pawl::sm4c {
namespace {

using graph::EdgeStyle;
using graph::NodeId;
using graph::shortened;
using Shape = graph::NodeKind;

std::string joined(std::string first, const std::string& second, std::string_view separator) {
  if (first.empty() || second.empty()) return first + second;
  return first + std::string(separator) + second;
}

// "delay · 00:00:10", "charge | ship", "each of .orders: provision".
std::string text_of(const Action& action) {
  std::string children;
  const std::string_view separator = action.type == ActionType::kParallel ? " | " : ", ";
  for (const Action& child : children_of(action)) children = joined(std::move(children), text_of(child), separator);
  if (const auto* loop = std::get_if<ForeachAction>(&action.detail))
    return "each of " + loop->input.text() + ": " + children;
  if (const auto* delay = std::get_if<DelayAction>(&action.detail)) return action.name + " · " + delay->timeout.text;
  if (action.type == ActionType::kSendEvent) return "sends " + action.name;
  return children.empty() ? action.name : children;
}

std::string detail_of(const State& state) {
  std::string text = state.enter_action ? text_of(*state.enter_action) : std::string();
  if (state.exit_action) text = joined(std::move(text), "exit: " + text_of(*state.exit_action), "; ");
  return shortened(std::move(text));
}

std::string text_of(const EventGroup& group) {
  std::string names;
  for (const EventDefinition* event : group.events) names = joined(std::move(names), event->name, " or ");
  return group.condition ? names + " if " + group.condition->text() : names;
}

std::string label_of(const Transition& transition) {
  std::string text;
  for (const EventGroup& group : transition.groups) text = joined(std::move(text), text_of(group), " and ");
  if (!text.empty()) text = "on " + text;
  if (transition.condition) text = joined("if " + transition.condition->text(), text, ", ");
  if (transition.timeout) text = joined(std::move(text), "after " + transition.timeout->text, ", ");
  if (transition.action) text = joined(std::move(text), text_of(*transition.action), ": ");
  return shortened(std::move(text));
}

bool waits(const State& state) {
  for (const Transition& transition : state.transitions)
    if (!transition.groups.empty() || transition.timeout) return true;
  return false;
}

Shape shape_of(const State& state) {
  if (waits(state)) return Shape::kWait;
  if (state.enter_action) return Shape::kTask;
  return state.transitions.size() > 1 ? Shape::kDecision : Shape::kStep;
}

}  // namespace

graph::Graph draw(const StateMachine& machine) {
  graph::Graph graph;
  const NodeId start = graph.add_node({.kind = Shape::kStart, .label = "Start"});
  std::vector<NodeId> nodes(machine.nodes.size() + 1);
  for (const State& state : machine.states)
    nodes[state.ordinal.number] =
        graph.add_node({.kind = shape_of(state), .label = state.name, .detail = detail_of(state)});
  if (machine.start) graph.add_edge({.from = start, .to = nodes[machine.start.number]});
  NodeId end;
  for (const State& state : machine.states) {
    const NodeId from = nodes[state.ordinal.number];
    if (state.transitions.empty() && !end) end = graph.add_node({.kind = Shape::kEnd, .label = "End"});
    if (state.transitions.empty()) graph.add_edge({.from = from, .to = end});
    for (const Transition& transition : state.transitions) {
      const bool leads_nowhere = transition.has_next && !transition.next;
      if (leads_nowhere) continue;
      const NodeId to = transition.has_next ? nodes[transition.next.number] : from;
      const EdgeStyle style = transition.timeout ? EdgeStyle::kDashed : EdgeStyle::kSolid;
      graph.add_edge({.from = from, .to = to, .label = label_of(transition), .style = style});
    }
  }
  return graph;
}

}  // namespace pawl::sm4c
