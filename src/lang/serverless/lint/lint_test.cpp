// One mistake, one finding: its code and its place.
#include "lang/serverless/lint.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "lang/serverless/lint/codes.h"
#include "text/diagnostics_format.h"

namespace pawl::serverless {
namespace {

// Findings as "CODE /pointer" lines.
std::string findings(std::string_view text) {
  std::string lines;
  for (const Diagnostic& diagnostic : lint_text(text, "", {})) {
    EXPECT_GT(diagnostic.position.line, 0u) << diagnostic.code;
    EXPECT_FALSE(diagnostic.fix.empty()) << diagnostic.code;
    if (!lines.empty()) lines += "\n";
    lines += diagnostic.code + " " + diagnostic.pointer;
  }
  return lines;
}

constexpr std::string_view kHead = R"({"id": "w", "name": "w",
  "functions": [{"name": "f", "resource": "r"}],
  "events": [{"name": "in", "type": "t", "source": "s"}, {"name": "out", "type": "t", "kind": "produced"}],
  "states": [)";

// Of the states in a workflow that is otherwise in order; the first one lacks its start.
std::string of_states(std::string_view states) { return findings(std::string(kHead) + std::string(states) + "]}"); }

// Of the members of one state: its type, and what else it has.
std::string of_state(std::string_view members) {
  return of_states(R"({"name": "S", "start": {"kind": "default"}, )" + std::string(members) + "}");
}

constexpr std::string_view kEnd = R"("end": {"kind": "default"})";
std::string with_end(std::string_view members) { return of_state(std::string(members) + ", " + std::string(kEnd)); }

TEST(Lint, FindsNothingInAWorkflowThatIsInOrder) {
  EXPECT_EQ(
      with_end(
          R"("type": "operation", "actions": [{"functionRef": {"refName": "f", "parameters": {"a": "{{ $.a }}"}}}])"),
      "");
}

TEST(Lint, FindsAnUnknownState) {
  EXPECT_EQ(of_state(R"("type": "inject", "transition": {"nextState": "T"})"),
            "SW_UNKNOWN_STATE /states/0/transition/nextState");
}

TEST(Lint, FindsUnknownFunctionsAndEvents) {
  EXPECT_EQ(with_end(R"("type": "operation", "actions": [{"functionRef": {"refName": "g"}}])"),
            "SW_UNKNOWN_FUNCTION /states/0/actions/0/functionRef/refName");
  EXPECT_EQ(with_end(R"("type": "event", "eventsActions": [{"eventRefs": ["no"], "actions": []}])"),
            "SW_UNKNOWN_EVENT /states/0/eventsActions/0/eventRefs/0");
}

TEST(Lint, FindsEventsOfTheWrongKind) {
  EXPECT_EQ(with_end(R"("type": "event", "eventsActions": [{"eventRefs": ["out"], "actions": []}])"),
            "SW_EVENT_NOT_CONSUMED /states/0/eventsActions/0/eventRefs/0");
  EXPECT_EQ(of_state(R"("type": "inject", "end": {"kind": "event", "produceEvent": {"eventRef": "in"}})"),
            "SW_EVENT_NOT_PRODUCED /states/0/end/produceEvent/eventRef");
}

TEST(Lint, FindsNamesThatOccurTwice) {
  EXPECT_EQ(
      of_states(R"({"name": "S", "type": "inject", "start": {"kind": "default"}, "transition": {"nextState": "S"}},
                         {"name": "S", "type": "inject", "end": {"kind": "default"}})"),
      "SW_DUPLICATE_NAME /states/1/name");
  EXPECT_EQ(
      findings(
          R"({"id": "w", "name": "w", "functions": [{"name": "f", "resource": "r"}, {"name": "f", "resource": "q"}],
                         "states": [{"name": "S", "type": "inject", "start": {"kind": "default"}, "end": {"kind": "default"}}]})"),
      "SW_DUPLICATE_NAME /functions");
}

TEST(Lint, RefusesASecondStartThatTheFirstDoesNotLeadTo) {
  EXPECT_EQ(of_states(R"({"name": "A", "type": "inject", "start": {"kind": "default"}, "end": {"kind": "default"}},
                         {"name": "B", "type": "inject", "start": {"kind": "default"}, "end": {"kind": "default"}})"),
            "SW_UNREACHABLE_STATE /states/1\nSW_SECOND_START /states/1/start");
}

TEST(Lint, OnlyWarnsOfASecondStartThatTheFirstLeadsTo) {
  EXPECT_EQ(
      of_states(R"({"name": "A", "type": "inject", "start": {"kind": "default"}, "transition": {"nextState": "B"}},
                         {"name": "B", "type": "inject", "start": {"kind": "default"}, "end": {"kind": "default"}})"),
      "SW_START_IGNORED /states/1/start");
}

TEST(Lint, WarnsWhereNoStateStarts) {
  EXPECT_EQ(of_states(R"({"name": "A", "type": "inject", "end": {"kind": "default"}})"), "SW_NO_START /states/0");
  EXPECT_EQ(findings(R"({"id": "w", "name": "w", "startsAt": "A",
                         "states": [{"name": "A", "type": "inject", "end": {"kind": "default"}}]})"),
            "");
}

TEST(Lint, RefusesASwitchWithAnEnd) {
  EXPECT_EQ(with_end(R"("type": "switch", "dataConditions": [], "default": {"end": {"kind": "default"}})"),
            "SW_SWITCH_END /states/0/end");
}

TEST(Lint, WarnsOfASwitchWithoutADefault) {
  EXPECT_EQ(of_state(R"("type": "switch", "dataConditions": [{"condition": "{{ $.a }}", "end": {"kind": "default"}}])"),
            "SW_NO_DEFAULT /states/0");
}

TEST(Lint, RefusesDataAndEventConditionsTogether) {
  EXPECT_EQ(of_state(R"("type": "switch", "dataConditions": [], "eventConditions": [], "eventTimeout": "PT1M",
                        "default": {"end": {"kind": "default"}})"),
            "SW_TWIN_FIELDS /states/0");
}

TEST(Lint, RefusesMoreNeededBranchesThanThereAre) {
  const std::string branches = R"("branches": [{"name": "b", "actions": []}])";
  EXPECT_EQ(with_end(R"("type": "parallel", "completionType": "n_of_m", "n": 2, )" + branches),
            "SW_BRANCHES_FEWER_THAN_N /states/0/n");
  EXPECT_EQ(with_end(R"("type": "parallel", "completionType": "n_of_m", )" + branches), "SW_MISSING_FIELD /states/0");
  EXPECT_EQ(with_end(R"("type": "parallel", "n": 1, )" + branches), "SW_N_IGNORED /states/0/n");
}

TEST(Lint, RefusesARetryOnStatesThatHaveNone) {
  EXPECT_EQ(with_end(R"("type": "inject", "retry": [])"), "SW_RETRY_NOT_ALLOWED /states/0/retry");
}

TEST(Lint, RefusesAWorkflowThatCallsItself) {
  EXPECT_EQ(with_end(R"("type": "subflow", "waitForCompletion": true, "workflowId": "w")"),
            "SW_CALLS_ITSELF /states/0/workflowId");
  EXPECT_EQ(with_end(R"("type": "parallel", "branches": [{"name": "b", "workflowId": "w"}])"),
            "SW_CALLS_ITSELF /states/0/branches/0/workflowId");
}

TEST(Lint, RefusesDurationsThatAreNone) {
  EXPECT_EQ(with_end(R"("type": "delay", "timeDelay": "P")"), "SW_DURATION /states/0/timeDelay");
  EXPECT_EQ(with_end(R"("type": "delay", "timeDelay": "-PT1S")"), "SW_DURATION /states/0/timeDelay");
  EXPECT_EQ(with_end(R"("type": "delay", "timeDelay": 5)"), "SW_FIELD_TYPE /states/0/timeDelay");
  EXPECT_EQ(with_end(R"("type": "delay")"), "SW_MISSING_FIELD /states/0");
}

std::string of_schedule(std::string_view schedule) {
  return of_states(R"({"name": "S", "type": "inject", "end": {"kind": "default"},
                       "start": {"kind": "scheduled", "schedule": )" +
                   std::string(schedule) + "}}");
}

TEST(Lint, ChecksSchedules) {
  EXPECT_EQ(of_schedule(R"({"cron": "99 * * * *", "directInvoke": "allow"})"), "SW_CRON /states/0/start/schedule/cron");
  EXPECT_EQ(of_schedule(R"({"interval": "tomorrow", "directInvoke": "deny"})"),
            "SW_INTERVAL /states/0/start/schedule/interval");
  EXPECT_EQ(of_schedule(R"({"cron": "* * * * *", "timezone": "Mars/Base", "directInvoke": "deny"})"),
            "SW_TIME_ZONE /states/0/start/schedule/timezone");
  EXPECT_EQ(of_schedule(R"({"directInvoke": "deny"})"), "SW_MISSING_FIELD /states/0/start/schedule");
  EXPECT_EQ(of_schedule(R"({"cron": "* * * * *", "interval": "PT1H", "directInvoke": "deny"})"),
            "SW_TWIN_FIELDS /states/0/start/schedule");
  EXPECT_EQ(of_schedule(R"({"cron": "* * * * *"})"), "SW_OMITTED_FIELD /states/0/start/schedule");
  EXPECT_EQ(of_schedule(R"({"cron": "* * * * *", "directInvoke": "maybe"})"),
            "SW_INVALID_VALUE /states/0/start/schedule/directInvoke");
}

TEST(Lint, RefusesExpressionsThatAreNone) {
  EXPECT_EQ(with_end(R"("type": "inject", "stateDataFilter": {"dataOutputPath": "{{ $.a"})"),
            "SW_EXPRESSION /states/0/stateDataFilter/dataOutputPath");
  EXPECT_EQ(
      with_end(
          R"("type": "operation", "actions": [{"functionRef": {"refName": "f", "parameters": {"a": ["{{ $.["]}}}])"),
      "SW_EXPRESSION /states/0/actions/0/functionRef/parameters/a/0");
}

TEST(Lint, WarnsOfTextWhereOnlyAnExpressionMakesSense) {
  EXPECT_EQ(with_end(R"("type": "inject", "stateDataFilter": {"dataOutputPath": "all"})"),
            "SW_NOT_AN_EXPRESSION /states/0/stateDataFilter/dataOutputPath");
  EXPECT_EQ(with_end(R"("type": "inject", "stateDataFilter": {"dataOutputPath": "$.a"})"), "");
}

TEST(Lint, ChecksForeach) {
  const std::string rest = R"(, "iterationParam": "x", "actions": [])";
  EXPECT_EQ(with_end(R"("type": "foreach", "inputCollection": "{{ $.a }}", "outputCollection": "{{ $.a[*] }}")" + rest),
            "SW_OUTPUT_COLLECTION /states/0/outputCollection");
  EXPECT_EQ(with_end(R"("type": "foreach", "inputCollection": "{{ $.a }}", "max": "many")" + rest),
            "SW_NUMBER /states/0/max");
  EXPECT_EQ(with_end(R"("type": "foreach", "inputCollection": "{{ $.a }}", "iterationParam": "x")"),
            "SW_MISSING_FIELD /states/0");
}

TEST(Lint, ChecksNamesOfAttributes) {
  EXPECT_EQ(findings(R"({"id": "w", "name": "w", "events": [{"name": "e", "type": "t", "source": "s",
                         "correlation": [{"contextAttributeName": "patient-id"}]}],
                         "states": [{"name": "S", "type": "inject", "start": {"kind": "default"}, "end": {"kind": "default"}}]})"),
            "SW_ATTRIBUTE_NAME /events/0/correlation/0/contextAttributeName");
  EXPECT_EQ(of_state(R"("type": "inject", "end": {"kind": "event", "produceEvent": {"eventRef": "out",
                        "contextAttributes": {"id": "x"}}})"),
            "SW_ATTRIBUTE_NAME /states/0/end/produceEvent/contextAttributes/id");
}

TEST(Lint, RefusesAnEventThatWouldBeAny) {
  EXPECT_EQ(findings(R"({"id": "w", "name": "w", "events": [{"name": "e"}],
                         "states": [{"name": "S", "type": "inject", "start": {"kind": "default"}, "end": {"kind": "default"}}]})"),
            "SW_OMITTED_FIELD /events/0\nSW_OMITTED_FIELD /events/0\nSW_EVENT_WITHOUT_TYPE_AND_SOURCE /events/0");
}

TEST(Lint, WarnsOfATimeoutThatMeansNothing) {
  EXPECT_EQ(with_end(R"("type": "event", "timeout": "PT1M", "eventsActions": [{"eventRefs": ["in"], "actions": []}])"),
            "SW_TIMEOUT_IGNORED /states/0/timeout");
}

TEST(Lint, WarnsOfFieldsThatItDoesNotKnow) {
  EXPECT_EQ(with_end(R"("type": "inject", "dat": {})"), "SW_UNKNOWN_FIELD /states/0/dat");
}

TEST(Lint, RefusesTransitionAndEndTogetherAndNeither) {
  EXPECT_EQ(with_end(R"("type": "inject", "transition": {"nextState": "S"})"), "SW_TWIN_FIELDS /states/0/end");
  EXPECT_EQ(of_state(R"("type": "inject")"), "SW_MISSING_FIELD /states/0");
}

TEST(Lint, WarnsOfStatesWithoutAWayToThemAndWorkflowsWithoutAnEnd) {
  EXPECT_EQ(
      of_states(R"({"name": "A", "type": "inject", "start": {"kind": "default"}, "transition": {"nextState": "A"}},
                   {"name": "B", "type": "inject", "end": {"kind": "default"}})"),
      "SW_NO_WAY_TO_END /states/0\nSW_UNREACHABLE_STATE /states/1");
}

TEST(Lint, RefusesUnknownTypes) { EXPECT_EQ(with_end(R"("type": "sleep")"), "SW_UNKNOWN_STATE_TYPE /states/0/type"); }

TEST(Lint, ReadsEnumerationsInAnyCase) { EXPECT_EQ(with_end(R"("type": "INJECT")"), ""); }

TEST(Lint, NamesTheFileThatCannotBeRead) {
  EXPECT_EQ(with_end(R"("type": "inject", "dataInputSchema": "no.json")"), "SW_REFERENCE /states/0/dataInputSchema");
}

TEST(Lint, GivesPositionsOfYamlAndJsonAlike) {
  const Diagnostics yaml = lint_text("id: w\nname: w\nstates:\n- name: S\n  type: nap\n", "f.yaml", {});
  ASSERT_EQ(yaml.size(), 1u) << text::format_as_text(yaml);
  EXPECT_EQ(yaml[0].position, (Position{.line = 5, .column = 9}));
  EXPECT_EQ(yaml[0].file, "f.yaml");
  const Diagnostics json =
      lint_text("{\"id\":\"w\",\"name\":\"w\",\n\"states\":[{\"name\":\"S\",\n\"type\":\"nap\"}]}", "", {});
  ASSERT_EQ(json.size(), 1u) << text::format_as_text(json);
  EXPECT_EQ(json[0].position, (Position{.line = 3, .column = 8}));
}

TEST(Lint, SaysOnceThatATextCannotBeParsed) {
  const Diagnostics diagnostics = lint_text("{", "", {});
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "JSON_UNEXPECTED_END");
}

TEST(Lint, EndsItsListWhereThereAreTooManyFindings) {
  std::string states;
  for (int index = 0; index < 3000; ++index) {
    if (index > 0) states += ",";
    states += R"({"name":"S)" + std::to_string(index) + R"(","type":"nap","transition":{"nextState":"S2999"}})";
  }
  const Diagnostics diagnostics = lint_text(std::string(kHead) + states + "]}", "", {});
  EXPECT_LT(diagnostics.size(), 2100u);
  EXPECT_TRUE(has_errors(diagnostics));
}

// Suggestions look at every name there is: with many wrong names among many right ones that would take hours.
TEST(Lint, EndsSoonWhereThereAreManyWrongNamesAmongManyStates) {
  std::string states = R"({"name":"S","type":"switch","start":{"kind":"default"},"dataConditions":[)";
  for (int index = 0; index < 20'000; ++index) states += R"({"condition":"{{ $ }}","transition":{"nextState":"no"}},)";
  states.back() = ']';
  states += "}";
  for (int index = 0; index < 20'000; ++index)
    states += R"(,{"name":"T)" + std::to_string(index) + R"(","type":"inject","end":{"kind":"default"}})";
  EXPECT_TRUE(has_errors(lint_text(std::string(kHead) + states + "]}", "", {})));
}

}  // namespace
}  // namespace pawl::serverless
