#include "graph/layout/ordering.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace pawl::graph {
namespace {

constexpr int kSweepsMax = 24;
constexpr int kSweepsWithoutGainMax = 6;

using Positions = std::vector<uint32_t>;  // of each item, its place in its rank

Positions positions_of(const Net& net) {
  Positions positions(net.items.size());
  for (const auto& rank : net.ranks)
    for (uint32_t place = 0; place < rank.size(); ++place) positions[rank[place]] = place;
  return positions;
}

// Fills the ranks anew in the order of a walk depth first, so that what belongs together starts side by side.
void order_by_walk(Net& net) {
  std::vector<bool> seen(net.items.size(), false);
  std::vector<std::vector<uint32_t>> ranks(net.ranks.size());
  std::vector<uint32_t> open;
  for (const auto& rank : net.ranks) {
    for (const uint32_t first : rank) {
      open.push_back(first);
      while (!open.empty()) {
        const uint32_t item = open.back();
        open.pop_back();
        if (seen[item]) continue;
        seen[item] = true;
        ranks[net.items[item].rank].push_back(item);
        for (auto arc = net.below[item].rbegin(); arc != net.below[item].rend(); ++arc)
          open.push_back(net.arcs[*arc].lower);
      }
    }
  }
  net.ranks = std::move(ranks);
}

// Counts inversions with a tree of partial sums, in O(n log n).
class InversionCounter {
 public:
  explicit InversionCounter(size_t size) : sums_(size + 1, 0) {}

  uint64_t count(const std::vector<uint32_t>& sequence) {
    uint64_t inversions = 0;
    for (size_t index = 0; index < sequence.size(); ++index) {
      inversions += index - sum_up_to(sequence[index]);
      add(sequence[index]);
    }
    return inversions;
  }

 private:
  uint64_t sum_up_to(uint32_t place) const {
    uint64_t sum = 0;
    for (size_t at = place + 1; at > 0; at &= at - 1) sum += sums_[at];
    return sum;
  }
  void add(uint32_t place) {
    for (size_t at = place + 1; at < sums_.size(); at += at & (~at + 1)) ++sums_[at];
  }

  std::vector<uint32_t> sums_;
};

uint64_t crossings_below(const Net& net, size_t rank, const Positions& positions) {
  std::vector<uint32_t> ends;
  for (const uint32_t item : net.ranks[rank]) {
    const size_t first = ends.size();
    for (const uint32_t arc : net.below[item]) ends.push_back(positions[net.arcs[arc].lower]);
    std::sort(ends.begin() + static_cast<ptrdiff_t>(first), ends.end());
  }
  return InversionCounter(net.ranks[rank + 1].size()).count(ends);
}

enum class Direction : uint8_t { kDown, kUp };

// The mean place of the neighbours in the rank that is already ordered; without neighbours, the item's own place.
double barycenter(const Net& net, uint32_t item, Direction direction, const Positions& positions) {
  const auto& arcs = direction == Direction::kDown ? net.above[item] : net.below[item];
  if (arcs.empty()) return positions[item];
  double sum = 0;
  for (const uint32_t arc : arcs)
    sum += positions[direction == Direction::kDown ? net.arcs[arc].upper : net.arcs[arc].lower];
  return sum / static_cast<double>(arcs.size());
}

void order_rank(Net& net, size_t rank, Direction direction, Positions& positions) {
  std::vector<std::pair<double, uint32_t>> wanted;
  wanted.reserve(net.ranks[rank].size());
  for (const uint32_t item : net.ranks[rank]) wanted.emplace_back(barycenter(net, item, direction, positions), item);
  std::ranges::stable_sort(wanted, {}, &std::pair<double, uint32_t>::first);
  for (uint32_t place = 0; place < wanted.size(); ++place) {
    net.ranks[rank][place] = wanted[place].second;
    positions[wanted[place].second] = place;
  }
}

void sweep(Net& net, Direction direction, Positions& positions) {
  const size_t count = net.ranks.size();
  for (size_t step = 1; step < count; ++step)
    order_rank(net, direction == Direction::kDown ? step : count - 1 - step, direction, positions);
}

// How many crossings two neighbours have with each other, `first` being on the left.
uint64_t crossings_of_pair(const Net& net, uint32_t first, uint32_t second, const Positions& positions) {
  uint64_t crossings = 0;
  for (const uint32_t a : net.above[first])
    for (const uint32_t b : net.above[second])
      crossings += positions[net.arcs[a].upper] > positions[net.arcs[b].upper] ? 1 : 0;
  for (const uint32_t a : net.below[first])
    for (const uint32_t b : net.below[second])
      crossings += positions[net.arcs[a].lower] > positions[net.arcs[b].lower] ? 1 : 0;
  return crossings;
}

// Exchanges neighbours wherever that saves crossings.
void exchange_neighbours(Net& net, Positions& positions) {
  constexpr size_t kPairArcsMax = 400;  // neighbours with more arcs between them are left as they are
  for (auto& rank : net.ranks) {
    for (size_t place = 0; place + 1 < rank.size(); ++place) {
      const uint32_t first = rank[place];
      const uint32_t second = rank[place + 1];
      if (net.above[first].size() * net.above[second].size() > kPairArcsMax) continue;
      if (net.below[first].size() * net.below[second].size() > kPairArcsMax) continue;
      if (crossings_of_pair(net, first, second, positions) <= crossings_of_pair(net, second, first, positions))
        continue;
      std::swap(rank[place], rank[place + 1]);
      std::swap(positions[first], positions[second]);
    }
  }
}

}  // namespace

uint64_t count_crossings(const Net& net) {
  const Positions positions = positions_of(net);
  uint64_t crossings = 0;
  for (size_t rank = 0; rank + 1 < net.ranks.size(); ++rank) crossings += crossings_below(net, rank, positions);
  return crossings;
}

void order_ranks(Net& net) {
  order_by_walk(net);
  if (net.items.size() > kOrderingItemsMax) return;
  Positions positions = positions_of(net);
  auto best = net.ranks;
  uint64_t fewest = count_crossings(net);
  for (int count = 0, without_gain = 0; count < kSweepsMax && without_gain < kSweepsWithoutGainMax && fewest > 0;
       ++count) {
    sweep(net, count % 2 == 0 ? Direction::kDown : Direction::kUp, positions);
    exchange_neighbours(net, positions);
    const uint64_t crossings = count_crossings(net);
    ++without_gain;
    if (crossings >= fewest) continue;
    fewest = crossings;
    best = net.ranks;
    without_gain = 0;
  }
  net.ranks = std::move(best);
}

}  // namespace pawl::graph
