#include "graph/layout/ranks.h"

#include <algorithm>
#include <utility>

namespace pawl::graph {
namespace {

using Adjacency = std::vector<std::vector<uint32_t>>;  // for each box the links that leave it

Adjacency outgoing(size_t box_count, std::span<const Link> links) {
  Adjacency out(box_count);
  for (uint32_t index = 0; index < links.size(); ++index)
    if (links[index].from != links[index].to) out[links[index].from].push_back(index);
  return out;
}

// Walks depth first, in the order of the text, without recursion. A link to a box that is still being walked closes a
// cycle. `finished` gets the boxes so that each comes after all that it leads to.
class CycleSearch {
 public:
  CycleSearch(const Adjacency& out, std::span<const Link> links)
      : out_(out), links_(links), visit_(out.size(), Visit::kNever), is_upward_(links.size(), false) {}

  void walk_all() {
    for (uint32_t box = 0; box < out_.size(); ++box)
      if (visit_[box] == Visit::kNever) walk(box);
  }

  std::vector<bool> take_upward() { return std::move(is_upward_); }
  const std::vector<uint32_t>& finished() const { return finished_; }

 private:
  enum class Visit : uint8_t { kNever, kOpen, kDone };
  struct Step {
    uint32_t box;
    size_t next;  // of its links
  };

  void walk(uint32_t first) {
    std::vector<Step> way = {{first, 0}};
    visit_[first] = Visit::kOpen;
    while (!way.empty()) {
      Step& step = way.back();
      if (step.next == out_[step.box].size()) {
        visit_[step.box] = Visit::kDone;
        finished_.push_back(step.box);
        way.pop_back();
        continue;
      }
      const uint32_t link = out_[step.box][step.next++];
      const uint32_t target = links_[link].to;
      if (visit_[target] == Visit::kOpen) is_upward_[link] = true;
      if (visit_[target] != Visit::kNever) continue;
      visit_[target] = Visit::kOpen;
      way.push_back({target, 0});
    }
  }

  const Adjacency& out_;
  std::span<const Link> links_;
  std::vector<Visit> visit_;
  std::vector<bool> is_upward_;
  std::vector<uint32_t> finished_;
};

}  // namespace

// Without the upward links there is no cycle, and the order of finishing, backwards, is topological. A box stands one
// rank below the lowest that leads to it. An upward link puts its source below its target, which already holds: the
// source was reached from the target.
Ranks assign_ranks(size_t box_count, std::span<const Link> links) {
  const Adjacency out = outgoing(box_count, links);
  CycleSearch search(out, links);
  search.walk_all();
  Ranks ranks{.of_box = std::vector<uint32_t>(box_count, 0), .is_upward = search.take_upward(), .count = 0};
  for (auto box = search.finished().rbegin(); box != search.finished().rend(); ++box) {
    for (const uint32_t link : out[*box]) {
      uint32_t& below = ranks.of_box[links[link].to];
      if (!ranks.is_upward[link]) below = std::max(below, ranks.of_box[*box] + 1);
    }
    ranks.count = std::max(ranks.count, ranks.of_box[*box] + 1);
  }
  return ranks;
}

}  // namespace pawl::graph
