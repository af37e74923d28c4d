#include "lang/asl/history.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace pawl::asl {
namespace {

using kernel::Fact;
using kernel::FactKind;
using kernel::Outcome;

// Ordinals: 1 the Map, 2 the Task inside it, 3 a Task of a service, 4 an activity.
constexpr std::string_view kDefinition = R"({"StartAt":"Each","States":{
  "Each":{"Type":"Map","Next":"Send","ItemProcessor":{"StartAt":"Call","States":{
    "Call":{"Type":"Task","Resource":"arn:aws:lambda:eu-west-1:1:function:f","End":true}}}},
  "Send":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage","Next":"Pack"},
  "Pack":{"Type":"Task","Resource":"arn:aws:states:eu-west-1:1:activity:pack","End":true}}})";

std::unique_ptr<Program> compiled() {
  Diagnostics diagnostics;
  const Definition definition = parse_definition(json::parse_document(kDefinition).value(), diagnostics);
  return Program::compile(definition, Options{}).value();
}

class History : public testing::Test {
 protected:
  History() {
    Fact started = made(FactKind::kExecutionStarted, 0);
    started.value = input_;
    started.extra = json::parse(R"({"inputText":"[1, 2]","context":{"Execution":{
      "Id":"arn:aws:states:eu-west-1:1:execution:m:e","RoleArn":"role"}}})")
                        .value();
    start_event_ = view_.event_of(started);
  }

  Fact made(FactKind kind, uint32_t state) {
    Fact fact;
    fact.kind = kind;
    fact.scope = ScopeId(1);
    fact.state = StateOrdinal(state);
    fact.event = last_ = last_.next();
    return fact;
  }

  // "Type {details}", or the type alone where the event has no details.
  std::string shown(const Fact& fact) {
    const Value event = view_.event_of(fact);
    std::string text(event.find("type")->as_string());
    for (const json::Member& member : event.members())
      if (member.key.as_string().ends_with("EventDetails")) text += " " + json::print(member.value);
    return text;
  }

  std::unique_ptr<Program> program_ = compiled();
  HistoryView view_{*program_};
  EventId last_;
  Value input_ = json::parse("[1,2]").value();
  Value start_event_;
};

TEST_F(History, ShowsTheInputAsItWasSent) {
  EXPECT_EQ(
      json::print(start_event_),
      R"({"timestamp":"1970-01-01T00:00:00.000Z","type":"ExecutionStarted","id":1,"previousEventId":0,)"
      R"("executionStartedEventDetails":{"input":"[1, 2]","inputDetails":{"truncated":false},"roleArn":"role"}})");
}

TEST_F(History, ShowsTheSentTextWhereTheInputIsPassedOn) {
  Fact entered = made(FactKind::kStateEntered, 1);
  entered.value = input_;
  EXPECT_EQ(shown(entered), R"(MapStateEntered {"name":"Each","input":"[1, 2]","inputDetails":{"truncated":false}})");
}

TEST_F(History, PrintsAnEqualValueThatIsNotTheInputCompactly) {
  Fact entered = made(FactKind::kStateEntered, 1);
  entered.value = json::parse("[1,2]").value();
  EXPECT_EQ(shown(entered), R"(MapStateEntered {"name":"Each","input":"[1,2]","inputDetails":{"truncated":false}})");
}

TEST_F(History, HidesAFactWithoutAnEvent) {
  Fact retry = made(FactKind::kRetryScheduled, 3);
  retry.event = EventId();
  EXPECT_TRUE(view_.event_of(retry).is_null());
}

TEST_F(History, NamesAnIterationByItsMapAndIndex) {
  Fact opened = made(FactKind::kScopeOpened, 1);
  opened.number = 7;
  EXPECT_EQ(shown(opened), R"(MapIterationStarted {"name":"Each","index":7})");
  Fact closed = made(FactKind::kScopeClosed, 1);
  closed.number = 7;
  closed.outcome = Outcome::kAborted;
  EXPECT_EQ(shown(closed), R"(MapIterationAborted {"name":"Each","index":7})");
}

TEST_F(History, TellsTheLengthOfAMap) {
  Fact join = made(FactKind::kJoinStarted, 1);
  join.number = 3;
  EXPECT_EQ(shown(join), R"(MapStateStarted {"length":3})");
  Fact ended = made(FactKind::kJoinEnded, 1);
  ended.outcome = Outcome::kFailed;
  EXPECT_EQ(shown(ended), "MapStateFailed");
}

TEST_F(History, GivesALambdaFunctionEventsOfItsOwn) {
  Fact scheduled = made(FactKind::kOperationScheduled, 2);
  scheduled.number = 5;
  EXPECT_EQ(shown(scheduled),
            R"(LambdaFunctionScheduled {"resource":"arn:aws:lambda:eu-west-1:1:function:f","input":"null",)"
            R"("inputDetails":{"truncated":false},"timeoutInSeconds":5})");
  EXPECT_EQ(shown(made(FactKind::kOperationStarted, 2)), "LambdaFunctionStarted");
}

TEST_F(History, NamesServiceAndActionOfAnIntegration) {
  Fact scheduled = made(FactKind::kOperationScheduled, 3);
  scheduled.value = json::parse(R"({"a":1})").value();
  scheduled.extra = json::parse(R"({"roleArn":"other"})").value();
  EXPECT_EQ(shown(scheduled), R"(TaskScheduled {"resourceType":"sqs","resource":"sendMessage","region":"eu-west-1",)"
                              R"("parameters":"{\"a\":1}","taskCredentials":{"roleArn":"other"}})");
}

TEST_F(History, ShowsAHeartbeatThatStoppedAsATimeout) {
  Fact ended = made(FactKind::kOperationEnded, 3);
  ended.outcome = Outcome::kHeartbeatTimedOut;
  ended.value = json::parse(R"({"Error":"States.Timeout"})").value();
  EXPECT_EQ(shown(ended), R"(TaskTimedOut {"resourceType":"sqs","resource":"sendMessage","error":"States.Timeout"})");
}

TEST_F(History, NamesTheWorkerOfAnActivity) {
  Fact taken = made(FactKind::kOperationStarted, 4);
  EXPECT_EQ(shown(taken), "ActivityStarted {}");
  taken.value = Value::string("Ada");
  EXPECT_EQ(shown(taken), R"(ActivityStarted {"workerName":"Ada"})");
}

TEST_F(History, ShowsOnlyWhatAStateAssigned) {
  Fact left = made(FactKind::kStateExited, 3);
  left.extra = json::parse(R"({"x":"one"})").value();
  EXPECT_EQ(shown(left), R"(TaskStateExited {"name":"Send","output":"null","outputDetails":{"truncated":false},)"
                         R"("assignedVariables":{"x":"\"one\""},"assignedVariablesDetails":{"truncated":false}})");
}

TEST_F(History, TellsHowOftenAnExecutionWasRedriven) {
  Fact redriven = made(FactKind::kExecutionRedriven, 0);
  redriven.number = 3;
  EXPECT_EQ(shown(redriven), R"(ExecutionRedriven {"redriveCount":3})");
}

TEST_F(History, LeavesOutErrorAndCauseThatWereNotGiven) {
  Fact failed = made(FactKind::kExecutionFailed, 0);
  failed.value = json::parse(R"({"Error":null})").value();
  EXPECT_EQ(shown(failed), "ExecutionFailed {}");
}

}  // namespace
}  // namespace pawl::asl
