// Each action, its errors and retries, calls that are waited for and those that are not, the machine's timeout.
#include "lang/sm4c/program_test_fixture.h"

namespace pawl::sm4c {
namespace {

using std::chrono::seconds;

class ActionTest : public MachineTest {
 protected:
  ActionTest() { files = {{"far.proto", "service Far { rpc Call(Question) returns (Reply); }"}}; }

  // A machine whose only state has this enter action, and merges its result as "r".
  void load_action(const std::string& action, const Options& options = {}) {
    load(R"(
functions:
- {name: one, operation: 'http://one'}
- {name: two, operation: 'http://two'}
- {name: far, type: rpc, operation: 'far.proto#Far/Call'}
events:
- {name: told, type: toldType, source: here}
- {name: bare}
retries:
- {name: twice, maxAttempts: 2, delay: '00:00:01', multiplier: 3, increment: '00:00:01'}
- {name: never, maxAttempts: 0}
states:
- name: A
  start: true
  enterAction: )" +
             action + "\n  enterResultHandler: '${ .r = $value }'\n",
         options);
  }
};

constexpr const char* kWaitedCall =
    "{type: invokeFunction, functionName: ONE, waitForCompletion: true, "
    "arguments: {a: '${ .x }', b: [plain, {c: '${ .x + 1 }'}]}}";

TEST_F(ActionTest, CallsAFunctionWithItsArgumentsAndTakesTheResult) {
  load_action(kWaitedCall);
  start(R"({"x":1})");
  EXPECT_EQ(call(), R"(one({"a":1,"b":["plain",{"c":2}]}))");
  EXPECT_EQ(program().call_of(execution(), execution().open_operations().begin()->second).resource, "http://one");
  answer("one", "5");
  EXPECT_EQ(output(), R"({"x":1,"r":5})");
}

TEST_F(ActionTest, NamesTheMethodOfARemoteProcedure) {
  load_action("{type: invokeFunction, functionName: far, waitForCompletion: true}");
  start();
  EXPECT_EQ(program().call_of(execution(), execution().open_operations().begin()->second).resource,
            "grpc:far.proto#Far/Call");
}

TEST_F(ActionTest, GoesOnAtOnceWithoutWaitingAndEndsWhenTheCallHas) {
  load_action("{type: invokeFunction, functionName: one}");
  start();
  EXPECT_EQ(call(), "one({})");
  EXPECT_EQ(path(), "Test A one one");
  EXPECT_EQ(output(), "RUNNING");
  answer("one", "5");
  EXPECT_EQ(output(), R"({"r":null})");
}

TEST_F(ActionTest, IgnoresTheErrorOfACallThatIsNotWaitedFor) {
  load_action("{type: invokeFunction, functionName: one}");
  start();
  fail_call("one", "Broken");
  EXPECT_EQ(output(), R"({"r":null})");
}

TEST_F(ActionTest, WaitsForEveryCallWhereAsked) {
  load_action("{type: invokeFunction, functionName: one, waitForCompletion: false}", {.waits_always = true});
  start();
  answer("one", "5");
  EXPECT_EQ(output(), R"({"r":5})");
}

TEST_F(ActionTest, MakesCallsThatAreNotWaitedForInsideOtherActions) {
  load_action(
      "{type: foreach, input: '${ .l }', action: {type: invokeFunction, functionName: one, arguments: {n: '${ . }'}}}");
  start(R"({"l":[1,2]})");
  EXPECT_EQ(calls(), (std::vector<std::string>{R"(one({"n":1}))", R"(one({"n":2}))"}));
  answer("one", "null");
  EXPECT_EQ(output(), "RUNNING");
  answer("one", "null");
  EXPECT_EQ(output(), R"({"l":[1,2],"r":[null,null]})");
}

TEST_F(ActionTest, TakesNullForACallThatTakesTooLong) {
  load_action("{type: invokeFunction, functionName: one, waitForCompletion: true, timeout: '00:00:05'}");
  start();
  pass(seconds(5));
  EXPECT_EQ(output(), R"({"r":null})");
}

TEST_F(ActionTest, DelaysAndGivesNull) {
  load_action("{type: delay, timeout: 'PT10S'}");
  start();
  pass(seconds(9));
  EXPECT_EQ(output(), "RUNNING");
  pass(seconds(1));
  EXPECT_EQ(output(), R"({"r":null})");
}

TEST_F(ActionTest, RunsForeachOneAfterTheOtherOnTheElementAlone) {
  load_action(R"({type: foreach, input: '${ .l }', action:
    {type: invokeFunction, functionName: one, waitForCompletion: true, arguments: {e: '${ . }'}}})");
  start(R"({"l":[{"n":1},{"n":2}]})");
  EXPECT_EQ(call(), R"(one({"e":{"n":1}}))");
  answer("one", "10");
  EXPECT_EQ(call(), R"(one({"e":{"n":2}}))");
  answer("one", "20");
  EXPECT_EQ(output(), R"({"l":[{"n":1},{"n":2}],"r":[10,20]})");
}

TEST_F(ActionTest, RunsForeachSideBySideUpToMaxParallel) {
  load_action(R"({type: foreach, input: '${ .l }', maxParallel: 2, action:
    {type: invokeFunction, functionName: one, waitForCompletion: true, arguments: {e: '${ . }'}}})");
  start(R"({"l":[1,2,3]})");
  EXPECT_EQ(calls().size(), 2u);
  answer("one", "10");
  EXPECT_EQ(calls().size(), 2u);
}

TEST_F(ActionTest, RefusesForeachOverWhatIsNoArrayAndRunsNothingForAnEmptyOne) {
  load_action("{type: foreach, input: '${ .l }', action: {type: injectData, expression: '${ . }'}}");
  start(R"({"l":{}})");
  EXPECT_EQ(error(), "StateMachine.NotAnArray");
  load_action("{type: foreach, input: '${ .l }', action: {type: injectData, expression: '${ . }'}}");
  start(R"({"l":[]})");
  EXPECT_EQ(output(), R"({"l":[],"r":[]})");
}

TEST_F(ActionTest, GivesTheResultsOfASequenceByNameOrIndexAndTheSameInputToEach) {
  load_action(R"({type: sequence, actions: [
    {type: injectData, expression: '${ .x }'}, {name: second, type: injectData, expression: '${ .x + 1 }'}]})");
  start(R"({"x":1})");
  EXPECT_EQ(output(), R"({"x":1,"r":{"0":1,"second":2}})");
}

constexpr const char* kBoth =
    "actions: [{name: a, type: invokeFunction, functionName: one, waitForCompletion: true}, "
    "{type: invokeFunction, functionName: two, waitForCompletion: true}]";

TEST_F(ActionTest, WaitsForAllOfAParallelAction) {
  load_action("{type: parallel, " + std::string(kBoth) + "}");
  start();
  EXPECT_EQ(calls().size(), 2u);
  answer("two", "2");
  EXPECT_EQ(output(), "RUNNING");
  answer("one", "1");
  EXPECT_EQ(output(), R"({"r":{"a":1,"1":2}})");
}

TEST_F(ActionTest, TakesTheFirstOfAnExclusiveParallelAction) {
  load_action("{type: parallel, completionType: XOR, " + std::string(kBoth) + "}");
  start();
  answer("two", "2");
  EXPECT_EQ(output(), R"({"r":{"1":2}})");
  EXPECT_TRUE(calls().empty());
}

TEST_F(ActionTest, TakesNOfM) {
  load_action("{type: parallel, completionType: n_of_m, n: 2, " + std::string(kBoth) + "}");
  start();
  answer("two", "2");
  EXPECT_EQ(output(), "RUNNING");
  answer("one", "1");
  EXPECT_EQ(output(), R"({"r":{"a":1,"1":2}})");
}

TEST_F(ActionTest, FailsAParallelActionWithItsFirstChild) {
  load_action("{type: parallel, " + std::string(kBoth) + "}");
  start();
  fail_call("one", "Broken", "It is broken.");
  EXPECT_EQ(error(), "Broken");
  EXPECT_EQ(cause(), "It is broken.");
}

TEST_F(ActionTest, SendsAnEvent) {
  load_action("{type: sendEvent, event: TOLD, expression: '${ .x }', contextAttributes: {who: '${ .w }', how: loud}}");
  start(R"({"x":{"n":1},"w":"me"})");
  ASSERT_EQ(published().size(), 1u);
  const Value event = published().front();
  for (const char* part : {R"("source":"here")", R"("type":"toldType")", R"("subject":"told")", R"("who":"me")",
                           R"("how":"loud")", R"("data":{"n":1})"})
    EXPECT_NE(json::print(event).find(part), std::string::npos) << json::print(event);
  EXPECT_EQ(output(), R"({"x":{"n":1},"w":"me","r":null})");
}

TEST_F(ActionTest, NamesTheSourceAndTheTypeOfAnEventThatHasNone) {
  load_action("{type: sendEvent, event: bare}");
  start();
  EXPECT_EQ(published().front().find("source")->as_string(), "/state-machines/test");
  EXPECT_EQ(published().front().find("type")->as_string(), "bare");
  EXPECT_EQ(published().front().find("data"), nullptr);
}

TEST_F(ActionTest, StartsASubflowWithItsArgumentsElseWithItsInput) {
  load_action("{type: invokeSubflow, subflowName: other, waitForCompletion: true, arguments: {a: '${ .x }'}}");
  start(R"({"x":1})");
  EXPECT_EQ(call(), R"(other({"input":{"a":1}}))");
  answer("other", R"({"output":7,"terminated":false})");
  EXPECT_EQ(output(), R"({"x":1,"r":7})");
  load_action("{type: invokeSubflow, subflowName: other}");
  start(R"({"x":1})");
  EXPECT_EQ(call(), R"(other({"input":{"x":1}}))");
  answer("other", "null");
  EXPECT_EQ(output(), R"({"x":1,"r":null})");
}

TEST_F(ActionTest, EndsWithASubflowThatTerminatesEverything) {
  load_action("{type: invokeSubflow, subflowName: other, waitForCompletion: true}");
  start(R"({"x":1})");
  answer("other", R"({"output":7,"terminated":true})");
  EXPECT_EQ(output(), R"({"x":1})");
  EXPECT_TRUE(execution().is_terminated());
}

// --- errors

std::string call_with(const std::string& handlers) {
  return "{type: invokeFunction, functionName: one, waitForCompletion: true, errorHandlers: [" + handlers + "]}";
}

TEST_F(ActionTest, FailsTheMachineWithAnErrorThatNobodyHandles) {
  load_action(call_with("{condition: '${ $value.type == \"Other\" }'}"));
  start();
  fail_call("one", "Broken", "It is broken.");
  EXPECT_EQ(error(), "Broken");
}

TEST_F(ActionTest, MergesAHandledErrorAndGoesOnWithNull) {
  load_action(call_with("{resultHandler: '${ .error += ($value | .Message) }'}"));
  start();
  fail_call("one", "Broken", "It is broken.");
  EXPECT_EQ(output(), R"({"error":"It is broken.","r":null})");
}

TEST_F(ActionTest, TakesTheFirstHandlerThatFits) {
  load_action(
      call_with("{condition: '${ $value.ClassName == \"Other\" }', resultHandler: '${ .by = 1 }'}, "
                "{condition: '${ .x == 1 }', resultHandler: '${ .by = 2 }'}, {resultHandler: '${ .by = 3 }'}"));
  start(R"({"x":1})");
  fail_call("one", "Broken");
  EXPECT_EQ(output(), R"({"x":1,"by":2,"r":null})");
}

TEST_F(ActionTest, MergesErrorsInsideOtherActionsInTheOrderOfTheText) {
  load_action(R"({type: parallel, actions: [
    {type: invokeFunction, functionName: one, waitForCompletion: true, errorHandlers: [{resultHandler: '${ .e += [$value.type] }'}]},
    {type: invokeFunction, functionName: two, waitForCompletion: true, errorHandlers: [{resultHandler: '${ .e += [$value.type] }'}]}]})");
  start();
  fail_call("two", "Two");
  fail_call("one", "One");
  EXPECT_EQ(output(), R"({"e":["One","Two"],"r":{"0":null,"1":null}})");
}

TEST_F(ActionTest, LetsTheHandlerOfAWholeHandleWhatItsPartsDoNot) {
  load_action("{type: sequence, errorHandlers: [{resultHandler: '${ .e = $value.type }'}], " + std::string(kBoth) +
              "}");
  start();
  fail_call("one", "One");
  EXPECT_EQ(output(), R"({"e":"One","r":null})");
}

TEST_F(ActionTest, RetriesAsOftenAndAfterAsLongAsThePolicySays) {
  load_action(call_with("{retryPolicy: Twice, resultHandler: '${ .e = $value.type }'}"));
  start();
  fail_call("one", "One");
  EXPECT_TRUE(calls().empty());
  pass(seconds(1));
  EXPECT_EQ(call(), "one({})");
  fail_call("one", "Two");
  pass(seconds(3));
  EXPECT_TRUE(calls().empty());
  pass(seconds(1));  // 1 s * 3 + 1 s
  fail_call("one", "Three");
  EXPECT_EQ(output(), R"({"e":"Three","r":null})");
}

TEST_F(ActionTest, TakesTheResultOfARetry) {
  load_action(call_with("{retryPolicy: twice}"));
  start();
  fail_call("one", "One");
  pass(seconds(1));
  answer("one", "7");
  EXPECT_EQ(output(), R"({"r":7})");
}

TEST_F(ActionTest, HandsOnWhatAHandlerCanOnlyRetryNoMore) {
  load_action(call_with("{retryPolicy: never}"));
  start();
  fail_call("one", "One");
  EXPECT_EQ(error(), "One");
  load_action(call_with("{retryPolicy: never}, {resultHandler: '${ .e = 1 }'}"));
  start();
  fail_call("one", "One");
  EXPECT_EQ(output(), R"({"e":1,"r":null})");
}

TEST_F(ActionTest, RepeatsOnlyTheActionThatFailedWhenItIsRedriven) {
  load_action("{type: sequence, " + std::string(kBoth) + "}");
  start();
  answer("one", "1");
  fail_call("two", "Broken");
  EXPECT_EQ(error(), "Broken");
  redrive();
  EXPECT_EQ(call(), "two({})");
  answer("two", "2");
  EXPECT_EQ(output(), R"({"r":{"a":1,"1":2}})");
}

// --- the machine's timeout

constexpr const char* kTimed = R"(
execTimeout:
  duration: '00:01'
  action: {type: invokeFunction, functionName: clean, waitForCompletion: true, arguments: {x: '${ .x }'}}
functions: [{name: slow, operation: slow}, {name: clean, operation: clean}]
states:
- {name: A, start: true, enterAction: {type: injectData, expression: '${ 2 }'}, enterResultHandler: '${ .x = $value }', transitions: [{nextState: B}]}
- {name: B, enterAction: {type: invokeFunction, functionName: slow, waitForCompletion: true}}
)";

TEST_F(ActionTest, RunsTheActionOfTheMachinesTimeoutInPlaceOfTheRest) {
  load(kTimed);
  start();
  EXPECT_EQ(call(), "slow({})");
  pass(seconds(60));
  EXPECT_EQ(call(), R"(clean({"x":2}))");
  answer("clean", "null");
  EXPECT_EQ(error(), "StateMachine.Timeout");
  EXPECT_EQ(execution().status(), kernel::Status::kTimedOut);
}

TEST_F(ActionTest, EndsInTimeWithoutTheTimeoutsAction) {
  load(kTimed);
  start();
  answer("slow", "null");
  EXPECT_EQ(output(), R"({"x":2})");
}

TEST_F(ActionTest, GoesOnWhereItWasWhenItIsRedrivenAfterATimeout) {
  load(kTimed);
  start();
  pass(seconds(60));
  fail_call("clean", "Broken");
  EXPECT_EQ(execution().status(), kernel::Status::kTimedOut);
  redrive();
  EXPECT_EQ(call(), "slow({})");
  answer("slow", "null");
  EXPECT_EQ(output(), R"({"x":2})");
}

}  // namespace
}  // namespace pawl::sm4c
