// Tests of the dot form: the text a graph becomes, clusters included, and that no label can break it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph.h"

namespace pawl::graph {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Dot, DrawsNodesClustersAndEdges) {
  Graph graph;
  const NodeId start = graph.add_node({.kind = NodeKind::kStart, .label = "Start"});
  const NodeId group = graph.add_node({.kind = NodeKind::kGroup, .label = "All"});
  graph.add_node({.kind = NodeKind::kTask, .label = "First", .parent = group});
  graph.add_node({.kind = NodeKind::kTask, .label = "Last", .parent = group});
  graph.add_edge({.from = start, .to = group, .label = "go"});
  graph.add_edge({.from = group, .to = start, .style = EdgeStyle::kDashed});
  const std::string text = to_dot(graph);
  EXPECT_THAT(text, HasSubstr("  subgraph cluster_n2 {\n"));
  EXPECT_THAT(text, HasSubstr("    n3 [label=\"First\""));
  EXPECT_THAT(text, HasSubstr("  n1 -> n3 [label=\"go\", lhead=cluster_n2];\n"));
  EXPECT_THAT(text, HasSubstr("  n4 -> n1 [label=\"\", style=dashed"));
  EXPECT_THAT(text, HasSubstr("ltail=cluster_n2];\n"));
}

TEST(Dot, EscapesQuotesBackslashesAndLineBreaks) {
  Graph graph;
  graph.add_node({.label = "a\"b\\c\nd\x01"});
  EXPECT_THAT(to_dot(graph), HasSubstr("label=\"a\\\"b\\\\c\\nd \""));
}

TEST(Dot, DrawsAnEmptyGroupAsANode) {
  Graph graph;
  graph.add_node({.kind = NodeKind::kGroup, .label = "Nothing"});
  EXPECT_THAT(to_dot(graph), HasSubstr("n1 [label=\"Nothing\""));
  EXPECT_THAT(to_dot(graph), Not(HasSubstr("subgraph")));
}

}  // namespace
}  // namespace pawl::graph
