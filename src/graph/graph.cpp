#include "graph/graph.h"

#include <utility>

#include "base/assert.h"

namespace pawl::graph {

NodeId Graph::add_node(Node node) {
  PAWL_ASSERT(node.parent.number <= nodes_.size(), node.parent, nodes_.size());
  PAWL_ASSERT(!node.parent || holds_nodes(this->node(node.parent).kind), node.parent);
  nodes_.push_back(std::move(node));
  return NodeId(static_cast<uint32_t>(nodes_.size()));
}

void Graph::add_edge(Edge edge) {
  PAWL_ASSERT(edge.from && edge.from.number <= nodes_.size(), edge.from, nodes_.size());
  PAWL_ASSERT(edge.to && edge.to.number <= nodes_.size(), edge.to, nodes_.size());
  edges_.push_back(std::move(edge));
}

const Node& Graph::node(NodeId id) const {
  PAWL_ASSERT(id && id.number <= nodes_.size(), id, nodes_.size());
  return nodes_[id.number - 1];
}

std::vector<std::vector<NodeId>> Graph::children() const {
  std::vector<std::vector<NodeId>> inside(nodes_.size() + 1);
  for (uint32_t number = 1; number <= nodes_.size(); ++number)
    inside[nodes_[number - 1].parent.number].push_back(NodeId(number));
  return inside;
}

bool holds_nodes(NodeKind kind) { return kind == NodeKind::kGroup || kind == NodeKind::kLane; }

}  // namespace pawl::graph
