// The matchers can say no.
#include "match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.h"
#include "outside_world.h"

namespace pawl::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Value json_of(std::string_view text) { return json::parse(text).value(); }

// One expected event against one that was seen, both with EventId 2.
Differences differences_of(std::string_view expected, std::string_view actual) {
  Bindings bindings({}, "");
  return match_history({json_of(expected).with_member("EventId", Value::integer(2))},
                       {json_of(actual).with_member("EventId", Value::integer(2))}, bindings);
}

TEST(MatchHistory, TakesEventsThatAreEqualInWhatIsExpected) {
  EXPECT_THAT(differences_of(R"({"EventType":"StepStarted"})", R"({"EventType":"StepStarted","Id":"1"})"), IsEmpty());
}

TEST(MatchHistory, RefusesAnotherType) {
  EXPECT_THAT(differences_of(R"({"EventType":"StepStarted"})", R"({"EventType":"WaitStarted"})"),
              ElementsAre(R"(event 2.EventType: expected "StepStarted", found "WaitStarted")"));
}

TEST(MatchHistory, RefusesAnEventThatIsMissing) {
  Bindings bindings({}, "");
  EXPECT_THAT(match_history({json_of(R"({"EventId":7,"EventType":"StepStarted"})")}, {}, bindings),
              ElementsAre(R"(event 7: missing, of type "StepStarted")"));
}

TEST(MatchHistory, WantsWhatAStarStandsForToBeThere) {
  EXPECT_THAT(differences_of(R"({"EventType":"*"})", R"({"EventType":7})"), IsEmpty());
  EXPECT_THAT(differences_of(R"({"EventType":"*"})", "{}"), ElementsAre("event 2.EventType: missing"));
}

TEST(MatchHistory, WantsWhatAnEmptyObjectStandsForToBeThere) {
  EXPECT_THAT(differences_of(R"({"Details":{"Error":{}}})", R"({"Details":{"Error":{"Payload":1}}})"), IsEmpty());
  EXPECT_THAT(differences_of(R"({"Details":{"Error":{}}})", R"({"Details":{}})"),
              ElementsAre("event 2.Details.Error: missing"));
}

TEST(MatchHistory, WantsANameToStandForOneValue) {
  EXPECT_THAT(differences_of(R"({"Id":"${A}","ParentId":"${A}"})", R"({"Id":"1","ParentId":"1"})"), IsEmpty());
  EXPECT_THAT(differences_of(R"({"Id":"${A}","ParentId":"${A}"})", R"({"Id":"1","ParentId":"2"})"),
              ElementsAre(HasSubstr("expected what ${A} is")));
}

TEST(MatchHistory, LooksForPatternsInTheTextOfAValue) {
  EXPECT_THAT(differences_of(R"({"Delay":"${/^[0-5]$/}"})", R"({"Delay":5})"), IsEmpty());
  EXPECT_THAT(differences_of(R"({"Delay":"${/^[0-5]$/}"})", R"({"Delay":6})"), ElementsAre(HasSubstr("/^[0-5]$/")));
}

TEST(MatchHistory, PutsNamesThatAreKnownIntoTexts) {
  Bindings bindings(json_of(R"({"NAME":"Kiro"})"), "");
  const std::vector<Value> expected = {json_of(R"({"EventId":2,"Payload":"\"Hello, ${NAME}\""})")};
  EXPECT_THAT(match_history(expected, {json_of(R"({"EventId":2,"Payload":"\"Hello, Kiro\""})")}, bindings), IsEmpty());
  EXPECT_FALSE(match_history(expected, {json_of(R"({"EventId":2,"Payload":"\"Hello, World\""})")}, bindings).empty());
}

TEST(MatchHistory, ComparesListsItemByItem) {
  EXPECT_FALSE(differences_of(R"({"A":[1,2]})", R"({"A":[1]})").empty());
  EXPECT_THAT(differences_of(R"({"A":[1,2]})", R"({"A":[1,3]})"), ElementsAre("event 2.A[1]: expected 2, found 3"));
}

DurableCase expecting(std::string status, std::optional<Value> result) {
  DurableCase one;
  one.status = std::move(status);
  one.result = std::move(result);
  return one;
}

TEST(MatchResult, RefusesAnotherStatus) {
  EXPECT_THAT(match_result(expecting("FAILED", {}), {.status = "SUCCEEDED"}, Bindings({}, "")),
              ElementsAre("status: expected FAILED, found SUCCEEDED"));
}

TEST(MatchResult, ReadsTheTextOfTheResult) {
  const Observed observed{.status = "SUCCEEDED", .result = R"({"count": 2})"};
  EXPECT_THAT(match_result(expecting("SUCCEEDED", json_of(R"({"count":2})")), observed, Bindings({}, "")), IsEmpty());
  EXPECT_FALSE(match_result(expecting("SUCCEEDED", json_of(R"({"count":3})")), observed, Bindings({}, "")).empty());
}

TEST(MatchResult, TakesAnAbsentResultForNull) {
  EXPECT_THAT(match_result(expecting("SUCCEEDED", Value()), {.status = "SUCCEEDED"}, Bindings({}, "")), IsEmpty());
  EXPECT_FALSE(
      match_result(expecting("SUCCEEDED", Value()), {.status = "SUCCEEDED", .result = "1"}, Bindings({}, "")).empty());
}

TEST(MatchLogs, CountsTheRecordsThatMatch) {
  const std::vector<Value> log = {json_of(R"({"message":"for: abc"})"), json_of(R"({"message":"for: abc"})")};
  const Bindings bindings(json_of(R"({"INPUT":"abc"})"), "");
  EXPECT_THAT(match_logs({{json_of(R"({"message":"/${INPUT}/"})"), 2}}, log, bindings), IsEmpty());
  EXPECT_FALSE(match_logs({{json_of(R"({"message":"/${INPUT}/"})"), 1}}, log, bindings).empty());
  EXPECT_FALSE(match_logs({{json_of(R"({"message":"abc"})"), 2}}, log, bindings).empty());
}

TEST(MatchLogs, WantsOneWhereNoNumberIsSaid) {
  EXPECT_FALSE(match_logs({{json_of(R"({"message":"a"})"), std::nullopt}}, {}, Bindings({}, "")).empty());
}

// --- the outside world

constexpr const char* kCallback =
    R"({"EventType":"CallbackStarted","Name":"%s","CallbackStartedDetails":{"CallbackId":"%s"}})";

Value callback(const std::string& name, const std::string& id) {
  char text[256];
  std::snprintf(text, sizeof text, kCallback, name.c_str(), id.c_str());
  return json_of(text);
}
const Value kCompleted = json_of(R"({"EventType":"InvocationCompleted"})");

TEST(OutsideWorld, WaitsForTheEndOfTheInvocation) {
  const std::vector<CallbackAction> actions = {{"*", CallbackAction::Operation::kSucceed, {}}};
  OutsideWorld world(actions);
  const Bindings bindings({}, "");
  EXPECT_FALSE(world.next({callback("a", "1")}, bindings));
  EXPECT_EQ(world.next({callback("a", "1"), kCompleted}, bindings)->callback_id, "1");
}

TEST(OutsideWorld, AnswersACallbackOnce) {
  const std::vector<CallbackAction> actions = {{"*", CallbackAction::Operation::kFail, {}},
                                               {"*", CallbackAction::Operation::kFail, {}}};
  OutsideWorld world(actions);
  const Bindings bindings({}, "");
  EXPECT_TRUE(world.next({callback("a", "1"), kCompleted}, bindings));
  EXPECT_FALSE(world.next({callback("a", "1"), kCompleted}, bindings));
}

TEST(OutsideWorld, MayAnswerAfterAHeartbeat) {
  const std::vector<CallbackAction> actions = {{"a", CallbackAction::Operation::kHeartbeat, {}},
                                               {"a", CallbackAction::Operation::kSucceed, {}}};
  OutsideWorld world(actions);
  const Bindings bindings({}, "");
  EXPECT_EQ(world.next({callback("a", "1"), kCompleted}, bindings)->operation, CallbackAction::Operation::kHeartbeat);
  EXPECT_EQ(world.next({callback("a", "1"), kCompleted}, bindings)->operation, CallbackAction::Operation::kSucceed);
}

TEST(OutsideWorld, FindsTheActionByTheCallbacksName) {
  const std::vector<CallbackAction> actions = {{"b", CallbackAction::Operation::kSucceed, {}}};
  OutsideWorld world(actions);
  EXPECT_EQ(world.next({callback("a", "1"), callback("b", "2"), kCompleted}, Bindings({}, ""))->callback_id, "2");
}

TEST(OutsideWorld, WritesPayloadsAsPythonDoes) {
  EXPECT_EQ(payload_text(json_of(R"({"a":[1,"b"],"c":{"d":null}})")), R"({"a": [1, "b"], "c": {"d": null}})");
}

// --- files

TEST(ParseCase, RefusesAnOperationThatCallbacksDoNotKnow) {
  const auto parsed = parse_case("callback", "4-1", R"(
ExpectedExecutionHistory: [{EventId: 2}]
CallbackActions: [{CallbackName: a, Operation: shout}]
)");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, "DURABLE_CASE_INVALID");
  EXPECT_THAT(parsed.error().what, HasSubstr("shout"));
}

TEST(ParseCase, RefusesACaseWithoutAHistory) { EXPECT_FALSE(parse_case("step", "1-1", "Input: 1\n")); }

TEST(ParseCase, TellsNoResultFromANullOne) {
  const auto with = parse_case("step", "1-5",
                               "ExpectedResult: {ExecutionStatus: SUCCEEDED, Result: }\n"
                               "ExpectedExecutionHistory: [{EventId: 2}]\n");
  const auto without = parse_case("step", "1-5",
                                  "ExpectedResult: {ExecutionStatus: SUCCEEDED}\n"
                                  "ExpectedExecutionHistory: [{EventId: 2}]\n");
  ASSERT_TRUE(with && without);
  EXPECT_TRUE(with->result.has_value());
  EXPECT_FALSE(without->result.has_value());
}

TEST(Bindings, GenerateTextsOfThatLength) {
  const Bindings bindings(json_of(R"({"A":"${GEN_STR:8}","B":"${GEN_STR:8}"})"), "1-1");
  EXPECT_EQ(bindings.find("A")->as_string().size(), 8U);
  EXPECT_NE(bindings.find("A")->as_string(), bindings.find("B")->as_string());
}

TEST(Bindings, LeaveNamesThatAreUnknown) { EXPECT_EQ(Bindings({}, "").substitute_text("a ${B} c"), "a ${B} c"); }

}  // namespace
}  // namespace pawl::conformance
