#include "lang/serverless/graph.h"

#include <string>
#include <utility>
#include <vector>

#include "lang/serverless/graph_text.h"

namespace pawl::serverless {
namespace {

using graph::EdgeStyle;
using graph::Graph;
using graph::NodeId;
using Shape = graph::NodeKind;

Shape shape_of(StateType type) {
  switch (type) {
    case StateType::kEvent:
    case StateType::kDelay:
    case StateType::kCallback:
      return Shape::kWait;
    case StateType::kOperation:
    case StateType::kSubflow:
    case StateType::kForeach:
      return Shape::kTask;
    case StateType::kSwitch:
      return Shape::kDecision;
    case StateType::kParallel:
      return Shape::kGroup;
    case StateType::kInject:
      return Shape::kStep;
  }
  return Shape::kStep;
}

std::string joined(std::string first, std::string second) {
  if (first.empty() || second.empty()) return first + second;
  return first + ", " + second;
}

class Drawing {
 public:
  Drawing(const Workflow& workflow, Graph& graph) : workflow_(workflow), graph_(graph) {}

  void draw() {
    const NodeId start = graph_.add_node({.kind = Shape::kStart, .label = "Start"});
    nodes_.resize(workflow_.nodes.size());
    for (const State& state : workflow_.states) nodes_[state.ordinal.number - 1] = add_state(state);
    if (workflow_.start) {
      const State& first = workflow_.start_state();
      graph_.add_edge({.from = start,
                       .to = nodes_[workflow_.start.number - 1],
                       .label = start_text(workflow_.start_definition(), first)});
    }
    for (const State& state : workflow_.states) add_edges(state, nodes_[state.ordinal.number - 1]);
  }

 private:
  NodeId add_state(const State& state) {
    const NodeId id = graph_.add_node(
        {.kind = shape_of(state.type), .label = state.name, .detail = detail_text(state), .mark = retry_text(state)});
    if (const auto* parallel = std::get_if<ParallelState>(&state.detail))
      for (const Body& branch : parallel->branches) add_branch(branch, id);
    return id;
  }

  void add_branch(const Body& branch, NodeId group) {
    const NodeId lane = graph_.add_node({.kind = Shape::kLane, .label = "", .parent = group});
    graph_.add_node({.kind = Shape::kTask, .label = branch.name, .detail = branch_text(branch), .parent = lane});
  }

  void add_edges(const State& state, NodeId from) {
    if (const auto* decision = std::get_if<SwitchState>(&state.detail)) add_conditions(*decision, from);
    if (state.exit) connect(from, *state.exit, {}, EdgeStyle::kSolid);
    for (const ErrorHandler& handler : state.handlers) {
      const std::string name = handler.error.empty() ? "any error" : handler.error;
      const std::string label = handler.expression ? expression_text(*handler.expression) : name;
      if (handler.exit) connect(from, *handler.exit, label, EdgeStyle::kDashed);
    }
  }

  void add_conditions(const SwitchState& decision, NodeId from) {
    for (const DataCondition& condition : decision.data_conditions)
      connect(from, condition.exit, expression_text(condition.condition), EdgeStyle::kSolid);
    for (const EventCondition& condition : decision.event_conditions)
      connect(from, condition.exit, "on " + condition.event.event, EdgeStyle::kSolid);
    if (decision.fallback) connect(from, *decision.fallback, "default", EdgeStyle::kSolid);
  }

  void connect(NodeId from, const Exit& exit, std::string label, EdgeStyle style) {
    if (exit.expression) label = joined(std::move(label), "if " + expression_text(*exit.expression));
    for (const ProducedEvent& event : exit.events) label = joined(std::move(label), "produces " + event.event);
    const bool is_transition = exit.kind == ExitKind::kTransition;
    if (is_transition && !exit.next) return;
    if (exit.kind == ExitKind::kTerminate) label = joined(std::move(label), "terminate");
    const NodeId to = is_transition ? nodes_[exit.next.number - 1] : end();
    graph_.add_edge({.from = from, .to = to, .label = std::move(label), .style = style});
  }

  NodeId end() {
    if (!end_) end_ = graph_.add_node({.kind = Shape::kEnd, .label = "End"});
    return end_;
  }

  const Workflow& workflow_;
  Graph& graph_;
  std::vector<NodeId> nodes_;  // by ordinal - 1; only states have one
  NodeId end_;
};

}  // namespace

Graph draw(const Definition& definition) {
  Graph graph;
  Drawing(*definition.workflow, graph).draw();
  return graph;
}

}  // namespace pawl::serverless
