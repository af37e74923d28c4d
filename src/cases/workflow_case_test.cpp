// Cases of workflows: what is compared, that it can differ, and what a case must not say.
#include "cases/workflow_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/run_case.h"

namespace pawl::cases {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kFile = R"(
definition:
  id: w
  name: w
  functions: [{name: f, resource: r}]
  events: [{name: in, type: in, source: s}, {name: out, type: out, kind: produced}]
  states:
    - {name: A, type: event, start: {kind: default}, eventsActions: [{eventRefs: [in], actions: [{functionRef: {refName: f}}]}], transition: {nextState: B}}
    - {name: B, type: subflow, workflowId: sub, waitForCompletion: true, end: {kind: event, produceEvent: {eventRef: out, data: "{{ $.n }}"}}}
definitions: [{id: sub, name: sub, states: [{name: S, type: inject, start: {kind: default}, data: {sub: 1}, end: {kind: default}}]}]
cases:
  - name: one
    events: [{after: PT5S, event: {type: in, source: s, data: {n: 7}}}]
    mocks: {f: [{return: {f: 1}}]}
    expect: )";

std::vector<std::string> differences(std::string_view expect, bool restarts = false) {
  const auto file = parse_case_file(std::string(kFile) + std::string(expect), "flow.test.yaml");
  EXPECT_TRUE(file) << to_string(file.error());
  return run_case(file->cases.front(), restarts).differences;
}

TEST(WorkflowCase, PassesWhereEverythingIsAsExpected) {
  constexpr std::string_view kRight =
      "{output: {n: 7, f: 1, sub: 1}, path: [A, B], calls: [f], task_inputs: {f: [{}]}, emitted: [{type: out, data: "
      "7}],"
      " state_outputs: {A: [{n: 7, f: 1}]}, instances: [{status: SUCCEEDED}]}";
  EXPECT_THAT(differences(kRight), IsEmpty());
  EXPECT_THAT(differences(kRight, true), IsEmpty());
}

TEST(WorkflowCase, TellsEachDifference) {
  EXPECT_THAT(differences("{output: {n: 8, f: 1, sub: 1}}"), ElementsAre(HasSubstr("output /n: expected 8, got 7")));
  EXPECT_THAT(differences("{path: [A]}").front(), HasSubstr("path"));
  EXPECT_THAT(differences("{calls: []}").front(), HasSubstr("calls"));
  EXPECT_THAT(differences("{task_inputs: {f: []}}").front(), HasSubstr("task_inputs of 'f'"));
  EXPECT_THAT(differences("{emitted: [{type: out, data: 8}]}"), ElementsAre(HasSubstr("emitted /0/data")));
  EXPECT_THAT(differences("{emitted: []}").front(), HasSubstr("emitted"));
  EXPECT_THAT(differences("{instances: []}").front(), HasSubstr("instances"));
  EXPECT_THAT(differences("{instances: [{error: E}]}").front(), HasSubstr("instances /0/error"));
  EXPECT_THAT(differences("{elapsed: 5}").front(), HasSubstr("elapsed"));
  EXPECT_THAT(differences("{error: E}").front(), HasSubstr("status"));
  EXPECT_THAT(differences("{diagnostics: [SW_EMPTY]}").front(), HasSubstr("diagnostics"));
}

std::string refusal(std::string_view events) {
  const auto file =
      parse_case_file("definition: {}\ncases: [{name: one, expect: {output: 1}, events: " + std::string(events) + "}]",
                      "flow.test.yaml");
  return file ? "" : file.error().code + " " + file.error().what;
}

TEST(WorkflowCase, RefusesEventsThatAreNone) {
  EXPECT_EQ(refusal("[{after: soon, event: {}}]"), "CASE_INVALID This is no duration such as PT5S.");
  EXPECT_EQ(refusal("[{after: PT5S}]"), "CASE_INVALID There is no event.");
  EXPECT_THAT(refusal("[{when: PT5S, event: {}}]"), HasSubstr("CASE_UNKNOWN_FIELD"));
}

TEST(WorkflowCase, RefusesEventsThatAServerWouldRefuse) {
  EXPECT_EQ(refusal("[{event: {source: s}}]"), "EVENT_ATTRIBUTE_MISSING An event has no 'type'.");
  EXPECT_EQ(refusal("[{event: {source: s, type: t, bad-name: x}}]"),
            "EVENT_ATTRIBUTE_NAME 'bad-name' is no name of an attribute.");
}

}  // namespace
}  // namespace pawl::cases
