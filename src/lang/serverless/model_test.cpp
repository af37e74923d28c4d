// What the reader makes of a definition: spellings of the draft and of v0.5, ordinals, references.
#include "lang/serverless/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lang/serverless/lint.h"
#include "text/diagnostics_format.h"
#include "text/yaml.h"

namespace pawl::serverless {
namespace {

using testing::ElementsAre;

Definition read(std::string_view text, const Files& files = {}) {
  Diagnostics diagnostics;
  Definition definition = load(text::parse_definition(text).value(), {}, files, diagnostics);
  EXPECT_FALSE(has_errors(diagnostics)) << text::format_as_text(diagnostics);
  return definition;
}

constexpr std::string_view kEverything = R"(
id: w
name: w
functions: [{name: f, resource: r}]
events: [{name: in, type: t, source: s}]
states:
- {name: O, type: operation, start: {kind: default}, actions: [{functionRef: {refName: f}}, {name: second, functionRef: {refName: f}}], transition: {nextState: E}}
- name: E
  id: e-1
  type: event
  eventsActions: [{eventRefs: [in], actions: [{functionRef: {refName: f}}]}]
  transition: {nextState: C}
- {name: C, type: callback, action: {functionRef: {refName: f}}, eventRef: in, timeout: PT1M, end: {kind: default}}
)";

TEST(Model, CountsStatesBodiesActionsAndWaitsInTheOrderOfTheText) {
  const Definition definition = read(kEverything);
  std::vector<std::string> names;
  for (const Node& node : definition.workflow->nodes) names.emplace_back(node.name());
  EXPECT_THAT(names, ElementsAre("O", "f", "second", "E", "E", "f", "C", "f", "in"));
  EXPECT_EQ(definition.workflow->node(StateOrdinal(5)).kind, NodeKind::kBody);
  EXPECT_EQ(definition.workflow->node(StateOrdinal(9)).kind, NodeKind::kWait);
}

TEST(Model, ResolvesTransitionsByNameOrId) {
  const Definition by_name = read(kEverything);
  EXPECT_EQ(by_name.workflow->states[0].exit->next, by_name.workflow->states[1].ordinal);
  std::string text(kEverything);
  text.replace(text.find("nextState: E"), 12, "nextState: e-1");
  const Definition by_id = read(text);
  EXPECT_EQ(by_id.workflow->states[0].exit->next, by_id.workflow->states[1].ordinal);
}

TEST(Model, TakesTheSpellingsOfTheNextVersion) {
  const Definition definition = read(R"(
id: w
name: w
functions: [{name: f, operation: "api.json#get"}]
events: [{names: [a, b], type: t, source: s}, {name: out, type: t, kind: produced}]
states:
- name: E
  type: event
  start: {kind: default}
  onEvents: [{eventRefs: [a, b], actions: []}]
  transition: {nextState: S, produceEvents: [{eventRef: out}, {eventRef: out}]}
- name: S
  type: switch
  dataConditions: [{name: first, condition: "{{ $.a }}", end: {kind: default}}]
  default: {transition: {nextState: I}}
- {name: I, type: inject, end: {kind: terminate}}
)",
                                     {{"api.json", R"({"openapi":"3.0.0","servers":[{"url":"http://localhost"}],
                                        "paths":{"/":{"get":{"operationId":"get"}}}})"}});
  const Workflow& workflow = *definition.workflow;
  EXPECT_EQ(workflow.functions[0].resource, "api.json#get");
  EXPECT_EQ(workflow.events.size(), 3u);
  EXPECT_EQ(workflow.states[0].exit->events.size(), 2u);
  const auto& decision = std::get<SwitchState>(workflow.states[1].detail);
  EXPECT_EQ(decision.data_conditions[0].exit.kind, ExitKind::kEnd);
  EXPECT_EQ(decision.fallback->next, workflow.states[2].ordinal);
  EXPECT_EQ(workflow.states[2].exit->kind, ExitKind::kTerminate);
}

TEST(Model, TakesContextAttributesAsAnObjectOrAnArrayOfThem) {
  const auto attributes = [](std::string_view written) {
    const Definition definition = read(
        "id: w\nname: w\nevents: [{name: out, type: t, kind: produced}]\nstates:\n"
        "- {name: I, type: inject, start: {kind: default}, end: {kind: event, produceEvent: {eventRef: out, "
        "contextAttributes: " +
        std::string(written) + "}}}\n");
    return definition.workflow->states[0].exit->events[0].attributes.size();
  };
  EXPECT_EQ(attributes("{buyerId: '{{ $.b }}', x: y}"), 2u);
  EXPECT_EQ(attributes("[{buyerId: '{{ $.b }}'}]"), 1u);
}

TEST(Model, ReadsRetriesWithTheirRepetitions) {
  const Definition definition = read(R"(
id: w
name: w
functions: [{name: f, resource: r}]
states:
- name: O
  type: operation
  start: {kind: default}
  actions: [{functionRef: {refName: f}}]
  retry: [{expression: "{{ $.errors }}", interval: R4/PT1M, multiplier: PT2M, maxAttempts: "4"}]
  end: {kind: default}
)");
  const Retry& retry = definition.workflow->states[0].retries[0];
  EXPECT_EQ(retry.repetitions, 4u);
  EXPECT_EQ(retry.interval->value.rest, std::chrono::minutes(1));
  EXPECT_EQ(retry.max_attempts->literal(), 4);
}

TEST(Model, ReadsFunctionsEventsAndSchemasFromFiles) {
  constexpr std::string_view kText =
      "{\"id\":\"w\",\"name\":\"w\",\"functions\":\"f.yaml\",\"dataInputSchema\":\"in.json#/x\",\"states\":["
      "{\"name\":\"I\",\"type\":\"inject\",\"start\":{\"kind\":\"default\"},\"end\":{\"kind\":\"default\"}}]}";
  EXPECT_THAT(referred_files(text::parse_definition(kText)->root), ElementsAre("in.json", "f.yaml"));
  const Definition definition =
      read(kText, {{"f.yaml", "functions: [{name: f, resource: r}]"}, {"in.json", "{\"type\":\"object\"}"}});
  EXPECT_EQ(definition.workflow->functions[0].name, "f");
  EXPECT_EQ(*definition.workflow->input_schema->document.find("type"), Value::string("object"));
}

TEST(Model, EvaluatesItsHeadOnTheInput) {
  const Definition definition =
      read(R"({"id":"MySampleWorkflow","name":"Sample Workflow","version":"{{ $.inputVersion }}",
      "states":[{"name":"I","type":"inject","start":{"kind":"default"},"end":{"kind":"default"}}]})");
  const Value header = definition.workflow->header(json::parse(R"({"inputVersion":"1.0.0"})").value()).value();
  EXPECT_EQ(*header.find("version"), Value::string("1.0.0"));
  EXPECT_EQ(*header.find("name"), Value::string("Sample Workflow"));
}

TEST(Model, ReadsBackWhatASubWorkflowInherits) {
  const Definition definition = read(kEverything);
  EXPECT_EQ(read_function(definition.workflow->functions[0].source)->resource, "r");
  EXPECT_EQ(read_event(definition.workflow->events[0].source, {})->event_type, "t");
  EXPECT_FALSE(read_function(Value::integer(1)));
}

}  // namespace
}  // namespace pawl::serverless
