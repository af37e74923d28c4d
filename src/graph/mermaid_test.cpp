// Tests of the Mermaid form: the text a graph becomes, and that no label can break it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph.h"

namespace pawl::graph {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Mermaid, DrawsNodesGroupsAndEdges) {
  Graph graph;
  const NodeId start = graph.add_node({.kind = NodeKind::kStart, .label = "Start"});
  const NodeId group = graph.add_node({.kind = NodeKind::kGroup, .label = "All", .detail = "Map"});
  graph.add_node({.kind = NodeKind::kTask, .label = "Pack", .mark = "↻ 2", .parent = group});
  graph.add_edge({.from = start, .to = group, .label = "go"});
  graph.add_edge({.from = group, .to = start, .style = EdgeStyle::kDashed});
  const std::string text = to_mermaid(graph);
  EXPECT_TRUE(text.starts_with("flowchart TD\n  n1((\"Start\")):::terminal\n"));
  EXPECT_THAT(text, HasSubstr("  subgraph n2[\"All<br/><small>Map</small>\"]\n"
                              "    n3[\"Pack ↻ 2\"]:::task\n  end\n"));
  EXPECT_THAT(text, HasSubstr("  n1 -->|\"go\"| n2\n"));
  EXPECT_THAT(text, HasSubstr("  n2 -.-> n1\n"));
}

TEST(Mermaid, EscapesWhatWouldEndALabelOrBeMarkup) {
  Graph graph;
  graph.add_node({.label = "say \"hi\" #1 <b>&\nnext`*_\\"});
  EXPECT_THAT(to_mermaid(graph), HasSubstr("(\"say #quot;hi#quot; #35;1 #lt;b#gt;#amp;<br/>next#96;#42;#95;#92;\")"));
}

TEST(Mermaid, KeepsALabelFromBeingAListOrADirective) {
  Graph graph;
  graph.add_node({.label = "1. Load"});
  graph.add_node({.label = "- skip"});
  graph.add_node({.label = "1.5 kg"});
  graph.add_node({.label = "%%{init}%%"});
  const std::string text = to_mermaid(graph);
  EXPECT_THAT(text, HasSubstr("(\"#8203;1. Load\")"));
  EXPECT_THAT(text, HasSubstr("(\"#8203;- skip\")"));
  EXPECT_THAT(text, HasSubstr("(\"1.5 kg\")"));
  EXPECT_THAT(text, HasSubstr("#37;#37;{init}"));
}

TEST(Mermaid, GivesANodeWithoutTextABlankLabel) {
  Graph graph;
  graph.add_node({.kind = NodeKind::kEnd, .label = ""});
  EXPECT_THAT(to_mermaid(graph), HasSubstr("n1(((\" \")))"));
}

TEST(Mermaid, ColoursOnlyTheKindsThatAreThere) {
  Graph graph;
  graph.add_node({.kind = NodeKind::kTask, .label = "A"});
  const std::string text = to_mermaid(graph);
  EXPECT_THAT(text, HasSubstr("classDef task "));
  EXPECT_THAT(text, Not(HasSubstr("classDef wait ")));
}

TEST(Mermaid, HasNoEdgesWithoutEdges) {
  Graph graph;
  graph.add_node({.label = "A"});
  EXPECT_THAT(to_mermaid(graph), Not(HasSubstr("-->")));
}

}  // namespace
}  // namespace pawl::graph
