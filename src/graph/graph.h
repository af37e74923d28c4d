// A workflow as nodes and edges, to be drawn: Mermaid for Markdown, dot for Graphviz, SVG with a layout of our
// own.
//
//   Graph graph;
//   const NodeId wait = graph.add_node({.kind = NodeKind::kWait, .label = "Cool down", .detail = "Wait · 10 s"});
//   const NodeId call = graph.add_node({.kind = NodeKind::kTask, .label = "Call"});
//   graph.add_edge({.from = wait, .to = call});
//   std::string picture = to_svg(graph);
//
// The graph knows no language: lang/asl/graph.h draws the States Language into it. Nodes nest: a node of kind kGroup or
// kLane holds the nodes that name it as their parent. Edges may join any two nodes, groups too,
// unless one holds the other.
//
// Limits: any size is drawn in time and memory that grow about linearly; above the named sizes of layout/ a picture
// loses beauty, never parts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace pawl::graph {

using NodeId =
    Id<struct NodeTag, uint32_t>;  // counted from 1; 0 is the drawing itself, the parent of what is outermost

enum class NodeKind : uint8_t {
  kStart,     // the entry of a machine: a dot
  kEnd,       // its exit: a ring
  kStep,      // changes data only
  kTask,      // work that someone else does
  kDecision,  // chooses between its edges
  kWait,      // passes time
  kSuccess,   // ends well
  kFailure,   // ends badly
  kGroup,     // a frame with a title around its children
  kLane,      // one of several strands in a group, side by side
};

struct Node {
  NodeKind kind = NodeKind::kStep;
  std::string label;
  std::string detail = {};  // a second, smaller line; may be empty
  std::string mark = {};    // a few characters in the corner: "↻ 3"; may be empty
  NodeId parent = {};       // a kGroup or kLane that was added before
};

enum class EdgeStyle : uint8_t { kSolid, kDashed };  // dashed: the way of an error

struct Edge {
  NodeId from;
  NodeId to;
  std::string label = {};
  EdgeStyle style = EdgeStyle::kSolid;
};

class Graph {
 public:
  NodeId add_node(Node node);
  void add_edge(Edge edge);

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Edge>& edges() const { return edges_; }
  const Node& node(NodeId id) const;

  // For each node, and at place 0 for the drawing, the nodes directly inside, in the order they were added.
  std::vector<std::vector<NodeId>> children() const;

 private:
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
};

bool holds_nodes(NodeKind kind);  // kGroup and kLane

std::string to_mermaid(const Graph& graph);
std::string to_dot(const Graph& graph);
std::string to_svg(const Graph& graph);

}  // namespace pawl::graph
