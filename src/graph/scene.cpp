#include "graph/scene.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "graph/text_measure.h"

namespace pawl::graph {
namespace {

constexpr double kMargin = 16;
constexpr double kNodeTextWidthMax = 190;
constexpr double kEdgeTextWidthMax = 150;
constexpr double kNodeWidthMin = 76;
constexpr double kBold = 1.06;  // labels are set in a bold font, which is wider
constexpr double kDot = 12;
constexpr double kSolidWeight = 4;  // the normal way is held straighter than the way of errors
constexpr double kLaneDistance = 14;
constexpr double kLaneRowWidthMax = 1500;  // wider groups put their lanes into several rows

double widest(const std::vector<std::string>& lines, double font_size) {
  double width = 0;
  for (const std::string& line : lines) width = std::max(width, text_width(line, font_size));
  return width;
}

struct Texts {
  std::vector<std::string> label;
  std::vector<std::string> detail;
};

Texts texts_of(const Node& node) {
  Texts texts;
  if (!node.label.empty()) texts.label = wrap_text(node.label, kLabelFont, kNodeTextWidthMax, 3);
  if (!node.detail.empty()) texts.detail = wrap_text(node.detail, kDetailFont, kNodeTextWidthMax, 2);
  return texts;
}

Size size_of_texts(const Texts& texts) {
  return {
      std::max(widest(texts.label, kLabelFont) * kBold, widest(texts.detail, kDetailFont)),
      static_cast<double>(texts.label.size()) * kLabelLine + static_cast<double>(texts.detail.size()) * kDetailLine};
}

// Round ends and points need more room than straight sides.
double side_padding(NodeKind kind) {
  switch (kind) {
    case NodeKind::kDecision:
      return kDecisionInset + 4;
    case NodeKind::kWait:
    case NodeKind::kSuccess:
      return 18;
    case NodeKind::kStart:
    case NodeKind::kEnd:
    case NodeKind::kStep:
    case NodeKind::kTask:
    case NodeKind::kFailure:
    case NodeKind::kGroup:
    case NodeKind::kLane:
      return 12;
  }
  return 12;
}

Size size_of_leaf(const Node& node, const Texts& texts) {
  if (texts.label.empty() && texts.detail.empty()) return {kDot, kDot};
  const Size text = size_of_texts(texts);
  if (node.kind == NodeKind::kStart || node.kind == NodeKind::kEnd) return {text.width + 24, text.height + 6};
  return {std::max(kNodeWidthMin, text.width + 2 * side_padding(node.kind)), text.height + 2 * kNodePadding};
}

// Lays out groups from the inside to the outside, then places everything from the outside to the inside.
class Composer {
 public:
  explicit Composer(const Graph& graph)
      : graph_(graph), children_(graph.children()), blocks_(graph.nodes().size() + 1), place_(blocks_.size(), 0) {}

  Scene compose() {
    sort_edges();
    for (auto number = static_cast<uint32_t>(blocks_.size()); number-- > 0;) measure(NodeId(number));
    place_children(NodeId(), {kMargin, kMargin});
    scene_.size = {blocks_[0].size.width + 2 * kMargin, blocks_[0].size.height + 2 * kMargin};
    return std::move(scene_);
  }

 private:
  struct Block {
    Texts texts;
    Size size;
    Placement inside;
    std::vector<const Edge*> edges;  // between the nodes directly inside, in the order of the placement's links
    std::vector<Link> links;
  };

  // A child is added after its parent, so counting down measures what is inside first.
  void measure(NodeId id) {
    Block& block = blocks_[id.number];
    if (id) block.texts = texts_of(graph_.node(id));
    if (id && children_[id.number].empty())
      block.size = size_of_leaf(graph_.node(id), block.texts);
    else
      measure_group(id, block);
  }

  void measure_group(NodeId id, Block& block) {
    block.inside = has_lanes(id) && block.links.empty() ? lay_out_lanes(id) : lay_out(boxes_in(id), block.links);
    block.size = block.inside.size;
    if (!id) return;
    const Size title = size_of_texts(block.texts);
    block.size.width = std::max(block.size.width, title.width) + 2 * kGroupPadding;
    block.size.height += title.height + 2 * kGroupPadding + (title.height > 0 ? 4 : 0);
  }

  bool has_lanes(NodeId id) const {
    return std::ranges::all_of(children_[id.number],
                               [this](NodeId child) { return graph_.node(child).kind == NodeKind::kLane; });
  }

  std::vector<Box> boxes_in(NodeId id) const {
    std::vector<Box> boxes;
    for (const NodeId child : children_[id.number]) {
      const Size size = blocks_[child.number].size;
      const bool is_dot = size.width <= kDot;
      boxes.push_back({.size = size, .port_inset = is_dot ? size.width / 2 : 2 * kDecisionInset});
    }
    return boxes;
  }

  // Side by side in their order, all of a row equally high.
  Placement lay_out_lanes(NodeId id) {
    Placement placement;
    Point at;
    std::vector<NodeId> row;
    const auto close_row = [&] {
      double height = 0;
      for (const NodeId lane : row) height = std::max(height, blocks_[lane.number].size.height);
      for (const NodeId lane : row) blocks_[lane.number].size.height = height;
      placement.size.height = at.y + height;
      at = {0, at.y + height + kLaneDistance};
      row.clear();
    };
    for (const NodeId lane : children_[id.number]) {
      const double width = blocks_[lane.number].size.width;
      if (!row.empty() && at.x + width > kLaneRowWidthMax) close_row();
      placement.corners.push_back(at);
      row.push_back(lane);
      placement.size.width = std::max(placement.size.width, at.x + width);
      at.x += width + kLaneDistance;
    }
    close_row();
    return placement;
  }

  // Each edge belongs to the innermost group that holds both its ends, and joins the two children that are or hold
  // them.
  void sort_edges() {
    for (const auto& siblings : children_)
      for (uint32_t place = 0; place < siblings.size(); ++place) place_[siblings[place].number] = place;
    for (const Edge& edge : graph_.edges()) add_edge(edge);
  }

  void add_edge(const Edge& edge) {
    const std::vector<NodeId> from = way_to(edge.from);
    const std::vector<NodeId> to = way_to(edge.to);
    size_t depth = 0;
    while (depth + 1 < from.size() && depth + 1 < to.size() && from[depth] == to[depth]) ++depth;
    if (from[depth] == to[depth] && from.size() != to.size()) return;
    Block& block = blocks_[graph_.node(from[depth]).parent.number];
    block.edges.push_back(&edge);
    block.links.push_back({.from = place_[from[depth].number],
                           .to = place_[to[depth].number],
                           .bundle = static_cast<uint32_t>(edge.style),
                           .weight = edge.style == EdgeStyle::kSolid ? kSolidWeight : 1,
                           .label = edge.label.empty() ? Size() : size_of_lines(edge_lines(edge.label)),
                           .reference = size_of_lines(edge_lines(reference_text(edge)))});
  }

  std::vector<NodeId> way_to(NodeId id) const {
    std::vector<NodeId> way;
    for (; id; id = graph_.node(id).parent) way.push_back(id);
    std::ranges::reverse(way);
    return way;
  }

  static std::vector<std::string> edge_lines(const std::string& text) {
    return wrap_text(text, kEdgeFont, kEdgeTextWidthMax, 3);
  }
  static Size size_of_lines(const std::vector<std::string>& lines) {
    return {widest(lines, kEdgeFont), static_cast<double>(lines.size()) * kEdgeLine};
  }
  std::string reference_text(const Edge& edge) const {
    return (edge.label.empty() ? "to " : edge.label + ": to ") + graph_.node(edge.to).label;
  }

  void place_children(NodeId parent, Point origin) {
    const Block& block = blocks_[parent.number];
    const auto& children = children_[parent.number];
    for (size_t index = 0; index < children.size(); ++index) {
      const Point corner = block.inside.corners[index];
      place_node(children[index], {origin.x + corner.x, origin.y + corner.y});
    }
    for (const Stretch& stretch : block.inside.stretches) add_stretch(block, stretch, origin);
    for (const Loop& loop : block.inside.loops)
      scene_.loops.push_back({{origin.x + loop.at.x, origin.y + loop.at.y}, block.edges[loop.link]->style});
    for (const LinkLabel& label : block.inside.labels) add_label(block, label, origin);
  }

  void place_node(NodeId id, Point corner) {
    Block& block = blocks_[id.number];
    scene_.nodes.push_back({id, corner, block.size, block.texts.label, block.texts.detail});
    if (children_[id.number].empty()) return;
    const double title = size_of_texts(block.texts).height;
    const double top = corner.y + kGroupPadding + title + (title > 0 ? 4 : 0);
    place_children(id, {corner.x + (block.size.width - block.inside.size.width) / 2, top});
  }

  void add_stretch(const Block& block, Stretch stretch, Point origin) {
    for (Point& point : stretch.points) point = {point.x + origin.x, point.y + origin.y};
    const EdgeStyle style = block.edges[stretch.link]->style;
    scene_.stretches.push_back({std::move(stretch), style});
  }

  void add_label(const Block& block, const LinkLabel& label, Point origin) {
    const Edge& edge = *block.edges[label.link];
    scene_.labels.push_back({&edge,
                             {origin.x + label.center.x, origin.y + label.center.y},
                             edge_lines(label.is_reference ? reference_text(edge) : edge.label)});
  }

  const Graph& graph_;
  std::vector<std::vector<NodeId>> children_;
  std::vector<Block> blocks_;    // by the node's number; 0 is the drawing
  std::vector<uint32_t> place_;  // of each node among its siblings
  Scene scene_;
};

}  // namespace

Scene compose(const Graph& graph) { return Composer(graph).compose(); }

}  // namespace pawl::graph
