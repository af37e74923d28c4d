#include "lang/sm4c/graph.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.h"

namespace pawl::sm4c {
namespace {

using testing::ElementsAre;

graph::Graph draw_states(std::string_view states) {
  Diagnostics diagnostics;
  const std::string text =
      R"({"name":"m","version":"1","events":[{"name":"go"},{"name":"stay"}],"states":)" + std::string(states) + "}";
  return draw(*parse_definition(json::parse_document(text).value(), {}, {}, diagnostics).machine);
}

// "A -> B: label", "A ~> B" for a dashed edge.
std::vector<std::string> edges_of(const graph::Graph& graph) {
  std::vector<std::string> edges;
  for (const graph::Edge& edge : graph.edges()) {
    std::string text = graph.node(edge.from).label + (edge.style == graph::EdgeStyle::kDashed ? " ~> " : " -> ");
    text += graph.node(edge.to).label;
    if (!edge.label.empty()) text += ": " + edge.label;
    edges.push_back(text);
  }
  return edges;
}

TEST(Graph, ShowsWhatTriggersATransition) {
  const auto graph = draw_states(R"([
    {"name":"A","start":true,"transitions":[{"condition":"${ .a }","nextState":"B"},
      {"eventGroups":[{"events":["go","stay"]},{"events":["go"]}],"nextState":"B"},{"timeout":"00:10","nextState":"b"},
      {"nextState":"gone"}]},
    {"name":"B"}])");
  EXPECT_THAT(edges_of(graph), ElementsAre("Start -> A", "A -> B: if .a", "A -> B: on go or stay and go",
                                           "A ~> B: after 00:10", "B -> End"));
}

TEST(Graph, ShowsWhatAStateDoes) {
  const auto graph = draw_states(R"([{"name":"A","start":true,"enterAction":{"type":"parallel","actions":[
    {"type":"delay","timeout":"00:01"},{"type":"foreach","input":"${ .l }","action":{"type":"sendEvent","event":"go"}}]}}])");
  EXPECT_EQ(graph.nodes()[1].detail, "delay · 00:01 | each of .l: sends go");
}

}  // namespace
}  // namespace pawl::sm4c
