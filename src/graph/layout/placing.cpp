#include "graph/layout/placing.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace pawl::graph {
namespace {

constexpr int kSweeps = 20;
constexpr int kFinalSweeps = 8;
constexpr double kFreeWeight = 0.01;  // of an item that no arc pulls: it goes where it is pushed

bool is_box(const Item& item) { return item.kind == ItemKind::kBox; }

double distance(const Item& left, const Item& right) {
  double gap = 10;
  if (is_box(left) || is_box(right)) gap = 16;
  if (is_box(left) && is_box(right)) gap = 28;
  return left.right + gap + right.left;
}

enum class Look : uint8_t { kAbove, kBelow, kBoth };

struct Pull {
  double sum = 0;
  double weight = 0;

  void add(double x, double more) {
    sum += x * more;
    weight += more;
  }
};

Pull pull_on(const Net& net, uint32_t item, Look look) {
  Pull pull;
  if (look != Look::kBelow)
    for (const uint32_t arc : net.above[item]) pull.add(net.items[net.arcs[arc].upper].x, net.arcs[arc].weight);
  if (look != Look::kAbove)
    for (const uint32_t arc : net.below[item]) pull.add(net.items[net.arcs[arc].lower].x, net.arcs[arc].weight);
  return pull;
}

std::vector<double> distances_in(const Net& net, const std::vector<uint32_t>& rank) {
  std::vector<double> distances;
  for (size_t place = 0; place + 1 < rank.size(); ++place)
    distances.push_back(distance(net.items[rank[place]], net.items[rank[place + 1]]));
  return distances;
}

void place_rank(Net& net, const std::vector<uint32_t>& rank, Look look) {
  std::vector<double> wanted;
  std::vector<double> weights;
  for (const uint32_t item : rank) {
    const Pull pull = pull_on(net, item, look);
    wanted.push_back(pull.weight > 0 ? pull.sum / pull.weight : net.items[item].x);
    weights.push_back(pull.weight > 0 ? pull.weight : kFreeWeight);
  }
  const std::vector<double> places = keep_apart(wanted, weights, distances_in(net, rank));
  for (size_t place = 0; place < rank.size(); ++place) net.items[rank[place]].x = places[place];
}

void pack(Net& net) {
  for (const auto& rank : net.ranks) {
    const std::vector<double> distances = distances_in(net, rank);
    double x = -std::accumulate(distances.begin(), distances.end(), 0.0) / 2;
    for (size_t place = 0; place < rank.size(); ++place) {
      net.items[rank[place]].x = x;
      if (place < distances.size()) x += distances[place];
    }
  }
}

void sweep(Net& net, Look look) {
  if (look == Look::kBelow)
    for (auto rank = net.ranks.rbegin(); rank != net.ranks.rend(); ++rank) place_rank(net, *rank, look);
  else
    for (const auto& rank : net.ranks) place_rank(net, rank, look);
}

// Makes chains of items that only lead to one another exactly vertical where their neighbours leave room.
class Straightener {
 public:
  explicit Straightener(Net& net) : net_(net), place_(net.items.size()) {
    for (const auto& rank : net.ranks)
      for (size_t place = 0; place < rank.size(); ++place) place_[rank[place]] = place;
  }

  void straighten() {
    for (uint32_t item = 0; item < net_.items.size(); ++item)
      if (!predecessor(item)) align(chain_from(item));
  }

 private:
  // The items whose only way down leads to an item whose only way up leads back.
  std::optional<uint32_t> successor(uint32_t item) const {
    if (net_.below[item].size() != 1) return std::nullopt;
    const uint32_t next = net_.arcs[net_.below[item].front()].lower;
    if (net_.above[next].size() != 1) return std::nullopt;
    return next;
  }
  std::optional<uint32_t> predecessor(uint32_t item) const {
    if (net_.above[item].size() != 1) return std::nullopt;
    const uint32_t previous = net_.arcs[net_.above[item].front()].upper;
    if (net_.below[previous].size() != 1) return std::nullopt;
    return previous;
  }

  std::vector<uint32_t> chain_from(uint32_t item) const {
    std::vector<uint32_t> chain = {item};
    while (const auto next = successor(chain.back())) chain.push_back(*next);
    return chain;
  }

  void align(const std::vector<uint32_t>& chain) {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    double sum = 0;
    for (const uint32_t item : chain) {
      low = std::max(low, lowest(item));
      high = std::min(high, highest(item));
      sum += net_.items[item].x;
    }
    if (chain.size() < 2 || low > high) return;
    const double x = std::clamp(sum / static_cast<double>(chain.size()), low, high);
    for (const uint32_t item : chain) net_.items[item].x = x;
  }

  double lowest(uint32_t item) const {
    if (place_[item] == 0) return -std::numeric_limits<double>::infinity();
    const Item& left = net_.items[net_.ranks[net_.items[item].rank][place_[item] - 1]];
    return left.x + distance(left, net_.items[item]);
  }
  double highest(uint32_t item) const {
    const auto& rank = net_.ranks[net_.items[item].rank];
    if (place_[item] + 1 == rank.size()) return std::numeric_limits<double>::infinity();
    const Item& right = net_.items[rank[place_[item] + 1]];
    return right.x - distance(net_.items[item], right);
  }

  Net& net_;
  std::vector<size_t> place_;
};

void move_to_zero(Net& net) {
  double left = std::numeric_limits<double>::infinity();
  for (const Item& item : net.items) left = std::min(left, item.x - item.left);
  for (Item& item : net.items) item.x -= left;
}

}  // namespace

// Pool adjacent violators: neighbours that want to pass each other form a block, which goes to its weighted mean.
std::vector<double> keep_apart(std::span<const double> wanted, std::span<const double> weights,
                               std::span<const double> distances) {
  struct Block {
    double mean;
    double weight;
    size_t count;
  };
  std::vector<Block> blocks;
  std::vector<double> offsets;
  double offset = 0;
  for (size_t index = 0; index < wanted.size(); ++index) {
    if (index > 0) offset += distances[index - 1];
    offsets.push_back(offset);
    Block block{wanted[index] - offset, weights[index], 1};
    while (!blocks.empty() && blocks.back().mean > block.mean) {
      const Block& other = blocks.back();
      const double weight = block.weight + other.weight;
      block = {(block.mean * block.weight + other.mean * other.weight) / weight, weight, block.count + other.count};
      blocks.pop_back();
    }
    blocks.push_back(block);
  }
  std::vector<double> places;
  places.reserve(wanted.size());
  for (const Block& block : blocks)
    for (size_t count = 0; count < block.count; ++count) places.push_back(block.mean + offsets[places.size()]);
  return places;
}

void place_items(Net& net) {
  pack(net);
  for (int count = 0; count < kSweeps; ++count) sweep(net, count % 2 == 0 ? Look::kBelow : Look::kAbove);
  for (int count = 0; count < kFinalSweeps; ++count) sweep(net, Look::kBoth);
  Straightener(net).straighten();
  move_to_zero(net);
}

}  // namespace pawl::graph
