#include "lang/serverless/graph.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.h"

namespace pawl::serverless {
namespace {

using graph::EdgeStyle;
using graph::Graph;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

Graph draw_states(std::string_view states) {
  Diagnostics diagnostics;
  const std::string text = R"({"id":"w","name":"w","events":[{"name":"go","type":"t","source":"s"},
      {"name":"done","type":"d","kind":"produced"}],"states":)" +
                           std::string(states) + "}";
  return draw(parse_definition(json::parse_document(text).value(), {}, {}, diagnostics));
}

// "A -> B: label", "A ~> B" for a dashed edge.
std::vector<std::string> edges_of(const Graph& graph) {
  std::vector<std::string> edges;
  for (const graph::Edge& edge : graph.edges()) {
    std::string text = graph.node(edge.from).label + (edge.style == EdgeStyle::kDashed ? " ~> " : " -> ");
    text += graph.node(edge.to).label;
    if (!edge.label.empty()) text += ": " + edge.label;
    edges.push_back(text);
  }
  return edges;
}

std::vector<std::string> details_of(const Graph& graph) {
  std::vector<std::string> details;
  for (const graph::Node& node : graph.nodes())
    if (!node.detail.empty()) details.push_back(node.label + ": " + node.detail + node.mark);
  return details;
}

TEST(DrawWorkflow, LeadsFromTheStartOverTransitionsToTheEnd) {
  const Graph graph = draw_states(R"([{"name":"A","type":"delay","timeDelay":"PT5S","start":{"kind":"default"},
      "transition":{"nextState":"B"}},{"name":"B","type":"inject","end":{"kind":"default"}}])");
  EXPECT_THAT(edges_of(graph), UnorderedElementsAre("Start -> A", "A -> B", "B -> End"));
  EXPECT_THAT(details_of(graph), ElementsAre("A: delay · PT5S", "B: inject"));
}

TEST(DrawWorkflow, ShowsWhenEachWayOfASwitchIsTaken) {
  const Graph graph = draw_states(R"([{"name":"S","type":"switch","dataConditions":[{"condition":"{{ $.a }}",
      "transition":{"nextState":"B"}}],"default":{"nextState":"B"}},{"name":"B","type":"inject","end":{"kind":"default"}}])");
  EXPECT_THAT(edges_of(graph), UnorderedElementsAre("Start -> S", "S -> B: $.a", "S -> B: default", "B -> End"));
}

TEST(DrawWorkflow, ShowsErrorsEventsAndRetries) {
  const Graph graph = draw_states(R"([{"name":"E","type":"event","start":{"kind":"default"},
      "eventsActions":[{"eventRefs":["go"],"actions":[{"functionRef":{"refName":"f"}}]}],
      "retry":[{"expression":"{{ $.errors }}","maxAttempts":3}],
      "onError":[{"expression":"{{ $.errors }}","transition":{"nextState":"B"}}],
      "end":{"kind":"event","produceEvent":{"eventRef":"done"}}},
      {"name":"B","type":"inject","end":{"kind":"terminate"}}])");
  EXPECT_THAT(edges_of(graph), UnorderedElementsAre("Start -> E: on go", "E -> End: produces done", "E ~> B: $.errors",
                                                    "B -> End: terminate"));
  EXPECT_THAT(details_of(graph), ElementsAre("E: event · go: f↻ 3", "B: inject"));
}

TEST(DrawWorkflow, PutsEachBranchIntoALaneOfItsOwn) {
  const Graph graph = draw_states(R"([{"name":"P","type":"parallel","branches":[{"name":"x","workflowId":"other"},
      {"name":"y","actions":[{"functionRef":{"refName":"f"}}]}],"end":{"kind":"default"}}])");
  EXPECT_THAT(details_of(graph), ElementsAre("P: parallel · all branches", "x: workflow other", "y: f"));
}

}  // namespace
}  // namespace pawl::serverless
