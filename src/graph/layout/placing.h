// The fourth step of a layered drawing: the x of every item, in the order of its rank.
#pragma once

#include <span>
#include <vector>

#include "graph/layout/net.h"

namespace pawl::graph {

// Sets Item::x so that items of a rank do not touch, links are as straight as may be, and the leftmost edge is at 0.
void place_items(Net& net);

// The places nearest to the wanted ones (least squares, by weight) that keep their order and the distances between
// neighbours; distances[i] lies between i and i + 1.
std::vector<double> keep_apart(std::span<const double> wanted, std::span<const double> weights,
                               std::span<const double> distances);

}  // namespace pawl::graph
