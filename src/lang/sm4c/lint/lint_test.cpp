// One mistake, one finding: its code and its place.
#include "lang/sm4c/lint.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "lang/sm4c/lint/codes.h"

namespace pawl::sm4c {
namespace {

// Findings as "CODE /pointer" lines.
std::string findings(std::string_view text, const Options& options = {}, const Files& files = {}) {
  std::string lines;
  for (const Diagnostic& diagnostic : lint_text(text, "", options, files)) {
    EXPECT_GT(diagnostic.position.line, 0u) << diagnostic.code;
    EXPECT_FALSE(diagnostic.fix.empty()) << diagnostic.code;
    if (!lines.empty()) lines += "\n";
    lines += diagnostic.code + " " + diagnostic.pointer;
  }
  return lines;
}

constexpr std::string_view kHead = R"({"name": "m", "version": "1",
  "functions": [{"name": "f", "operation": "http://f"}, {"name": "e", "type": "expression", "operation": ".a"}],
  "events": [{"name": "in", "type": "t", "source": "s"}],
  "retries": [{"name": "again", "maxAttempts": 2, "delay": "00:00:01"}],
  "states": [)";

std::string of_states(std::string_view states, const Options& options = {}) {
  return findings(std::string(kHead) + std::string(states) + "]}", options);
}

// Of the members of the only state.
std::string of_state(std::string_view members, const Options& options = {}) {
  return of_states(
      R"({"name": "S", "start": true)" + std::string(members.empty() ? "" : ", ") + std::string(members) + "}",
      options);
}

std::string of_action(std::string_view members) { return of_state(R"("enterAction": {)" + std::string(members) + "}"); }

// Of a transition of the start state; another state is the end.
std::string of_transitions(std::string_view transitions) {
  return of_states(R"({"name": "S", "start": true, "transitions": [)" + std::string(transitions) +
                   R"(]}, {"name": "T"})");
}

TEST(Lint, FindsNothingInAMachineThatIsInOrder) {
  EXPECT_EQ(of_state(R"("enterAction": {"type": "injectData", "expression": "${ 1 }"},
                        "enterResultHandler": "${ .a = $value }")"),
            "");
}

TEST(Lint, TakesNamesAndTypesInAnyCase) {
  EXPECT_EQ(of_states(R"({"Name": "S", "START": true, "EnterAction": {"TYPE": "InvokeFunction", "functionname": "F"},
                          "transitions": [{"nextstate": "t"}]}, {"name": "T"})"),
            "");
}

TEST(Lint, WantsExactlyOneStart) {
  EXPECT_EQ(of_states(R"({"name": "S"})"), "SM4C_NO_START /states");
  EXPECT_EQ(of_states(R"({"name": "S", "start": true, "transitions": [{"nextState": "T"}]},
                         {"name": "T", "start": true})"),
            "SM4C_SECOND_START /states/1/start");
}

TEST(Lint, FindsNamesThatAreNotDefined) {
  EXPECT_EQ(of_transitions(R"({"nextState": "U"})"), "SM4C_UNKNOWN_STATE /states/0/transitions/0/nextState");
  EXPECT_EQ(of_action(R"("type": "invokeFunction", "functionName": "g")"),
            "SM4C_UNKNOWN_FUNCTION /states/0/enterAction/functionName");
  EXPECT_EQ(of_action(R"("type": "sendEvent", "event": "out")"), "SM4C_UNKNOWN_EVENT /states/0/enterAction/event");
  EXPECT_EQ(of_action(R"("type": "injectData", "expression": "${ 1 }", "errorHandlers": [{"retryPolicy": "never"}])"),
            "SM4C_UNKNOWN_RETRY_POLICY /states/0/enterAction/errorHandlers/0/retryPolicy");
  EXPECT_EQ(of_action(R"("type": "injectData", "expression": "${ fn:f }")"),
            "SM4C_UNKNOWN_FUNCTION /states/0/enterAction/expression");
}

TEST(Lint, FindsNamesThatOccurTwiceWhateverTheirCase) {
  EXPECT_EQ(of_states(R"({"name": "S", "start": true}, {"name": "s"})"), "SM4C_DUPLICATE_NAME /states/1/name");
  EXPECT_EQ(of_action(R"("type": "sequence", "actions": [{"type": "delay", "timeout": "00:01", "name": "1"},
                                                         {"type": "delay", "timeout": "00:01"}])"),
            "SM4C_DUPLICATE_NAME /states/0/enterAction/actions");
}

TEST(Lint, RejectsTransitionsThatMixTheirTriggers) {
  EXPECT_EQ(of_transitions(R"({"nextState": "T", "condition": "${ true }", "timeout": "00:01"})"),
            "SM4C_MIXED_TRANSITION /states/0/transitions/0");
  EXPECT_EQ(of_transitions(R"({"nextState": "T", "eventGroups": [{"events": ["in"]}], "timeout": "00:01"})"),
            "SM4C_MIXED_TRANSITION /states/0/transitions/0");
}

TEST(Lint, RejectsASecondImplicitAndASecondTimeoutTransition) {
  EXPECT_EQ(of_transitions(R"({"nextState": "T"}, {"nextState": "T"})"),
            "SM4C_SECOND_IMPLICIT /states/0/transitions/1");
  EXPECT_EQ(of_transitions(R"({"nextState": "T", "timeout": "00:01"}, {"nextState": "T", "timeout": "00:02"})"),
            "SM4C_SECOND_TIMEOUT /states/0/transitions/1");
}

TEST(Lint, RejectsTransitionsThatAreTakenForEver) {
  EXPECT_EQ(of_transitions(R"({}, {"nextState": "T", "timeout": "00:01"})"),
            "SM4C_NO_PROGRESS /states/0/transitions/0\nSM4C_TRANSITION_NEVER_TAKEN /states/0/transitions/1");
  EXPECT_EQ(of_transitions(R"({"condition": "${ .a }"}, {"nextState": "T", "timeout": "00:01"})"),
            "SM4C_NO_PROGRESS /states/0/transitions/0");
}

TEST(Lint, RejectsAStateWhoseTransitionsCanNeverBeTaken) {
  EXPECT_EQ(of_transitions(R"({"nextState": "T", "condition": "${ false }"})"), "SM4C_NO_WAY_ON /states/0");
}

TEST(Lint, WarnsOfTransitionsBesideAnImplicitOne) {
  EXPECT_EQ(of_transitions(R"({"nextState": "T", "condition": "${ .a }"}, {"nextState": "T"})"),
            "SM4C_TRANSITION_NEVER_TAKEN /states/0/transitions/0");
}

TEST(Lint, WarnsOfStatesThatCannotBeReachedAndOfMachinesThatNeverEnd) {
  EXPECT_EQ(of_states(R"({"name": "S", "start": true}, {"name": "T"})"), "SM4C_UNREACHABLE_STATE /states/1");
  EXPECT_EQ(of_states(R"({"name": "S", "start": true, "transitions": [{"nextState": "S"}]})"),
            "SM4C_NO_WAY_TO_END /states");
}

TEST(Lint, WarnsOfTheValueOfACallThatIsNotWaitedFor) {
  const std::string_view state = R"("enterAction": {"type": "invokeFunction", "functionName": "f"},
                                    "enterResultHandler": "${ .a = $value }")";
  EXPECT_EQ(of_state(state), "SM4C_VALUE_NOT_WAITED_FOR /states/0/enterResultHandler");
  EXPECT_EQ(of_state(state, {.waits_always = true}), "");
  EXPECT_EQ(of_state(R"("enterAction": {"type": "foreach", "input": "${ .l }", "action":
                         {"type": "invokeSubflow", "subflowName": "x"}}, "enterResultHandler": "${ .a = $value }")"),
            "SM4C_VALUE_NOT_WAITED_FOR /states/0/enterResultHandler");
}

TEST(Lint, AcceptsTheValueOfAnExpressionWithoutWaiting) {
  EXPECT_EQ(of_state(R"("enterAction": {"type": "invokeFunction", "functionName": "e"},
                        "enterResultHandler": "${ .a = $value }")"),
            "");
}

TEST(Lint, WarnsOfHandlersOfErrorsThatReachNobody) {
  EXPECT_EQ(of_action(R"("type": "invokeFunction", "functionName": "f", "errorHandlers": [{}])"),
            "SM4C_VALUE_NOT_WAITED_FOR /states/0/enterAction/errorHandlers");
}

TEST(Lint, WarnsOfAnExitActionThatNeverRuns) {
  const std::string_view state = R"("exitAction": {"type": "injectData", "expression": "${ 1 }"})";
  EXPECT_EQ(of_state(state), "SM4C_EXIT_ACTION_NEVER_RUNS /states/0/exitAction");
  EXPECT_EQ(of_state(state, {.exits_on_end = true}), "");
}

TEST(Lint, WarnsOfAValueWithoutAnAction) {
  EXPECT_EQ(of_state(R"("enterResultHandler": "${ .a = $value }")"),
            "SM4C_HANDLER_WITHOUT_ACTION /states/0/enterResultHandler");
  EXPECT_EQ(of_state(R"("enterResultHandler": "${ .a = $values }")"), "SM4C_EXPRESSION /states/0/enterResultHandler");
}

TEST(Lint, RejectsWrongExpressions) {
  EXPECT_EQ(of_action(R"("type": "injectData", "expression": "${ .a | }")"),
            "SM4C_EXPRESSION /states/0/enterAction/expression");
  EXPECT_EQ(of_action(R"("type": "injectData", "expression": ".a")"),
            "SM4C_NOT_AN_EXPRESSION /states/0/enterAction/expression");
  EXPECT_EQ(of_action(R"("type": "injectData", "expression": "${ $value }")"),
            "SM4C_EXPRESSION /states/0/enterAction/expression");
  EXPECT_EQ(of_action(R"("type": "invokeFunction", "functionName": "f", "arguments": {"a": [{"b": "${ ) }"}]})"),
            "SM4C_EXPRESSION /states/0/enterAction/arguments/a/0/b");
}

TEST(Lint, ChecksTimespansAndNumbers) {
  EXPECT_EQ(of_action(R"("type": "delay", "timeout": "soon")"), "SM4C_TIMESPAN /states/0/enterAction/timeout");
  EXPECT_EQ(of_action(R"("type": "delay", "timeout": "-00:01")"), "SM4C_TIMESPAN /states/0/enterAction/timeout");
  EXPECT_EQ(of_action(R"("type": "delay", "timeout": "10")"), "SM4C_TIMESPAN_IN_DAYS /states/0/enterAction/timeout");
  EXPECT_EQ(of_action(R"("type": "foreach", "input": "${ . }", "maxParallel": 0,
                         "action": {"type": "delay", "timeout": "00:01"})"),
            "SM4C_NUMBER /states/0/enterAction/maxParallel");
}

TEST(Lint, ChecksWhatAParallelActionNeeds) {
  const std::string actions = R"("actions": [{"type": "delay", "timeout": "00:01"}])";
  EXPECT_EQ(of_action(R"("type": "parallel", "completionType": "n_of_m", )" + actions),
            "SM4C_MISSING_FIELD /states/0/enterAction");
  EXPECT_EQ(of_action(R"("type": "parallel", "completionType": "N_OF_M", "n": 2, )" + actions),
            "SM4C_ACTIONS_FEWER_THAN_N /states/0/enterAction/n");
  EXPECT_EQ(of_action(R"("type": "parallel", "n": 1, )" + actions), "SM4C_N_IGNORED /states/0/enterAction/n");
  EXPECT_EQ(of_action(R"("type": "parallel", "completionType": "some", )" + actions),
            "SM4C_INVALID_VALUE /states/0/enterAction/completionType");
  EXPECT_EQ(of_action(R"("type": "sequence", "actions": [])"), "SM4C_EMPTY /states/0/enterAction/actions");
}

TEST(Lint, WarnsOfATimeoutWithoutAWait) {
  EXPECT_EQ(of_action(R"("type": "invokeFunction", "functionName": "f", "timeout": "00:01")"),
            "SM4C_TIMEOUT_IGNORED /states/0/enterAction/timeout");
}

TEST(Lint, FindsUnknownTypesAndFields) {
  EXPECT_EQ(of_action(R"("type": "inject")"), "SM4C_UNKNOWN_ACTION_TYPE /states/0/enterAction/type");
  EXPECT_EQ(of_state(R"("colour": 1)"), "SM4C_UNKNOWN_FIELD /states/0/colour");
  EXPECT_EQ(of_state(R"("transitions": {})"), "SM4C_FIELD_TYPE /states/0/transitions");
}

TEST(Lint, ReadsListsFromFiles) {
  const std::string_view text = R"({"name": "m", "version": "1", "functions": "functions.yaml", "states": [
    {"name": "S", "start": true, "enterAction": {"type": "invokeFunction", "functionName": "f"}}]})";
  EXPECT_EQ(findings(text, {}, {{"functions.yaml", "functions: [{name: f, operation: x}]"}}), "");
  EXPECT_EQ(findings(text, {}, {{"functions.yaml", "- {name: f, operation: x}"}}), "");
  EXPECT_EQ(findings(text), "SM4C_REFERENCE /functions\nSM4C_UNKNOWN_FUNCTION /states/0/enterAction/functionName");
}

TEST(Lint, NamesTheFilesThatADefinitionRefersTo) {
  const auto document = json::parse(R"({"events": "e.json", "functions": [{"operation": "api.yaml#get"},
    {"operation": "http://x/y#z"}, {"operation": ".a # b", "type": "Expression"}], "retries": "e.json"})");
  EXPECT_EQ(referred_files(*document), (std::vector<std::string>{"e.json", "api.yaml", "http://x/y"}));
}

TEST(Lint, NamesEveryCodeOnce) {
  std::vector<std::string_view> names;
  for (const CodeInfo& code : all_codes()) {
    EXPECT_TRUE(code.name.starts_with("SM4C_"));
    EXPECT_EQ(std::ranges::find(names, code.name), names.end()) << code.name;
    names.push_back(code.name);
  }
}

}  // namespace
}  // namespace pawl::sm4c
