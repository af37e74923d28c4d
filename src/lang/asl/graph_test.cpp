#include "lang/asl/graph.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/label.h"
#include "json/parse.h"
#include "lang/asl/graph_text.h"

namespace pawl::asl {
namespace {

using graph::EdgeStyle;
using graph::Graph;
using graph::NodeKind;
using testing::Contains;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

Graph draw_text(std::string_view text) {
  Diagnostics diagnostics;
  return draw(parse_definition(json::parse_document(text).value(), diagnostics));
}

json::Value value(std::string_view text) { return json::parse(text).value(); }

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

const graph::Node& node_named(const Graph& graph, std::string_view label) {
  for (const graph::Node& node : graph.nodes())
    if (node.label == label) return node;
  throw std::out_of_range(std::string(label));
}

std::string rule(std::string_view text) { return rule_text(value(text)); }

std::string detail(std::string_view state) {
  const Graph graph = draw_text(R"({"StartAt":"S","States":{"S":)" + std::string(state) + "}}");
  return node_named(graph, "S").detail;
}

TEST(DrawDefinition, LeadsFromTheStartOverNextToTheEnd) {
  const Graph graph = draw_text(R"({"StartAt":"A","States":{
    "A":{"Type":"Pass","Next":"B"},"B":{"Type":"Wait","Seconds":3,"End":true}}})");
  EXPECT_THAT(edges_of(graph), UnorderedElementsAre("Start -> A", "A -> B", "B -> End"));
  EXPECT_EQ(node_named(graph, "A").kind, NodeKind::kStep);
  EXPECT_EQ(node_named(graph, "B").kind, NodeKind::kWait);
}

TEST(DrawDefinition, LabelsTheEdgesOfAChoiceWithItsRules) {
  const Graph graph = draw_text(R"({"StartAt":"C","States":{
    "C":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThan":5,"Next":"Big"}],"Default":"Small"},
    "Big":{"Type":"Succeed"},"Small":{"Type":"Fail","Error":"TooSmall"}}})");
  EXPECT_THAT(edges_of(graph),
              UnorderedElementsAre("Start -> C", "C -> Big: $.n > 5", "C -> Small: default", "Big -> End"));
  EXPECT_EQ(node_named(graph, "Small").detail, "Fail · TooSmall");
}

TEST(DrawDefinition, DashesTheWayOfAnErrorAndMarksRetries) {
  const Graph graph = draw_text(R"({"StartAt":"T","States":{
    "T":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","End":true,
      "Retry":[{"ErrorEquals":["X"]},{"ErrorEquals":["States.ALL"],"MaxAttempts":5}],
      "Catch":[{"ErrorEquals":["A","B"],"Next":"F"},{"ErrorEquals":["States.ALL"],"Next":"F"}]},
    "F":{"Type":"Fail"}}})");
  EXPECT_THAT(edges_of(graph), UnorderedElementsAre("Start -> T", "T -> End", "T ~> F: A, B", "T ~> F: any error"));
  EXPECT_EQ(node_named(graph, "T").mark, "↻ 5");
  EXPECT_EQ(node_named(graph, "T").detail, "Task · lambda:invoke");
}

TEST(DrawDefinition, NestsTheBranchesOfAParallelAndTheProcessorOfAMap) {
  const Graph graph = draw_text(R"({"StartAt":"P","States":{
    "P":{"Type":"Parallel","Next":"M","Branches":[
      {"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}},
      {"StartAt":"B","States":{"B":{"Type":"Pass","End":true}}}]},
    "M":{"Type":"Map","ItemsPath":"$.items","MaxConcurrency":2,"End":true,
      "ItemProcessor":{"StartAt":"C","States":{"C":{"Type":"Succeed"}}}}}})");
  const graph::Node& lane_a = graph.node(node_named(graph, "A").parent);
  const graph::Node& lane_b = graph.node(node_named(graph, "B").parent);
  EXPECT_EQ(lane_a.kind, NodeKind::kLane);
  EXPECT_NE(&lane_a, &lane_b);
  EXPECT_EQ(graph.node(lane_a.parent).label, "P");
  EXPECT_EQ(graph.node(node_named(graph, "C").parent).label, "M");
  EXPECT_EQ(node_named(graph, "M").detail, "Map · each of $.items, 2 at a time");
  EXPECT_THAT(edges_of(graph), Contains("P -> M"));
}

TEST(DrawDefinition, LeavesOutTransitionsToStatesThatDoNotExist) {
  EXPECT_THAT(edges_of(draw_text(R"({"StartAt":"A","States":{"A":{"Type":"Pass","Next":"Gone"}}})")),
              ElementsAre("Start -> A"));
}

TEST(DrawDefinition, SurvivesFieldsOfTheWrongKind) {
  const Graph graph = draw_text(R"({"StartAt":7,"States":{
    "C":{"Type":"Choice","Choices":[3,{"And":4},{"Not":[]},{"Variable":{},"IsNull":"x"}],"Default":[]},
    "T":{"Type":"Task","Resource":{},"Retry":[1,{"MaxAttempts":"many"}],"Catch":{"Next":"C"},"End":"yes"},
    "M":{"Type":"Map","ItemProcessor":[],"MaxConcurrency":"2"},"P":{"Type":"Parallel","Branches":{}}}})");
  EXPECT_EQ(graph.nodes().size(), 5U);
}

TEST(RuleText, JoinsNestedRulesWithWords) {
  EXPECT_EQ(rule(R"({"And":[{"Variable":"$.a","IsPresent":true},
                            {"Or":[{"Variable":"$.b","StringEquals":"x"},{"Variable":"$.c","BooleanEquals":false}]},
                            {"Not":{"Variable":"$.d","IsNull":true}}],"Next":"N"})"),
            R"($.a is present and ($.b = "x" or $.c = false) and not $.d is null)");
}

TEST(RuleText, ReadsTheLongestEndingOfAnOperator) {
  EXPECT_EQ(rule(R"({"Variable":"$.a","NumericLessThanEquals":1,"Next":"N"})"), "$.a <= 1");
  EXPECT_EQ(rule(R"({"Variable":"$.a","TimestampGreaterThanEqualsPath":"$.b","Next":"N"})"), "$.a >= $.b");
  EXPECT_EQ(rule(R"({"StringMatches":"*.log","Variable":"$.a","Next":"N"})"), R"($.a matches "*.log")");
  EXPECT_EQ(rule(R"({"Variable":"$.a","IsString":false,"Next":"N"})"), "$.a is not string");
}

TEST(RuleText, UnwrapsAJsonataCondition) { EXPECT_EQ(rule(R"({"Condition":"{% $n > 1 %}","Next":"N"})"), "$n > 1"); }

TEST(RuleText, CutsALongTextAtTheBorderOfACharacter) {
  std::string many;
  for (int count = 0; count < 400; ++count) many += "é";
  const std::string text = rule(R"({"Variable":"$.a","StringEquals":")" + many + R"(","Next":"N"})");
  EXPECT_LE(text.size(), graph::kLabelBytesMax + 3);
  EXPECT_TRUE(text.ends_with("é…"));
}

TEST(DetailText, SaysWhatAStateDoes) {
  EXPECT_EQ(detail(R"({"Type":"Wait","TimestampPath":"$.due","End":true})"), "Wait · until $.due");
  EXPECT_EQ(detail(R"({"Type":"Wait","SecondsPath":"$.s","End":true})"), "Wait · $.s s");
  EXPECT_EQ(detail(R"({"Type":"Task","Resource":"arn:aws:lambda:eu-west-1:123456789012:function:Charge","End":true})"),
            "Task · function:Charge");
  EXPECT_EQ(detail(R"({"Type":"Task","Resource":"https://example.com/x","End":true})"), "Task · https://example.com/x");
  EXPECT_EQ(detail(R"({"Type":"Pass","End":true})"), "Pass");
}

}  // namespace
}  // namespace pawl::asl
