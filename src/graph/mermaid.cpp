// A graph as a Mermaid flowchart, which GitHub and many editors draw inside Markdown.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace pawl::graph {
namespace {

// "- a" and "1. a" are lists in Markdown, which newer versions refuse to draw.
bool begins_list(std::string_view line) {
  const size_t digits = line.find_first_not_of("0123456789");
  if (digits == std::string_view::npos) return false;
  return digits == 0 ? line.starts_with("- ") || line.starts_with("+ ") : line.substr(digits).starts_with(". ");
}

struct Entity {
  char character;
  std::string_view text;
};

// Mermaid reads labels as HTML with its own entities. What could end a label, start markup or a directive, or be taken
// for Markdown is written as one.
constexpr std::array kEntities = {
    Entity{'"', "#quot;"}, Entity{'#', "#35;"}, Entity{'%', "#37;"},   Entity{'&', "#amp;"}, Entity{'<', "#lt;"},
    Entity{'>', "#gt;"},   Entity{'`', "#96;"}, Entity{'*', "#42;"},   Entity{'_', "#95;"},  Entity{'\\', "#92;"},
    Entity{'\r', " "},     Entity{'\t', " "},   Entity{'\n', "<br/>"},
};

void append_escaped(std::string& out, char character) {
  const auto entity = std::ranges::find(kEntities, character, &Entity::character);
  if (entity != kEntities.end())
    out += entity->text;
  else
    out += static_cast<unsigned char>(character) < 0x20 ? '?' : character;
}

std::string escape(std::string_view text) {
  std::string out;
  if (begins_list(text)) out += "#8203;";  // a blank of no width
  for (const char character : text) append_escaped(out, character);
  return out;
}

struct Brackets {
  std::string_view open;
  std::string_view close;
  std::string_view style;  // the class that colours it
};

struct Colours {
  std::string_view style;
  std::string_view fill;
  std::string_view stroke;
  std::string_view text;
};

constexpr std::array kColours = {
    Colours{"terminal", "#57606a", "#57606a", "#ffffff"}, Colours{"step", "#f6f8fa", "#8c959f", "#1f2328"},
    Colours{"task", "#ddf4ff", "#0969da", "#1f2328"},     Colours{"decision", "#fff8c5", "#bf8700", "#1f2328"},
    Colours{"wait", "#fbefff", "#8250df", "#1f2328"},     Colours{"success", "#dafbe1", "#1a7f37", "#1f2328"},
    Colours{"failure", "#ffebe9", "#cf222e", "#1f2328"},
};

Brackets brackets(NodeKind kind) {
  switch (kind) {
    case NodeKind::kStart:
      return {"((", "))", "terminal"};
    case NodeKind::kEnd:
      return {"(((", ")))", "terminal"};
    case NodeKind::kStep:
      return {"(", ")", "step"};
    case NodeKind::kTask:
      return {"[", "]", "task"};
    case NodeKind::kDecision:
      return {"{", "}", "decision"};
    case NodeKind::kWait:
      return {"([", "])", "wait"};
    case NodeKind::kSuccess:
      return {"([", "])", "success"};
    case NodeKind::kFailure:
      return {"([", "])", "failure"};
    case NodeKind::kGroup:
    case NodeKind::kLane:
      return {"[", "]", "group"};
  }
  return {};
}

std::string label_of(const Node& node) {
  std::string label = escape(node.label);
  if (!node.mark.empty()) label += " " + escape(node.mark);
  if (!node.detail.empty()) label += "<br/><small>" + escape(node.detail) + "</small>";
  return label.empty() ? " " : label;
}

class Writer {
 public:
  explicit Writer(const Graph& graph) : graph_(graph), children_(graph.children()) {}

  std::string write() {
    out_ = "flowchart TD\n";
    write_children(NodeId(), 1);
    for (const Edge& edge : graph_.edges()) write_edge(edge);
    write_styles();
    return std::move(out_);
  }

 private:
  void indent(size_t depth) { out_.append(depth * 2, ' '); }

  // Recursion is bounded by the nesting of the definition's text.
  void write_children(NodeId parent, size_t depth) {
    for (const NodeId id : children_[parent.number]) {
      if (holds_nodes(graph_.node(id).kind))
        write_group(id, depth);
      else
        write_node(id, depth);
    }
  }

  void write_node(NodeId id, size_t depth) {
    const Node& node = graph_.node(id);
    const Brackets shape = brackets(node.kind);
    indent(depth);
    out_.append(name(id)).append(shape.open).append("\"").append(label_of(node)).append("\"").append(shape.close);
    out_.append(":::").append(shape.style).append("\n");
  }

  void write_group(NodeId id, size_t depth) {
    indent(depth);
    out_ += "subgraph " + name(id) + "[\"" + label_of(graph_.node(id)) + "\"]\n";
    write_children(id, depth + 1);
    indent(depth);
    out_ += "end\n";
  }

  void write_edge(const Edge& edge) {
    out_ += "  " + name(edge.from) + (edge.style == EdgeStyle::kDashed ? " -.->" : " -->");
    if (!edge.label.empty()) out_ += "|\"" + escape(edge.label) + "\"|";
    out_ += " " + name(edge.to) + "\n";
  }

  // Only the classes that are in use.
  void write_styles() {
    for (const Colours& colours : kColours)
      if (std::ranges::any_of(graph_.nodes(), [&](const Node& node) { return uses(node, colours); }))
        out_ += "  classDef " + std::string(colours.style) + " fill:" + std::string(colours.fill) +
                ",stroke:" + std::string(colours.stroke) + ",color:" + std::string(colours.text) + "\n";
  }

  static bool uses(const Node& node, const Colours& colours) {
    return !holds_nodes(node.kind) && brackets(node.kind).style == colours.style;
  }

  static std::string name(NodeId id) { return "n" + std::to_string(id.number); }

  const Graph& graph_;
  std::vector<std::vector<NodeId>> children_;
  std::string out_;
};

}  // namespace

std::string to_mermaid(const Graph& graph) { return Writer(graph).write(); }

}  // namespace pawl::graph
