// The third step of a layered drawing: the order of the items within each rank, with few crossings.
#pragma once

#include <cstdint>

#include "graph/layout/net.h"

namespace pawl::graph {

// Reorders net.ranks: first as a walk from the top meets the items, then by barycenters, downwards and upwards in turn,
// keeping the best order seen. Above kOrderingItemsMax items only the walk.
void order_ranks(Net& net);

uint64_t count_crossings(const Net& net);

}  // namespace pawl::graph
