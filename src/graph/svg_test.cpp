// Tests of the SVG form and of the scene it is written from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph.h"
#include "graph/scene.h"

namespace pawl::graph {
namespace {

using testing::HasSubstr;
using testing::Not;

const NodePicture& picture_of(const Scene& scene, NodeId id) {
  for (const NodePicture& picture : scene.nodes)
    if (picture.id == id) return picture;
  throw std::out_of_range("no picture");
}

bool contains(const NodePicture& outer, const NodePicture& inner) {
  return outer.corner.x <= inner.corner.x && outer.corner.y <= inner.corner.y &&
         outer.corner.x + outer.size.width >= inner.corner.x + inner.size.width &&
         outer.corner.y + outer.size.height >= inner.corner.y + inner.size.height;
}

TEST(Scene, PutsNodesInsideTheirGroups) {
  Graph graph;
  const NodeId group = graph.add_node({.kind = NodeKind::kGroup, .label = "Outer"});
  const NodeId lane = graph.add_node({.kind = NodeKind::kLane, .label = "", .parent = group});
  const NodeId other = graph.add_node({.kind = NodeKind::kLane, .label = "", .parent = group});
  const NodeId node = graph.add_node({.label = "Inner", .parent = lane});
  graph.add_node({.label = "First", .parent = other});
  graph.add_node({.label = "Second", .parent = other});
  const Scene scene = compose(graph);
  EXPECT_TRUE(contains(picture_of(scene, group), picture_of(scene, lane)));
  EXPECT_TRUE(contains(picture_of(scene, lane), picture_of(scene, node)));
  EXPECT_DOUBLE_EQ(picture_of(scene, lane).size.height, picture_of(scene, other).size.height);
  EXPECT_LT(picture_of(scene, lane).corner.x, picture_of(scene, other).corner.x);
}

TEST(Scene, BreaksManyLanesIntoRows) {
  Graph graph;
  const NodeId group = graph.add_node({.kind = NodeKind::kGroup, .label = "Many"});
  for (int count = 0; count < 40; ++count) {
    const NodeId lane = graph.add_node({.kind = NodeKind::kLane, .label = "", .parent = group});
    graph.add_node({.label = "Work", .parent = lane});
  }
  const Scene scene = compose(graph);
  EXPECT_LT(scene.size.width, 1700);
  EXPECT_GT(picture_of(scene, NodeId(80)).corner.y, picture_of(scene, NodeId(2)).corner.y);
}

TEST(Scene, DrawsAnEdgeBetweenGroupsWhereBothLie) {
  Graph graph;
  const NodeId left = graph.add_node({.kind = NodeKind::kGroup, .label = "A"});
  const NodeId from = graph.add_node({.label = "from", .parent = left});
  const NodeId right = graph.add_node({.kind = NodeKind::kGroup, .label = "B"});
  const NodeId to = graph.add_node({.label = "to", .parent = right});
  graph.add_edge({.from = from, .to = to});
  const Scene scene = compose(graph);
  ASSERT_EQ(scene.stretches.size(), 1U);
  EXPECT_DOUBLE_EQ(scene.stretches[0].stretch.points.back().y, picture_of(scene, right).corner.y);
}

TEST(Scene, LeavesOutAnEdgeFromAGroupToWhatItHolds) {
  Graph graph;
  const NodeId group = graph.add_node({.kind = NodeKind::kGroup, .label = "A"});
  const NodeId inner = graph.add_node({.label = "inner", .parent = group});
  graph.add_edge({.from = group, .to = inner});
  graph.add_edge({.from = inner, .to = inner});
  const Scene scene = compose(graph);
  EXPECT_TRUE(scene.stretches.empty());
  EXPECT_EQ(scene.loops.size(), 1U);
}

TEST(Svg, WritesShapesTextsLinesAndHeads) {
  Graph graph;
  const NodeId choice = graph.add_node({.kind = NodeKind::kDecision, .label = "Which?", .detail = "Choice"});
  const NodeId task = graph.add_node({.kind = NodeKind::kTask, .label = "Do", .mark = "↻ 2"});
  graph.add_edge({.from = choice, .to = task, .label = "$.a > 1"});
  graph.add_edge({.from = task, .to = choice, .label = "any error", .style = EdgeStyle::kDashed});
  const std::string svg = to_svg(graph);
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_THAT(svg, HasSubstr("<path class=\"shape decision\""));
  EXPECT_THAT(svg, HasSubstr("<rect class=\"shape task\""));
  EXPECT_THAT(svg, HasSubstr(">↻ 2</text>"));
  EXPECT_THAT(svg, HasSubstr(">$.a &gt; 1</text>"));
  EXPECT_THAT(svg, HasSubstr("<path class=\"line error\""));
  EXPECT_THAT(svg, HasSubstr("<path class=\"head error\""));
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme:dark"));
}

TEST(Svg, EscapesMarkupAndWhatXmlCannotHold) {
  Graph graph;
  graph.add_node({.label = "<a&\"b\">\x01\xEF\xBF\xBF"});
  const std::string svg = to_svg(graph);
  EXPECT_THAT(svg, HasSubstr("&lt;a&amp;&quot;b&quot;&gt; \xEF\xBF\xBD"));
  EXPECT_THAT(svg, Not(HasSubstr("\x01")));
}

TEST(Svg, DrawsThousandsOfNodesThatLeadEverywhere) {
  constexpr uint32_t kNodes = 2000;
  Graph graph;
  for (uint32_t count = 0; count < kNodes; ++count) graph.add_node({.label = "S" + std::to_string(count)});
  for (uint32_t from = 0; from < kNodes; ++from) {
    graph.add_edge({.from = NodeId(from + 1), .to = NodeId((from + 1) % kNodes + 1)});
    graph.add_edge({.from = NodeId(from + 1), .to = NodeId(from * 7919 % kNodes + 1), .label = "far"});
  }
  const std::string svg = to_svg(graph);
  EXPECT_THAT(svg, HasSubstr(">S1999</text>"));
  EXPECT_THAT(svg, HasSubstr("far: to S"));
}

}  // namespace
}  // namespace pawl::graph
