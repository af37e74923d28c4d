// The run algorithm: states, transitions, data, conditions.
#include "lang/sm4c/program_test_fixture.h"

namespace pawl::sm4c {
namespace {

class AlgorithmTest : public MachineTest {};

constexpr const char* kHello = R"(
states:
- name: Hello
  start: true
  enterAction: {type: injectData, expression: '${ "Hello World!" }'}
  enterResultHandler: '${ .result += $value }'
)";

TEST_F(AlgorithmTest, EndsWithItsDataWhereAStateHasNoTransitions) {
  load(kHello);
  start();
  EXPECT_EQ(output(), R"({"result":"Hello World!"})");
  EXPECT_EQ(path(), "Hello injectData");
}

TEST_F(AlgorithmTest, TakesTheEmptyObjectForNoInput) {
  load(kHello);
  start("null");
  EXPECT_EQ(output(), R"({"result":"Hello World!"})");
}

TEST_F(AlgorithmTest, DropsTheResultWithoutAHandler) {
  load(R"(
states:
- {name: A, start: true, enterAction: {type: injectData, expression: '${ 1 }'}}
)");
  start(R"({"a":2})");
  EXPECT_EQ(output(), R"({"a":2})");
}

TEST_F(AlgorithmTest, ReplacesTheDataByTheHandlersOutput) {
  load(R"(
states:
- {name: A, start: true, enterAction: {type: injectData, expression: '${ .a }'}, enterResultHandler: '${ $value + 1 }'}
)");
  start(R"({"a":2})");
  EXPECT_EQ(output(), "3");
}

TEST_F(AlgorithmTest, BindsValueAsAVariable) {
  load(R"(
states:
- name: A
  start: true
  enterAction: {type: injectData, expression: '${ ")+($value" }'}
  enterResultHandler: '${ .x = $value }'
)");
  start();
  EXPECT_EQ(output(), R"({"x":")+($value"})");
}

TEST_F(AlgorithmTest, TakesNoneOrSeveralOutputsAsAnArray) {
  load(R"(
states:
- name: A
  start: true
  enterAction: {type: injectData, expression: '${ .l[] }'}
  enterResultHandler: '${ .x = $value }'
)");
  start(R"({"l":[1,2]})");
  EXPECT_EQ(output(), R"({"l":[1,2],"x":[1,2]})");
  load(R"(
states:
- {name: A, start: true, enterAction: {type: injectData, expression: '${ empty }'}, enterResultHandler: '${ .x = $value }'}
)");
  start();
  EXPECT_EQ(output(), R"({"x":[]})");
}

TEST_F(AlgorithmTest, KeepsTheBracesOfAnObject) {
  load(R"(
states:
- {name: A, start: true, enterAction: {type: injectData, expression: '${ {a: 1} }'}, enterResultHandler: '${ $value }'}
)");
  start();
  EXPECT_EQ(output(), R"({"a":1})");
}

constexpr const char* kFiltered = R"(
states:
- name: A
  start: true
  inputFilter: '${ .part }'
  enterAction: {type: injectData, expression: '${ .n }'}
  enterResultHandler: '${ .part.n = $value + 1 }'
  transitions:
  - {condition: '${ .n == 2 }', nextState: B, action: {type: injectData, expression: '${ .n }'}, resultHandler: '${ .seen = $value }'}
- {name: B}
)";

TEST_F(AlgorithmTest, FiltersWhatActionsAndConditionsSeeButNotHandlersAndFiltersAnew) {
  load(kFiltered);
  start(R"({"part":{"n":1}})");
  EXPECT_EQ(output(), R"({"part":{"n":2},"seen":2})");
}

TEST_F(AlgorithmTest, TakesTheFirstConditionThatIsTrueAndNothingElseForTrue) {
  load(R"(
states:
- name: A
  start: true
  transitions:
  - {condition: '${ 1 }', nextState: One}
  - {condition: '${ "true" }', nextState: Two}
  - {condition: '${ .a }', nextState: Three}
  - {condition: '${ true }', nextState: Four}
- {name: One}
- {name: Two}
- {name: Three}
- {name: Four}
)");
  start(R"({"a":true})");
  EXPECT_EQ(path(), "A Three");
}

TEST_F(AlgorithmTest, RunsExitActionsBetweenStatesWithTheirHandlers) {
  load(R"(
states:
- name: A
  start: true
  transitions:
  - {nextState: b, action: {type: injectData, expression: '${ 1 }'}, resultHandler: '${ .order += [$value] }'}
  exitAction: {name: out, type: injectData, expression: '${ .order | length + 1 }'}
  exitResultHandler: '${ .order += [$value] }'
- name: B
  enterAction: {type: injectData, expression: '${ 3 }'}
  enterResultHandler: '${ .order += [$value] }'
)");
  start();
  EXPECT_EQ(output(), R"({"order":[1,2,3]})");
  EXPECT_EQ(path(), "A injectData out B injectData");
}

constexpr const char* kExitAtTheEnd = R"(
states:
- name: A
  start: true
  exitAction: {type: injectData, expression: '${ 1 }'}
  exitResultHandler: '${ .left = $value }'
)";

TEST_F(AlgorithmTest, RunsTheExitActionOfTheLastStateOnlyWhereAsked) {
  load(kExitAtTheEnd);
  start();
  EXPECT_EQ(output(), "{}");
  load(kExitAtTheEnd, {.exits_on_end = true});
  start();
  EXPECT_EQ(output(), R"({"left":1})");
}

TEST_F(AlgorithmTest, FailsWhereNoTransitionCanBeTaken) {
  load(R"(
states:
- {name: A, start: true, transitions: [{condition: '${ .a }', nextState: B}]}
- {name: B}
)");
  start();
  EXPECT_EQ(error(), "StateMachine.NoTransition");
}

constexpr const char* kCount = R"(
states:
- name: A
  start: true
  transitions:
  - {condition: '${ .n < 3 }', resultHandler: '${ .n += .step }'}
  - {condition: '${ .n >= 3 }', nextState: B}
- {name: B}
)";

TEST_F(AlgorithmTest, StaysInTheStateWithoutANextStateAndDecidesAgain) {
  load(kCount);
  start(R"({"n":0,"step":1})");
  EXPECT_EQ(output(), R"({"n":3,"step":1})");
}

TEST_F(AlgorithmTest, FailsWhereATransitionThatStaysChangesNothing) {
  load(kCount);
  start(R"({"n":0,"step":0})");
  EXPECT_EQ(error(), "StateMachine.NoProgress");
}

TEST_F(AlgorithmTest, EndsWhereItsHistoryIsFull) {
  limits.events_max = 100;
  load(kCount);
  start(R"({"n":0,"step":0.01})");
  EXPECT_EQ(error(), "StateMachine.HistoryLimitExceeded");
}

TEST_F(AlgorithmTest, FailsWhereAHandlerFails) {
  load(R"(
states:
- name: A
  start: true
  enterAction: {type: injectData, expression: '${ {} }', errorHandlers: [{}]}
  enterResultHandler: '${ .x += $value }'
)");
  start(R"({"x":"text"})");
  EXPECT_EQ(error(), "StateMachine.ExpressionFailure");
}

TEST_F(AlgorithmTest, FailsWhereTheDataGrowsOverTheLimit) {
  limits.payload_bytes_max = 100;
  load(R"(
states:
- {name: A, start: true, enterAction: {type: injectData, expression: '${ "x" * 90 }'}, enterResultHandler: '${ .x = $value + $value }'}
)");
  start();
  EXPECT_EQ(error(), "StateMachine.DataLimitExceeded");
}

TEST_F(AlgorithmTest, CallsFunctionsOfTypeExpression) {
  load(R"(
functions:
- {name: Double, type: Expression, operation: '.n * 2'}
states:
- name: A
  start: true
  enterAction: {type: invokeFunction, functionName: double, arguments: {n: '${ .x }'}}
  enterResultHandler: '${ .y = $value }'
  transitions:
  - {nextState: B, action: {type: injectData, expression: '${ fn:DOUBLE }'}, resultHandler: '${ .z = $value }'}
- {name: B}
)");
  start(R"({"x":4,"n":5})");
  EXPECT_EQ(output(), R"({"x":4,"n":5,"y":8,"z":10})");
}

TEST_F(AlgorithmTest, WaitsForATimeoutWhereNothingElseCanHappen) {
  load(R"(
states:
- {name: A, start: true, transitions: [{timeout: '00:00:10', nextState: B}]}
- {name: B}
)");
  start();
  pass(std::chrono::seconds(9));
  EXPECT_EQ(output(), "RUNNING");
  pass(std::chrono::seconds(1));
  EXPECT_EQ(path(), "A wait B");
  EXPECT_EQ(output(), "{}");
}

}  // namespace
}  // namespace pawl::sm4c
