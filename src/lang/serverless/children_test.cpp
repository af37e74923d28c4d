// Parallel, foreach and subflow states.
#include "lang/serverless/program_test_fixture.h"

namespace pawl::serverless {
namespace {

class Children : public WorkflowTest {
 protected:
  static std::string parallel(const std::string& completion) {
    return R"(
functions: [{name: one, resource: r}, {name: two, resource: r}, {name: three, resource: r}]
states:
- name: All
  type: parallel
  start: {kind: default}
  )" + completion +
           R"(
  branches:
  - {name: A, actions: [{functionRef: {refName: one, parameters: {x: "{{ $.x }}"}}}]}
  - {name: B, actions: [{functionRef: {refName: two}}]}
  - name: C
    actions:
    - functionRef: {refName: three}
    - functionRef: {refName: one, parameters: {y: "{{ $.y }}"}}
  end: {kind: default}
)";
  }
};

TEST_F(Children, ParallelMergesItsBranchesInTheOrderOfTheText) {
  load(parallel(""));
  start(R"({"x":0})");
  EXPECT_EQ(calls(), (std::vector<std::string>{R"(one({"x":0}))", "two({})", "three({})"}));
  answer("three", R"({"y":3,"last":"C"})");
  answer("two", R"({"last":"B"})");
  answer("one", R"({"x":1,"last":"A"})");
  EXPECT_EQ(call(), R"(one({"y":3}))");
  answer("one", R"({"z":4})");
  EXPECT_EQ(output(), R"({"x":1,"last":"C","y":3,"z":4})");
}

TEST_F(Children, ParallelXorGoesOnWithTheFirstAndCancelsTheOthers) {
  load(parallel("completionType: xor"));
  start(R"({"x":0})");
  answer("two", R"({"b":2})");
  EXPECT_EQ(output(), R"({"x":0,"b":2})");
  const auto cancelled = std::ranges::count(effects, kernel::EffectKind::kCancel, &kernel::Effect::kind);
  EXPECT_EQ(cancelled, 2);
}

TEST_F(Children, ParallelNOfMGoesOnWithThatMany) {
  load(parallel("completionType: n_of_m\n  n: '{{ $.n }}'"));
  start(R"({"x":0,"n":2})");
  answer("two", R"({"b":2})");
  EXPECT_EQ(output(), "RUNNING");
  answer("one", R"({"a":1})");
  EXPECT_EQ(output(), R"({"x":0,"n":2,"a":1,"b":2})");
}

TEST_F(Children, ParallelRefusesMoreThanItHasBranches) {
  load(parallel("completionType: n_of_m\n  n: '{{ $.n }}'"));
  start(R"({"n":4})");
  EXPECT_EQ(error(), "Workflow.NotANumber");
}

TEST_F(Children, AFailedBranchFailsTheState) {
  load(parallel("completionType: n_of_m\n  n: 2"));
  start();
  answer("two", R"({"b":2})");
  fail_call("three", "Broken");
  EXPECT_EQ(error(), "Broken");
  EXPECT_TRUE(calls().empty());
}

TEST_F(Children, RedriveOfAParallelRunsOnlyWhatDidNotSucceed) {
  load(parallel(""));
  start();
  answer("two", R"({"b":2})");
  answer("three", R"({"y":3})");
  fail_call("one", "Broken");
  redrive();
  EXPECT_EQ(calls(), (std::vector<std::string>{R"(one({"x":null}))", R"(one({"y":3}))"}));
}

const char* const kConfirm = R"(
functions: [{name: send, resource: r}]
states:
- name: Confirm
  type: foreach
  start: {kind: default}
  inputCollection: "{{ $.orders[?(@.completed == true)] }}"
  iterationParam: order
  outputCollection: "{{ $.results }}"
  max: 2
  actions: [{functionRef: {refName: send, parameters: {all: "{{ $ }}"}}}]
  end: {kind: default}
)";

TEST_F(Children, ForeachIterationsSeeTheirElementOnly) {
  load(kConfirm);
  start(R"({"orders":[{"n":1,"completed":true},{"n":2},{"n":3,"completed":true}]})");
  EXPECT_EQ(calls(), (std::vector<std::string>{R"(send({"all":{"order":{"n":1,"completed":true}}}))",
                                               R"(send({"all":{"order":{"n":3,"completed":true}}}))"}));
}

TEST_F(Children, ForeachAppendsTheResultsInTheOrderOfTheInput) {
  load(kConfirm);
  start(R"({"orders":[{"completed":true},{"completed":true},{"completed":true}],"results":[0]})");
  EXPECT_EQ(calls().size(), 2u);  // max
  answer("send", "1");
  EXPECT_EQ(calls().size(), 2u);
  answer("send", R"({"n":2})");
  answer("send", "null");
  EXPECT_EQ(json::print(*execution().outcome().find("results")), R"([0,1,{"n":2},null])");
}

TEST_F(Children, ForeachOverNothingEndsAtOnce) {
  load(kConfirm);
  start(R"({"orders":[]})");
  EXPECT_EQ(output(), R"({"orders":[],"results":[]})");
}

TEST_F(Children, ForeachOverWhatIsNoArrayFails) {
  load(R"(
functions: [{name: send, resource: r}]
states:
- name: Confirm
  type: foreach
  start: {kind: default}
  inputCollection: "{{ $.orders }}"
  iterationParam: order
  actions: [{functionRef: {refName: send}}]
  end: {kind: default}
)");
  start(R"({"orders":7})");
  EXPECT_EQ(error(), "Workflow.NotAnArray");
}

TEST_F(Children, ForeachMergesTheResultsOfSeveralActions) {
  load(R"(
functions: [{name: one, resource: r}, {name: two, resource: r}]
states:
- name: Each
  type: foreach
  start: {kind: default}
  inputCollection: "{{ $.items }}"
  iterationParam: item
  outputCollection: "{{ $.out }}"
  actions:
  - functionRef: {refName: one}
  - functionRef: {refName: two, parameters: {i: "{{ $.item }}", a: "{{ $.a }}"}}
  end: {kind: default}
)");
  start(R"({"items":[5]})");
  answer("one", R"({"a":1})");
  EXPECT_EQ(call(), R"(two({"i":5,"a":1}))");
  answer("two", R"({"b":2})");
  EXPECT_EQ(json::print(*execution().outcome().find("out")), R"([{"a":1,"b":2}])");
}

const char* const kSubflow = R"(
functions: [{name: f, resource: "http://f"}]
events: [{name: E, type: e, source: s}]
states:
- {name: Sub, type: subflow, start: {kind: default}, workflowId: other, waitForCompletion: true, end: {kind: default}}
)";

TEST_F(Children, SubflowHandsDownItsDataFunctionsAndEvents) {
  load(kSubflow);
  start(
      R"({"a":1})",
      R"({"context":{"inherited":{"functions":[{"name":"g","resource":"http://g"},{"name":"f","resource":"no"}],"events":[]}}})");
  const auto& operation = execution().open_operations().begin()->second;
  EXPECT_EQ(operation.kind, kernel::OperationKind::kChild);
  EXPECT_EQ(program().call_of(execution(), operation).resource, "workflow:other");
  EXPECT_EQ(json::print(*operation.input.find("input")), R"({"a":1})");
  EXPECT_EQ(json::print(*operation.input.find("functions")),
            R"([{"name":"f","resource":"http://f"},{"name":"g","resource":"http://g"}])");
  EXPECT_EQ(operation.input.find("events")->size(), 1u);
}

TEST_F(Children, SubflowAddsTheOutputOfWhatItWaitsFor) {
  load(kSubflow);
  start(R"({"a":1})");
  answer("Sub", R"({"output":{"b":2},"terminated":false})");
  EXPECT_EQ(output(), R"({"a":1,"b":2})");
}

TEST_F(Children, SubflowThatTerminatesEndsTheParentWithItsOwnData) {
  load(kSubflow);
  start(R"({"a":1})");
  answer("Sub", R"({"output":{"b":2},"terminated":true})");
  EXPECT_EQ(output(), R"({"a":1})");
  EXPECT_TRUE(execution().is_terminated());
}

TEST_F(Children, SubflowThatIsNotWaitedForAddsNothing) {
  load(R"(
states:
- {name: Sub, type: subflow, start: {kind: default}, workflowId: other, waitForCompletion: false, end: {kind: default}}
)");
  start(R"({"a":1})");
  EXPECT_EQ(execution().open_operations().begin()->second.kind, kernel::OperationKind::kTask);
  answer("Sub", "null");
  EXPECT_EQ(output(), R"({"a":1})");
}

TEST_F(Children, BranchesAndIterationsMayBeSubWorkflows) {
  load(R"(
states:
- name: Both
  type: parallel
  start: {kind: default}
  branches: [{name: A, workflowId: one}, {name: B, workflowId: two}]
  transition: {nextState: Each}
- name: Each
  type: foreach
  inputCollection: "{{ $.items }}"
  iterationParam: item
  outputCollection: "{{ $.out }}"
  workflowId: three
  end: {kind: default}
)");
  start(R"({"items":[7]})");
  answer("A", R"({"output":{"a":1},"terminated":false})");
  answer("B", R"({"output":{"b":2},"terminated":false})");
  const auto& operation = execution().open_operations().begin()->second;
  EXPECT_EQ(program().call_of(execution(), operation).resource, "workflow:three");
  EXPECT_EQ(json::print(*operation.input.find("input")), R"({"item":7})");
  answer(program().state_name(operation.state), R"({"output":{"c":3},"terminated":false})");
  EXPECT_EQ(output(), R"({"items":[7],"a":1,"b":2,"out":[{"c":3}]})");
}

TEST_F(Children, ABranchThatTerminatesEndsTheWholeInstance) {
  load(R"(
states:
- name: Both
  type: parallel
  start: {kind: default}
  branches: [{name: A, workflowId: one}, {name: B, workflowId: two}]
  end: {kind: default}
)");
  start(R"({"x":1})");
  answer("B", R"({"output":{"b":2},"terminated":true})");
  EXPECT_EQ(output(), R"({"x":1})");
  EXPECT_EQ(effects.front().kind, kernel::EffectKind::kCancelChild);
}

TEST_F(Children, AFunctionThatIsOnlyInheritedIsCalledByItsResource) {
  load(R"(
states:
- name: Call
  type: operation
  start: {kind: default}
  actions: [{functionRef: {refName: lent}}]
  end: {kind: default}
)");
  start("{}", R"({"context":{"inherited":{"functions":[{"name":"lent","resource":"http://lent"}],"events":[]}}})");
  const auto& operation = execution().open_operations().begin()->second;
  EXPECT_EQ(program().call_of(execution(), operation).resource, "http://lent");
}

TEST_F(Children, AnEventThatIsNowhereDefinedFailsTheWait) {
  load(R"(
states:
- {name: First, type: inject, start: {kind: default}, transition: {nextState: Wait}}
- name: Wait
  type: event
  eventsActions: [{eventRefs: [Lent], actions: []}]
  end: {kind: default}
)");
  start();
  EXPECT_EQ(error(), "Workflow.UnknownEvent");
}

}  // namespace
}  // namespace pawl::serverless
