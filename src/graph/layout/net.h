// The second step of a layered drawing: every link becomes a chain of items, one a rank, joined by arcs from each rank
// to the next. The later steps see items and arcs only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/layout/layered.h"
#include "graph/layout/ranks.h"

namespace pawl::graph {

enum class ItemKind : uint8_t { kBox, kLabel, kLane };

struct Item {
  ItemKind kind = ItemKind::kLane;
  uint32_t source = 0;  // the index of the box, or of the link
  uint32_t rank = 0;
  double left = 0;  // its reach from x to both sides
  double right = 0;
  double height = 0;
  double x = 0;
  bool is_reference = false;  // a label that stands for its whole link
};

struct Arc {
  uint32_t upper = 0;  // items, of two ranks that follow one another
  uint32_t lower = 0;
  uint32_t link = 0;
  double weight = 1;
  bool arrow_at_top = false;
  bool arrow_at_bottom = false;
};

struct Net {
  std::vector<Item> items;  // the boxes first, in their order
  std::vector<Arc> arcs;
  std::vector<std::vector<uint32_t>> ranks;  // items from left to right
  std::vector<std::vector<uint32_t>> above;  // for each item the arcs to the rank above
  std::vector<std::vector<uint32_t>> below;
};

Net build_net(std::span<const Box> boxes, std::span<const Link> links, const Ranks& ranks);

}  // namespace pawl::graph
