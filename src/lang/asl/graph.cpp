#include "lang/asl/graph.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/asl/graph_text.h"

namespace pawl::asl {
namespace {

using graph::EdgeStyle;
using graph::Graph;
using graph::NodeId;
using graph::NodeKind;

NodeKind kind_of(StateType type) {
  switch (type) {
    case StateType::kPass:
      return NodeKind::kStep;
    case StateType::kTask:
      return NodeKind::kTask;
    case StateType::kChoice:
      return NodeKind::kDecision;
    case StateType::kWait:
      return NodeKind::kWait;
    case StateType::kSucceed:
      return NodeKind::kSuccess;
    case StateType::kFail:
      return NodeKind::kFailure;
    case StateType::kParallel:
    case StateType::kMap:
      return NodeKind::kGroup;
  }
  return NodeKind::kStep;
}

std::string_view string_field(const Value& source, std::string_view name) {
  const Value* field = source.find(name);
  return field != nullptr && field->is_string() ? field->as_string() : std::string_view();
}

bool is_true(const Value& source, std::string_view name) {
  const Value* field = source.find(name);
  return field != nullptr && field->is_boolean() && field->as_boolean();
}

std::span<const Value> items_of(const Value& source, std::string_view name) {
  const Value* field = source.find(name);
  return field != nullptr && field->is_array() ? field->items() : std::span<const Value>();
}

// Draws one machine with everything inside it. Recursion is bounded by the parser's depth.
class MachineDrawing {
 public:
  MachineDrawing(const Machine& machine, NodeId parent, Graph& graph)
      : machine_(machine), parent_(parent), graph_(graph) {}

  void draw() {
    const NodeId start =
        graph_.add_node({.kind = NodeKind::kStart, .label = parent_ ? "" : "Start", .parent = parent_});
    for (const State& state : machine_.states) add_state(state);
    connect(start, machine_.start_at, {}, EdgeStyle::kSolid);
    for (size_t index = 0; index < machine_.states.size(); ++index) add_edges(machine_.states[index], nodes_[index]);
  }

 private:
  void add_state(const State& state) {
    const NodeId id = graph_.add_node({.kind = kind_of(state.type),
                                       .label = state.name,
                                       .detail = detail_text(state),
                                       .mark = retry_text(state),
                                       .parent = parent_});
    nodes_.push_back(id);
    for (const auto& inner : state.machines) add_machine(*inner, state.type, id);
  }

  void add_machine(const Machine& inner, StateType type, NodeId id) {
    if (type == StateType::kParallel) id = graph_.add_node({.kind = NodeKind::kLane, .label = "", .parent = id});
    MachineDrawing(inner, id, graph_).draw();
  }

  void add_edges(const State& state, NodeId from) {
    for (const Value& rule : items_of(state.source, "Choices"))
      connect(from, string_field(rule, "Next"), rule_text(rule), EdgeStyle::kSolid);
    connect(from, string_field(state.source, "Default"), "default", EdgeStyle::kSolid);
    connect(from, string_field(state.source, "Next"), {}, EdgeStyle::kSolid);
    if (state.type == StateType::kSucceed || is_true(state.source, "End")) graph_.add_edge({.from = from, .to = end()});
    for (const Value& catcher : items_of(state.source, "Catch"))
      connect(from, string_field(catcher, "Next"), errors_text(catcher), EdgeStyle::kDashed);
  }

  void connect(NodeId from, std::string_view target, std::string label, EdgeStyle style) {
    const State* state = target.empty() ? nullptr : machine_.find(target);
    if (state == nullptr) return;
    const NodeId to = nodes_[static_cast<size_t>(state - machine_.states.data())];
    graph_.add_edge({.from = from, .to = to, .label = std::move(label), .style = style});
  }

  NodeId end() {
    if (!end_) end_ = graph_.add_node({.kind = NodeKind::kEnd, .label = parent_ ? "" : "End", .parent = parent_});
    return end_;
  }

  const Machine& machine_;
  const NodeId parent_;
  Graph& graph_;
  std::vector<NodeId> nodes_;  // in the order of machine_.states
  NodeId end_;
};

}  // namespace

Graph draw(const Definition& definition) {
  Graph graph;
  MachineDrawing(definition.machine, NodeId(), graph).draw();
  return graph;
}

}  // namespace pawl::asl
