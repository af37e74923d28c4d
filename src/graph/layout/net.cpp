#include "graph/layout/net.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace pawl::graph {
namespace {

constexpr double kLaneReach = 4;
constexpr double kLabelMargin = 5;

bool has_label(const Link& link) { return link.label.width > 0; }

class Builder {
 public:
  Builder(std::span<const Box> boxes, std::span<const Link> links, const Ranks& ranks)
      : boxes_(boxes), links_(links), ranks_(ranks), is_reference_(links.size(), false) {}

  Net build() {
    choose_references();
    number_ranks();
    for (uint32_t box = 0; box < boxes_.size(); ++box) add_box(box);
    for (uint32_t link = 0; link < links_.size(); ++link) add_link(link);
    index();
    return std::move(net_);
  }

 private:
  uint32_t top_rank(uint32_t link) const {
    return std::min(ranks_.of_box[links_[link].from], ranks_.of_box[links_[link].to]);
  }
  uint32_t bottom_rank(uint32_t link) const {
    return std::max(ranks_.of_box[links_[link].from], ranks_.of_box[links_[link].to]);
  }
  uint32_t span_of(uint32_t link) const { return bottom_rank(link) - top_rank(link); }

  // Short links first; when the items are used up, the long ones that need a lane of their own are references.
  void choose_references() {
    std::vector<uint32_t> by_span(links_.size());
    std::iota(by_span.begin(), by_span.end(), 0);
    std::ranges::stable_sort(by_span, {}, [this](uint32_t link) { return span_of(link); });
    std::map<std::tuple<uint32_t, uint32_t, bool>, uint32_t> lane_length;
    size_t items = boxes_.size() + links_.size();
    for (const uint32_t link : by_span) {
      uint32_t& length = lane_length[{links_[link].to, links_[link].bundle, ranks_.is_upward[link]}];
      const size_t more = 2 * static_cast<size_t>(std::max(length, span_of(link)) - length);
      is_reference_[link] = span_of(link) > 1 && items + more > kItemsMax;
      if (is_reference_[link]) continue;
      items += more;
      length = std::max(length, span_of(link));
    }
  }

  // The label of a link stands in a rank of its own right after its source; only gaps with labels get one.
  uint32_t label_gap(uint32_t link) const { return ranks_.is_upward[link] ? bottom_rank(link) - 1 : top_rank(link); }
  bool needs_label_rank(uint32_t link) const {
    return links_[link].from != links_[link].to && (has_label(links_[link]) || is_reference_[link]);
  }

  void number_ranks() {
    std::vector<uint32_t> labels(ranks_.count, 0);
    for (uint32_t link = 0; link < links_.size(); ++link)
      if (needs_label_rank(link)) labels[label_gap(link)] = 1;
    rank_number_.resize(ranks_.count);
    uint32_t next = 0;
    for (uint32_t rank = 0; rank < ranks_.count; ++rank) {
      rank_number_[rank] = next;
      next += 1 + labels[rank];
    }
    net_.ranks.resize(next);
  }

  uint32_t add_item(Item item) {
    net_.items.push_back(item);
    net_.ranks[item.rank].push_back(static_cast<uint32_t>(net_.items.size() - 1));
    return static_cast<uint32_t>(net_.items.size() - 1);
  }

  void add_box(uint32_t box) {
    const double half = boxes_[box].size.width / 2;
    add_item({.kind = ItemKind::kBox,
              .source = box,
              .rank = rank_number_[ranks_.of_box[box]],
              .left = half,
              .right = half,
              .height = boxes_[box].size.height});
  }

  uint32_t add_label(uint32_t link, uint32_t rank) {
    const Size size = is_reference_[link] ? links_[link].reference : links_[link].label;
    return add_item({.kind = ItemKind::kLabel,
                     .source = link,
                     .rank = rank,
                     .left = size.width / 2 + kLabelMargin,
                     .right = size.width / 2 + kLabelMargin,
                     .height = size.height + kLabelMargin,
                     .is_reference = is_reference_[link]});
  }

  void add_link(uint32_t link) {
    if (links_[link].from == links_[link].to) return widen_for_loop(link);
    if (ranks_.is_upward[link])
      add_upward(link);
    else
      add_downward(link);
  }

  void widen_for_loop(uint32_t link) {
    Item& box = net_.items[links_[link].from];
    box.right = std::max(box.right, box.left + kLoopWidth + links_[link].label.width + kLabelMargin);
  }

  void add_downward(uint32_t link) {
    uint32_t end = links_[link].from;
    uint32_t rank = net_.items[end].rank;
    if (needs_label_rank(link)) {
      const uint32_t label = add_label(link, ++rank);
      join(end, label, link, false, is_reference_[link]);
      if (is_reference_[link]) return;
      end = label;
    }
    const uint32_t target = links_[link].to;
    if (rank + 1 < net_.items[target].rank) {
      join(end, lane(link, rank + 1), link, false, false);
    } else {
      join(end, target, link, false, true);
    }
  }

  void add_upward(uint32_t link) {
    uint32_t end = links_[link].from;
    uint32_t rank = net_.items[end].rank;
    if (needs_label_rank(link)) {
      const uint32_t label = add_label(link, --rank);
      join(label, end, link, is_reference_[link], false);
      if (is_reference_[link]) return;
      end = label;
    }
    const uint32_t target = links_[link].to;
    if (rank > net_.items[target].rank + 1) {
      join(lane(link, rank - 1), end, link, false, false);
    } else {
      join(target, end, link, true, false);
    }
  }

  // The item of the shared lane to the link's target at one rank, with the rest of the lane from there on.
  uint32_t lane(uint32_t link, uint32_t rank) {
    const bool up = ranks_.is_upward[link];
    const uint32_t target = links_[link].to;
    const uint32_t target_rank = net_.items[target].rank;
    std::vector<uint32_t> fresh;
    uint32_t joined = target;
    for (; rank != target_rank; rank += up ? -1U : 1U) {
      const auto [place, is_new] = lanes_.try_emplace({target, links_[link].bundle, up, rank}, 0);
      if (!is_new) {
        joined = place->second;
        break;
      }
      place->second = add_item({.source = link, .rank = rank, .left = kLaneReach, .right = kLaneReach});
      fresh.push_back(place->second);
    }
    for (size_t index = 0; index < fresh.size(); ++index) {
      const uint32_t next = index + 1 < fresh.size() ? fresh[index + 1] : joined;
      const bool arrives = next == target;
      up ? join(next, fresh[index], link, arrives, false) : join(fresh[index], next, link, false, arrives);
    }
    return fresh.empty() ? joined : fresh.front();
  }

  // Two links that would draw the same stretch share it.
  void join(uint32_t upper, uint32_t lower, uint32_t link, bool arrow_at_top, bool arrow_at_bottom) {
    if (!joined_.insert({upper, lower, links_[link].bundle, ranks_.is_upward[link]}).second) return;
    net_.arcs.push_back({upper, lower, link, weight_of(upper, lower, link), arrow_at_top, arrow_at_bottom});
  }

  // Lanes are held straight before boxes are.
  double weight_of(uint32_t upper, uint32_t lower, uint32_t link) const {
    const bool touches_box = net_.items[upper].kind == ItemKind::kBox || net_.items[lower].kind == ItemKind::kBox;
    return (touches_box ? 2 : 8) * links_[link].weight;
  }

  void index() {
    net_.above.resize(net_.items.size());
    net_.below.resize(net_.items.size());
    for (uint32_t arc = 0; arc < net_.arcs.size(); ++arc) {
      net_.below[net_.arcs[arc].upper].push_back(arc);
      net_.above[net_.arcs[arc].lower].push_back(arc);
    }
  }

  std::span<const Box> boxes_;
  std::span<const Link> links_;
  const Ranks& ranks_;
  std::vector<bool> is_reference_;
  std::vector<uint32_t> rank_number_;  // of each rank of boxes among all ranks
  std::map<std::tuple<uint32_t, uint32_t, bool, uint32_t>, uint32_t> lanes_;
  std::set<std::tuple<uint32_t, uint32_t, uint32_t, bool>> joined_;
  Net net_;
};

}  // namespace

Net build_net(std::span<const Box> boxes, std::span<const Link> links, const Ranks& ranks) {
  return Builder(boxes, links, ranks).build();
}

}  // namespace pawl::graph
