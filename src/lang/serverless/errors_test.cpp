// Retries, error handlers and timeouts of actions.
#include "lang/serverless/program_test_fixture.h"

namespace pawl::serverless {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

class Errors : public WorkflowTest {
 protected:
  void load_operation(const std::string& handling, const std::string& action = "") {
    load(R"(
functions: [{name: work, resource: r}, {name: more, resource: r}]
states:
- name: Work
  type: operation
  start: {kind: default}
  actions:
  - {functionRef: {refName: work, parameters: {x: "{{ $.x }}"}})" +
         action + R"(}
  )" + handling +
         R"(
  transition: {nextState: Done}
- {name: Done, type: inject, data: {done: true}, end: {kind: default}}
- {name: Caught, type: inject, data: {caught: true}, end: {kind: default}}
)");
  }
};

TEST_F(Errors, RetriesWaitOneThreeFiveAndSevenMinutes) {
  load_operation(R"(
  retry: [{expression: "{{ $.errors[?(@.name == 'Broken')] }}", interval: R4/PT1M, multiplier: PT2M, maxAttempts: 4}]
)");
  start();
  for (const int wait : {1, 3, 5, 7}) {
    fail_call("work", "Broken");
    pass(minutes(wait) - Duration(1));
    EXPECT_TRUE(calls().empty());
    pass(Duration(1));
    EXPECT_EQ(calls().size(), 1u);
  }
  fail_call("work", "Broken");
  EXPECT_EQ(error(), "Broken");
}

TEST_F(Errors, TheSmallerOfRepetitionsAndAttemptsCounts) {
  load_operation(R"(
  retry: [{expression: "{{ $.errors }}", interval: R1/PT1M, maxAttempts: 5}]
)");
  start();
  fail_call("work", "Broken");
  pass(minutes(1));
  fail_call("work", "Broken");
  EXPECT_EQ(error(), "Broken");
}

TEST_F(Errors, OneRetryIsMadeWhereNothingSaysHowMany) {
  load_operation(R"(
  retry: [{expression: "{{ $.errors }}", interval: PT1M}]
)");
  start();
  fail_call("work", "Broken");
  pass(minutes(1));
  fail_call("work", "Broken");
  EXPECT_EQ(error(), "Broken");
}

TEST_F(Errors, TheFirstRetryThatFitsDecidesAlsoWhereItAllowsNone) {
  load_operation(R"(
  retry:
  - {expression: "{{ $.errors[?(@.name == 'Broken')] }}", maxAttempts: 0}
  - {expression: "{{ $.errors }}", maxAttempts: 3}
)");
  start();
  fail_call("work", "Broken");
  EXPECT_EQ(error(), "Broken");
}

TEST_F(Errors, RetriesAreMadeOnResultsToo) {
  load_operation(R"(
  retry: [{expression: "{{ $.[?(@.exitcode == 1)] }}", interval: PT1M, maxAttempts: 2}]
)");
  start(R"({"x":1})");
  answer("work", R"({"exitcode":1,"x":2})");
  pass(minutes(1));
  EXPECT_EQ(call(), R"(work({"x":1}))");  // the results of the attempt are dropped
  answer("work", R"({"exitcode":0})");
  EXPECT_EQ(output(), R"({"x":1,"exitcode":0,"done":true})");
}

TEST_F(Errors, AResultIsTakenOnceItsRetriesAreUsedUp) {
  load_operation(R"(
  retry: [{expression: "{{ $.[?(@.exitcode == 1)] }}", interval: PT1M, maxAttempts: 1}]
)");
  start();
  answer("work", R"({"exitcode":1})");
  pass(minutes(1));
  answer("work", R"({"exitcode":1})");
  EXPECT_EQ(output(), R"({"exitcode":1,"done":true})");
}

TEST_F(Errors, AHandlerTakesTheErrorWhenItsRetriesAreUsedUp) {
  load_operation(R"(
  retry: [{expression: "{{ $.errors }}", interval: PT1M, maxAttempts: 1}]
  onError:
  - {expression: "{{ $.errors[?(@.name == 'Other')] }}", transition: {nextState: Done}}
  - {expression: "{{ $.exceptions[?(@.name == 'Broken')] }}", transition: {nextState: Caught}}
)");
  start(R"({"x":1})");
  fail_call("work", "Broken", "It is broken.");
  pass(minutes(1));
  fail_call("work", "Broken", "It is broken.");
  EXPECT_EQ(path(), "Work work work Caught");
  const Value error = *execution().outcome().find("error");
  EXPECT_EQ(error.find("name")->as_string(), "Broken");
  EXPECT_EQ(error.find("message")->as_string(), "It is broken.");
  EXPECT_EQ(error.find("trace")->as_string(), "at action 'work'\nat state 'Work'");
  EXPECT_TRUE(*execution().outcome().find("x") == Value::integer(1));
}

TEST_F(Errors, AHandlersFilterSaysWhatIsAdded) {
  load_operation(R"(
  onError: [{expression: "{{ $.error }}", errorDataFilter: {dataOutputPath: "{{ $.error.message }}"}, transition: {nextState: Caught}}]
)");
  start();
  fail_call("work", "Broken", "It is broken.");
  EXPECT_EQ(output(), R"({"message":"It is broken.","caught":true})");
}

TEST_F(Errors, AHandlerWithoutATransitionGoesOnAsTheState) {
  load_operation(R"(
  onError: [{expression: "{{ $.errors[0] }}"}]
)");
  start();
  fail_call("work", "Broken");
  EXPECT_EQ(path(), "Work work Done");
}

TEST_F(Errors, ThatNothingHandlesHaltTheWorkflow) {
  load_operation(R"(
  onError: [{expression: "{{ $.errors[?(@.name == 'Other')] }}", transition: {nextState: Caught}}]
)");
  start();
  fail_call("work", "Broken");
  EXPECT_EQ(error(), "Broken");
  redrive();
  EXPECT_EQ(calls().size(), 1u);
}

TEST_F(Errors, AnActionThatIsNotInTimeIsGoneOnWithout) {
  load_operation("", ", timeout: PT30S");
  start(R"({"x":1})");
  pass(seconds(30) - Duration(1));
  EXPECT_EQ(output(), "RUNNING");
  pass(Duration(1));
  EXPECT_EQ(output(), R"({"x":1,"done":true})");
}

TEST_F(Errors, AnActionThatIsNotInTimeIsAnErrorForAStateThatHandlesErrors) {
  load_operation(R"(
  onError: [{expression: "{{ $.errors[?(@.name == 'Workflow.ActionTimeout')] }}", transition: {nextState: Caught}}]
)",
                 ", timeout: PT30S");
  start();
  pass(seconds(30));
  EXPECT_EQ(path(), "Work work Caught");
}

TEST_F(Errors, AFunctionThatHasALimitOfItsOwnFailsTheActionWithoutATimeout) {
  load_operation("");
  start();
  end(execution().open_operations().begin()->first, kernel::Outcome::kTimedOut, R"({"Error":"States.Timeout"})");
  EXPECT_EQ(error(), "Workflow.ActionTimeout");
}

TEST_F(Errors, AStateThatGoesOnWithoutAnActionKeepsWhatThoseBeforeItAdded) {
  load(R"(
functions: [{name: one, resource: r}, {name: two, resource: r}, {name: three, resource: r}]
states:
- name: Work
  type: operation
  start: {kind: default}
  actions:
  - {functionRef: {refName: one}}
  - {functionRef: {refName: two}, timeout: PT5S}
  - {functionRef: {refName: three}}
  end: {kind: default}
)");
  start();
  answer("one", R"({"a":1})");
  pass(seconds(5));
  EXPECT_EQ(output(), R"({"a":1})");
}

TEST_F(Errors, AnIterationThatIsNotInTimeLeavesTheOthersAlone) {
  load(R"(
functions: [{name: work, resource: r}]
states:
- name: Each
  type: foreach
  start: {kind: default}
  inputCollection: "{{ $.items }}"
  iterationParam: item
  outputCollection: "{{ $.out }}"
  actions: [{functionRef: {refName: work}, timeout: PT5S}]
  end: {kind: default}
)");
  start(R"({"items":[1,2]})");
  answer("work", "10");
  pass(seconds(5));
  EXPECT_EQ(output(), R"({"items":[1,2],"out":[10,null]})");
}

TEST_F(Errors, OfABranchReachTheHandlersOfItsState) {
  load(R"(
functions: [{name: one, resource: r}, {name: two, resource: r}]
states:
- name: Both
  type: parallel
  start: {kind: default}
  branches:
  - {name: A, actions: [{functionRef: {refName: one}}, {functionRef: {refName: two}}]}
  - {name: B, actions: [{functionRef: {refName: two}}]}
  onError: [{expression: "{{ $.errors }}", transition: {nextState: Caught}}]
  end: {kind: default}
- {name: Caught, type: inject, end: {kind: default}}
)");
  start();
  fail_call("one", "Broken");
  EXPECT_EQ(execution().outcome().find("error")->find("name")->as_string(), "Broken");
  EXPECT_TRUE(calls().empty());
}

}  // namespace
}  // namespace pawl::serverless
