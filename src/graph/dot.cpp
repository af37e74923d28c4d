// A graph in Graphviz's language.
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace pawl::graph {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char character : text) {
    if (character == '"' || character == '\\') out += '\\';
    if (character == '\n')
      out += "\\n";
    else
      out += static_cast<unsigned char>(character) < 0x20 ? ' ' : character;
  }
  return out + '"';
}

std::string_view attributes(NodeKind kind) {
  switch (kind) {
    case NodeKind::kStart:
      return "shape=circle, width=0.3, style=filled, fillcolor=\"#57606a\", fontcolor=white";
    case NodeKind::kEnd:
      return "shape=doublecircle, width=0.3, style=filled, fillcolor=\"#57606a\", fontcolor=white";
    case NodeKind::kStep:
      return "shape=box, style=\"rounded,filled\", fillcolor=\"#f6f8fa\", color=\"#8c959f\"";
    case NodeKind::kTask:
      return "shape=box, style=filled, fillcolor=\"#ddf4ff\", color=\"#0969da\"";
    case NodeKind::kDecision:
      return "shape=hexagon, style=filled, fillcolor=\"#fff8c5\", color=\"#bf8700\"";
    case NodeKind::kWait:
      return "shape=box, style=\"rounded,filled\", fillcolor=\"#fbefff\", color=\"#8250df\"";
    case NodeKind::kSuccess:
      return "shape=box, style=\"rounded,filled\", fillcolor=\"#dafbe1\", color=\"#1a7f37\"";
    case NodeKind::kFailure:
      return "shape=octagon, style=filled, fillcolor=\"#ffebe9\", color=\"#cf222e\"";
    case NodeKind::kGroup:
      return "style=\"rounded\", color=\"#8c959f\"";
    case NodeKind::kLane:
      return "style=\"rounded,dashed\", color=\"#8c959f\"";
  }
  return {};
}

std::string label_of(const Node& node) {
  std::string label = node.label;
  if (!node.mark.empty()) label += " " + node.mark;
  if (!node.detail.empty()) label += "\n" + node.detail;
  return quoted(label);
}

class Writer {
 public:
  explicit Writer(const Graph& graph) : graph_(graph), children_(graph.children()) {}

  std::string write() {
    out_ =
        "digraph {\n"
        "  graph [compound=true, rankdir=TB, fontname=\"Helvetica\", fontsize=11];\n"
        "  node [fontname=\"Helvetica\", fontsize=11];\n"
        "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#57606a\"];\n";
    write_children(NodeId(), 1);
    for (const Edge& edge : graph_.edges()) write_edge(edge);
    return std::move(out_) + "}\n";
  }

 private:
  enum class Side : uint8_t { kFirst, kLast };

  void indent(size_t depth) { out_.append(depth * 2, ' '); }

  // Recursion is bounded by the nesting of the definition's text.
  void write_children(NodeId parent, size_t depth) {
    for (const NodeId id : children_[parent.number]) {
      if (is_cluster(id))
        write_cluster(id, depth);
      else
        write_node(id, depth);
    }
  }

  void write_node(NodeId id, size_t depth) {
    const Node& node = graph_.node(id);
    indent(depth);
    out_ += name(id) + " [label=" + label_of(node) + ", " + std::string(attributes(node.kind)) + "];\n";
  }

  void write_cluster(NodeId id, size_t depth) {
    const Node& node = graph_.node(id);
    indent(depth);
    out_ += "subgraph cluster_" + name(id) + " {\n";
    indent(depth + 1);
    out_ += "graph [label=" + label_of(node) + ", " + std::string(attributes(node.kind)) + "];\n";
    write_children(id, depth + 1);
    indent(depth);
    out_ += "}\n";
  }

  // Graphviz joins nodes only; an edge of a cluster is one of a node inside, cut at the cluster's frame.
  void write_edge(const Edge& edge) {
    out_ += "  " + name(leaf(edge.from, Side::kLast)) + " -> " + name(leaf(edge.to, Side::kFirst)) +
            " [label=" + quoted(edge.label);
    if (edge.style == EdgeStyle::kDashed) out_ += ", style=dashed, fontcolor=\"#cf222e\", color=\"#cf222e\"";
    if (is_cluster(edge.from)) out_ += ", ltail=cluster_" + name(edge.from);
    if (is_cluster(edge.to)) out_ += ", lhead=cluster_" + name(edge.to);
    out_ += "];\n";
  }

  // A group without children is drawn as a node: Graphviz leaves out empty clusters.
  bool is_cluster(NodeId id) const { return !children_[id.number].empty(); }

  NodeId leaf(NodeId id, Side side) const {
    while (is_cluster(id)) {
      const std::vector<NodeId>& inside = children_[id.number];
      id = side == Side::kFirst ? inside.front() : inside.back();
    }
    return id;
  }

  static std::string name(NodeId id) { return "n" + std::to_string(id.number); }

  const Graph& graph_;
  std::vector<std::vector<NodeId>> children_;
  std::string out_;
};

}  // namespace

std::string to_dot(const Graph& graph) { return Writer(graph).write(); }

}  // namespace pawl::graph
