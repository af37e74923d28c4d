// The first step of a layered drawing: which rank each box stands in, and which links run upwards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/layout/layered.h"

namespace pawl::graph {

struct Ranks {
  std::vector<uint32_t> of_box;
  std::vector<bool> is_upward;  // of each link: it closes a cycle and is drawn from below to above
  uint32_t count = 0;
};

// Links from a box to itself are left alone.
Ranks assign_ranks(size_t box_count, std::span<const Link> links);

}  // namespace pawl::graph
