// A graph with sizes and places: what is left to do is to write it down.
//
// Every group is laid out by itself and is then one box in the group around it.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/layout/layered.h"

namespace pawl::graph {

inline constexpr double kLabelFont = 13;
inline constexpr double kDetailFont = 10.5;
inline constexpr double kEdgeFont = 11;
inline constexpr double kLabelLine = 16;
inline constexpr double kDetailLine = 13;
inline constexpr double kEdgeLine = 13;
inline constexpr double kNodePadding = 8;
inline constexpr double kDecisionInset = 14;  // how far the points of a decision's hexagon stand out
inline constexpr double kGroupPadding = 14;

struct NodePicture {
  NodeId id;
  Point corner;
  Size size;
  std::vector<std::string> label;
  std::vector<std::string> detail;
};

struct EdgeLabelPicture {
  const Edge* edge = nullptr;
  Point center;
  std::vector<std::string> lines;
};

struct StretchPicture {
  Stretch stretch;
  EdgeStyle style = EdgeStyle::kSolid;
};

struct LoopPicture {
  Point at;
  EdgeStyle style = EdgeStyle::kSolid;
};

struct Scene {
  Size size;
  std::vector<NodePicture> nodes;  // a group before what it holds
  std::vector<StretchPicture> stretches;
  std::vector<LoopPicture> loops;
  std::vector<EdgeLabelPicture> labels;
};

Scene compose(const Graph& graph);

}  // namespace pawl::graph
