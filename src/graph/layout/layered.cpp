#include "graph/layout/layered.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/layout/net.h"
#include "graph/layout/ordering.h"
#include "graph/layout/placing.h"
#include "graph/layout/ranks.h"

namespace pawl::graph {
namespace {

constexpr double kGapMin = 18;     // between two ranks
constexpr double kGapMax = 64;     // where links travel far to the side
constexpr double kGapShare = 0.1;  // of the way to the side
constexpr double kPortDistance = 16;

// The heights of ranks and gaps, the places where links touch boxes, and the stretches between.
class Router {
 public:
  Router(const Net& net, std::span<const Box> boxes, std::span<const Link> links)
      : net_(net), boxes_(boxes), links_(links), top_x_(net.arcs.size()), bottom_x_(net.arcs.size()) {}

  Placement route() {
    for (uint32_t item = 0; item < net_.items.size(); ++item) place_ports(item);
    stack_ranks();
    for (uint32_t item = 0; item < net_.items.size(); ++item) place_item(item);
    for (uint32_t arc = 0; arc < net_.arcs.size(); ++arc) add_stretch(arc);
    add_loops();
    measure();
    return std::move(placement_);
  }

 private:
  // top_x_ of an arc is where it leaves the upper item, bottom_x_ where it meets the lower one.
  void place_ports(uint32_t item) {
    place_side(item, net_.below[item], top_x_, [this](uint32_t arc) { return net_.items[net_.arcs[arc].lower].x; });
    place_side(item, net_.above[item], bottom_x_, [this](uint32_t arc) { return net_.items[net_.arcs[arc].upper].x; });
  }

  template <typename OtherEnd>
  void place_side(uint32_t item, std::vector<uint32_t> arcs, std::vector<double>& ports, const OtherEnd& other_end) {
    std::ranges::stable_sort(arcs, {}, other_end);
    const auto [low, high] = port_range(net_.items[item]);
    const double count = static_cast<double>(arcs.size());
    const double apart = arcs.size() < 2 ? 0 : std::min(kPortDistance, (high - low) / (count - 1));
    std::vector<double> wanted;
    wanted.reserve(arcs.size());
    for (const uint32_t arc : arcs) wanted.push_back(std::clamp(other_end(arc), low, high));
    const std::vector<double> places = keep_apart(wanted, std::vector<double>(arcs.size(), 1),
                                                  std::vector<double>(arcs.empty() ? 0 : arcs.size() - 1, apart));
    for (size_t index = 0; index < arcs.size(); ++index) {
      const double before = static_cast<double>(index) * apart;
      const double after = (count - 1 - static_cast<double>(index)) * apart;
      ports[arcs[index]] = std::min(std::max(places[index], low + before), high - after);
    }
  }

  std::pair<double, double> port_range(const Item& item) const {
    if (item.kind != ItemKind::kBox) return {item.x, item.x};
    const Box& box = boxes_[item.source];
    const double half = std::max(0.0, box.size.width / 2 - box.port_inset);
    return {item.x - half, item.x + half};
  }

  void stack_ranks() {
    std::vector<double> sideways(net_.ranks.size(), 0);
    for (uint32_t arc = 0; arc < net_.arcs.size(); ++arc) {
      double& most = sideways[net_.items[net_.arcs[arc].upper].rank];
      most = std::max(most, std::abs(top_x_[arc] - bottom_x_[arc]));
    }
    double y = 0;
    for (size_t rank = 0; rank < net_.ranks.size(); ++rank) {
      double height = 0;
      for (const uint32_t item : net_.ranks[rank]) height = std::max(height, net_.items[item].height);
      rank_top_.push_back(y);
      rank_bottom_.push_back(y + height);
      y += height + std::clamp(kGapMin + sideways[rank] * kGapShare, kGapMin, kGapMax);
    }
  }

  double middle(const Item& item) const { return (rank_top_[item.rank] + rank_bottom_[item.rank]) / 2; }
  double top_of(const Item& item) const {
    return item.kind == ItemKind::kLane ? rank_top_[item.rank] : middle(item) - item.height / 2;
  }
  double bottom_of(const Item& item) const {
    return item.kind == ItemKind::kLane ? rank_bottom_[item.rank] : middle(item) + item.height / 2;
  }

  void place_item(uint32_t index) {
    const Item& item = net_.items[index];
    if (item.kind == ItemKind::kBox)
      placement_.corners.push_back({item.x - boxes_[item.source].size.width / 2, top_of(item)});
    if (item.kind == ItemKind::kLabel)
      placement_.labels.push_back({item.source, {item.x, middle(item)}, item.is_reference});
  }

  void add_stretch(uint32_t index) {
    const Arc& arc = net_.arcs[index];
    const Item& upper = net_.items[arc.upper];
    const Item& lower = net_.items[arc.lower];
    Stretch stretch{
        .points = {}, .link = arc.link, .arrow_at_top = arc.arrow_at_top, .arrow_at_bottom = arc.arrow_at_bottom};
    const double begin = upper.kind == ItemKind::kLane ? rank_top_[upper.rank] : bottom_of(upper);
    for (const Point point : {Point{top_x_[index], begin}, Point{top_x_[index], rank_bottom_[upper.rank]},
                              Point{bottom_x_[index], rank_top_[lower.rank]}, Point{bottom_x_[index], top_of(lower)}})
      if (stretch.points.empty() || stretch.points.back() != point) stretch.points.push_back(point);
    placement_.stretches.push_back(std::move(stretch));
  }

  // The loops of one box stand below each other on its right.
  void add_loops() {
    std::vector<double> next(boxes_.size(), 0);
    for (uint32_t link = 0; link < links_.size(); ++link) {
      const uint32_t box = links_[link].from;
      if (box != links_[link].to) continue;
      const Item& item = net_.items[box];
      const double right = item.x + boxes_[box].size.width / 2;
      const Point at{right, middle(item) + next[box]};
      next[box] += std::max(kLoopHeight, links_[link].label.height) + 4;
      placement_.loops.push_back({link, at});
      if (links_[link].label.width > 0)
        placement_.labels.push_back({link, {right + kLoopWidth + links_[link].label.width / 2, at.y}, false});
    }
  }

  void measure() {
    for (const Item& item : net_.items) placement_.size.width = std::max(placement_.size.width, item.x + item.right);
    if (!rank_bottom_.empty()) placement_.size.height = rank_bottom_.back();
  }

  const Net& net_;
  std::span<const Box> boxes_;
  std::span<const Link> links_;
  std::vector<double> top_x_;
  std::vector<double> bottom_x_;
  std::vector<double> rank_top_;
  std::vector<double> rank_bottom_;
  Placement placement_;
};

}  // namespace

Placement lay_out(std::span<const Box> boxes, std::span<const Link> links) {
  Net net = build_net(boxes, links, assign_ranks(boxes.size(), links));
  order_ranks(net);
  place_items(net);
  return Router(net, boxes, links).route();
}

}  // namespace pawl::graph
