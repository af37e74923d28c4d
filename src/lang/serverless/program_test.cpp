// Operation, inject, switch and delay states, transitions and ends.
#include "lang/serverless/program_test_fixture.h"

namespace pawl::serverless {
namespace {

using std::chrono::seconds;

class StateTest : public WorkflowTest {};

const char* const kGreeting = R"(
functions: [{name: greet, resource: "http://greeter"}]
states:
- name: Greet
  type: operation
  start: {kind: default}
  actions:
  - functionRef: {refName: greet, parameters: {name: "{{ $.person.name }}"}}
    actionDataFilter: {dataResultsPath: "{{ $.greeting }}"}
  end: {kind: default}
)";

TEST_F(StateTest, InjectMergesItsDataIntoTheInput) {
  load(R"(
states:
- {name: Hello, type: inject, start: {kind: default}, data: {a: {x: 1}, b: 2}, end: {kind: default}}
)");
  start(R"({"a":{"x":0,"y":9}})");
  EXPECT_EQ(output(), R"({"a":{"x":1,"y":9},"b":2})");
}

TEST_F(StateTest, OperationCallsItsFunctionWithTheParametersAndAddsTheResult) {
  load(kGreeting);
  start(R"({"person":{"name":"John"}})");
  EXPECT_EQ(call(), R"(greet({"name":"John"}))");
  answer("greet", R"({"greeting":"Hello John","other":1})");
  EXPECT_EQ(output(), R"({"person":{"name":"John"},"greeting":"Hello John"})");
  EXPECT_EQ(path(), "Greet greet");
}

TEST_F(StateTest, OperationNamesTheResourceOfItsFunction) {
  load(kGreeting);
  start(R"({"person":{"name":"John"}})");
  const auto& operation = execution().open_operations().begin()->second;
  EXPECT_EQ(program().call_of(execution(), operation).resource, "http://greeter");
}

TEST_F(StateTest, InputThatIsNoObjectIsRefusedInTheHistory) {
  load(kGreeting);
  start("[1]");
  EXPECT_EQ(error(), "Workflow.InputNotAnObject");
}

TEST_F(StateTest, NoInputIsTheEmptyObject) {
  load(kGreeting);
  start("null");
  EXPECT_EQ(call(), R"(greet({"name":null}))");
}

TEST_F(StateTest, SequentialActionsSeeWhatThoseBeforeThemAdded) {
  load(R"(
functions: [{name: one, resource: r}, {name: two, resource: r}]
states:
- name: Both
  type: operation
  start: {kind: default}
  actionMode: sequential
  actions:
  - functionRef: {refName: one}
  - functionRef: {refName: two, parameters: {x: "{{ $.x }}"}}
  end: {kind: default}
)");
  start();
  EXPECT_EQ(call(), "one({})");
  answer("one", R"({"x":7})");
  EXPECT_EQ(call(), R"(two({"x":7}))");
  answer("two", R"({"y":8})");
  EXPECT_EQ(output(), R"({"x":7,"y":8})");
}

const char* const kParallelActions = R"(
functions: [{name: one, resource: r}, {name: two, resource: r}]
states:
- name: Both
  type: operation
  start: {kind: default}
  actionMode: parallel
  actions:
  - functionRef: {refName: one, parameters: {x: "{{ $.x }}"}}
  - functionRef: {refName: two, parameters: {x: "{{ $.x }}"}}
  end: {kind: default}
)";

TEST_F(StateTest, ParallelActionsSeeTheSameDataAndAddInTheOrderOfTheText) {
  load(kParallelActions);
  start(R"({"x":0,"kept":1})");
  EXPECT_EQ(calls(), (std::vector<std::string>{R"(one({"x":0}))", R"(two({"x":0}))"}));
  answer("two", R"({"x":2})");
  EXPECT_EQ(output(), "RUNNING");
  answer("one", R"({"x":1,"y":1})");
  EXPECT_EQ(output(), R"({"x":2,"kept":1,"y":1})");
}

TEST_F(StateTest, AFailedActionCancelsTheOthersAndHaltsTheWorkflow) {
  load(kParallelActions);
  start();
  fail_call("one", "Broken", "It is broken.");
  EXPECT_EQ(error(), "Broken");
  EXPECT_EQ(cause(), "It is broken.");
  EXPECT_TRUE(calls().empty());
}

TEST_F(StateTest, AFailureWithoutANameIsAFunctionExecutionError) {
  load(kParallelActions);
  start();
  fail_call("one", "States.TaskFailed");
  EXPECT_EQ(error(), "FunctionExecutionError");
}

TEST_F(StateTest, AResultThatIsTooLargeIsAFailure) {
  load(kGreeting);
  start();
  answer("greet", R"({"greeting":")" + std::string(300'000, 'x') + R"("})");
  EXPECT_EQ(error(), "Workflow.DataLimitExceeded");
}

TEST_F(StateTest, RedriveRunsTheFailedActionAgainAndKeepsTheOther) {
  load(kParallelActions);
  start();
  answer("two", R"({"y":2})");
  fail_call("one", "Broken");
  redrive();
  EXPECT_EQ(call(), R"(one({"x":null}))");
  answer("one", R"({"x":1})");
  EXPECT_EQ(output(), R"({"x":1,"y":2})");
}

const char* const kSwitch = R"(
states:
- name: Decide
  type: switch
  start: {kind: default}
  dataConditions:
  - {condition: "{{ $.[?(@.age >= 18)] }}", transition: {nextState: Adult}}
  - {condition: "{{ $.[?(@.age >= 0)] }}", transition: {nextState: Child}}
  default: {nextState: Unborn}
- {name: Adult, type: inject, data: {is: adult}, end: {kind: default}}
- {name: Child, type: inject, data: {is: child}, end: {kind: default}}
- {name: Unborn, type: inject, data: {is: unborn}, end: {kind: default}}
)";

TEST_F(StateTest, SwitchTakesTheFirstConditionThatHolds) {
  load(kSwitch);
  start(R"({"age":20})");
  EXPECT_EQ(path(), "Decide Adult");
}

TEST_F(StateTest, SwitchTakesTheDefaultWhereNoConditionHolds) {
  load(kSwitch);
  start(R"({"years":20})");
  EXPECT_EQ(path(), "Decide Unborn");
}

TEST_F(StateTest, SwitchWithoutADefaultFailsWhereNoConditionHolds) {
  load(R"(
states:
- name: Decide
  type: switch
  start: {kind: default}
  dataConditions: [{condition: "{{ $.x }}", transition: {nextState: X}}]
- {name: X, type: inject, end: {kind: default}}
)");
  start();
  EXPECT_EQ(error(), "Workflow.NoConditionMatched");
}

TEST_F(StateTest, DelayWaitsExactlySoLong) {
  load(R"(
states:
- {name: Wait, type: delay, start: {kind: default}, timeDelay: PT5S, end: {kind: default}}
)");
  start(R"({"a":1})");
  pass(seconds(5) - Duration(1));
  EXPECT_EQ(output(), "RUNNING");
  pass(Duration(1));
  EXPECT_EQ(output(), R"({"a":1})");
}

const char* const kDenied = R"(
states:
- name: Low
  type: inject
  start: {kind: default}
  stateDataFilter: {dataOutputPath: "{{ $.out }}"}
  transition: {nextState: High, expression: "{{ $.users[?(@.title == 'MANAGER')] }}"}
- {name: High, type: inject, end: {kind: default}}
)";

TEST_F(StateTest, TransitionIsMadeWhereItsExpressionHoldsForTheFilteredOutput) {
  load(kDenied);
  start(R"({"out":{"users":[{"title":"MANAGER"}]}})");
  EXPECT_EQ(output(), R"({"users":[{"title":"MANAGER"}]})");
}

TEST_F(StateTest, TransitionWhoseExpressionDoesNotHoldHaltsWithADetailedMessage) {
  load(kDenied);
  start(R"({"out":{"users":[{"title":"CLERK"}]}})");
  EXPECT_EQ(error(), "Workflow.TransitionDenied");
  EXPECT_NE(cause().find("'Low'"), std::string::npos);
  EXPECT_NE(cause().find("@.title == 'MANAGER'"), std::string::npos);
  EXPECT_NE(cause().find("CLERK"), std::string::npos);
}

TEST_F(StateTest, FiltersReplaceTheStatesData) {
  load(R"(
states:
- name: Fruits
  type: inject
  start: {kind: default}
  stateDataFilter: {dataInputPath: "{{ $.fruits }}"}
  end: {kind: default}
)");
  start(R"({"fruits":["apple"],"vegetables":[]})");
  EXPECT_EQ(output(), R"(["apple"])");
}

TEST_F(StateTest, MergingIntoDataThatIsNoObjectIsAnError) {
  load(R"(
states:
- name: Fruits
  type: inject
  start: {kind: default}
  data: {a: 1}
  stateDataFilter: {dataInputPath: "{{ $.fruits }}"}
  end: {kind: default}
)");
  start(R"({"fruits":["apple"]})");
  EXPECT_EQ(error(), "Workflow.MergeFailure");
}

TEST_F(StateTest, TopLevelStringsSeeTheInput) {
  load(R"(
description: "Version {{ $.v }}"
states:
- {name: Wait, type: delay, start: {kind: default}, timeDelay: PT5S, end: {kind: default}}
)");
  start(R"({"v":"1.2"})", R"({"context":{"Execution":{"Name":"x"}}})");
  EXPECT_EQ(execution().context().find("Workflow")->find("description")->as_string(), "Version 1.2");
  EXPECT_NE(execution().context().find("Execution"), nullptr);
}

TEST_F(StateTest, TerminateEndIsTold) {
  load(R"(
states:
- {name: Stop, type: inject, start: {kind: default}, end: {kind: terminate}}
)");
  start();
  EXPECT_TRUE(execution().is_terminated());
}

const char* const kSchemas = R"(
dataInputSchema: {required: [a]}
dataOutputSchema: {properties: {out: {type: string}}}
states:
- name: First
  type: inject
  start: {kind: default}
  dataInputSchema: {properties: {a: {type: number}}}
  dataOutputSchema: {properties: {b: {maximum: 5}}}
  onError: [{expression: "{{ $.errors }}", errorDataFilter: {dataOutputPath: "{{ $.error.name }}"}, transition: {nextState: Last}}]
  transition: {nextState: Last}
- {name: Last, type: inject, end: {kind: default}}
)";

TEST_F(StateTest, TheInputOfTheWorkflowMustKeepToItsSchema) {
  load(kSchemas);
  start(R"({"b":1})");
  EXPECT_EQ(error(), "Workflow.SchemaViolation");
  EXPECT_EQ(path(), "");
}

TEST_F(StateTest, TheOutputOfTheWorkflowMustKeepToItsSchema) {
  load(kSchemas);
  start(R"({"a":1,"out":2})");
  EXPECT_EQ(error(), "Workflow.SchemaViolation");
  EXPECT_NE(cause().find("/out"), std::string::npos);
}

TEST_F(StateTest, TheInputOfAStateThatBreaksItsSchemaIsAnErrorThatCanBeHandled) {
  load(kSchemas);
  start(R"({"a":"text"})");
  EXPECT_EQ(output(), R"({"a":"text","name":"Workflow.SchemaViolation"})");
}

TEST_F(StateTest, TheOutputOfAStateThatBreaksItsSchemaIsAnErrorThatCanBeHandled) {
  load(kSchemas);
  start(R"({"a":1,"b":6})");
  EXPECT_EQ(output(), R"({"a":1,"b":6,"name":"Workflow.SchemaViolation"})");
  EXPECT_EQ(path(), "First Last");
}

TEST_F(StateTest, DataThatKeepsToItsSchemasPasses) {
  load(kSchemas);
  start(R"({"a":1,"b":5,"out":"x"})");
  EXPECT_EQ(output(), R"({"a":1,"b":5,"out":"x"})");
}

TEST_F(StateTest, ALoopEndsAtTheLimitOfTheHistory) {
  load(R"(
states:
- {name: A, type: inject, start: {kind: default}, transition: {nextState: B}}
- {name: B, type: inject, transition: {nextState: A}}
)");
  limits.events_max = 100;
  start();
  EXPECT_EQ(error(), "Workflow.HistoryLimitExceeded");
}

}  // namespace
}  // namespace pawl::serverless
