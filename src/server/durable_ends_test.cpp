// How durable executions and their calls end, as everyone who asks is told of it.
#include <gmock/gmock.h>

#include "server/functions_test_fixture.h"

namespace pawl::server {
namespace {

using testing::MatchesRegex;

constexpr const char* kExecutions = "/2025-12-01/durable-executions/";
constexpr const char* kPending = R"({"Status":"PENDING"})";
constexpr const char* kLongWait = R"([{"Id":"w","Type":"WAIT","Action":"START","WaitOptions":{"WaitSeconds":7200}}])";
constexpr const char* kTimedOut =
    R"({"ErrorType":"Execution.TimedOut","ErrorMessage":"Execution timed out after 3600 seconds."})";

class DurableEnds : public Functions {
 protected:
  // The clock jumps to whatever comes next, once nothing is in flight.
  void skip_time() {
    server_.reset();
    virtual_now_ = SystemClock().now();
    start_server();
  }
  Spoken get(const std::string& arn, const std::string& more = "") const {
    return ask("GET", kExecutions + encoded(arn) + more);
  }
  Spoken get_when_ended(const std::string& arn) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (;;) {
      Spoken spoken = get(arn);
      if (spoken.text("Status") != "RUNNING" || std::chrono::steady_clock::now() > deadline) return spoken;
      std::this_thread::yield();
    }
  }
  // The details of the first event of that type; null where there is none.
  Value details_of(const std::string& arn, const std::string& type) const {
    const Value events = get(arn, "/history").member("Events");
    for (const Value& event : events.items())
      if (event.find("EventType")->as_string() == type) return *event.find(type + "Details");
    return {};
  }
  static std::string calling(const std::string& function) {
    return R"([{"Id":"c","Type":"CHAINED_INVOKE","Action":"START","ChainedInvokeOptions":{"FunctionName":")" +
           function + R"("}}])";
  }
  // An execution that waits for what it has called; gives its ARN.
  std::string start_calling(const std::string& function) const {
    const std::string arn = start_order();
    const Taken call = take();
    EXPECT_EQ(checkpoint(arn, call.token(), calling(function)).status, 200);
    answer(call, kPending);
    return arn;
  }
};

TEST_F(DurableEnds, TimeOutWhileTheyWaitAndSayAfterHowLong) {
  skip_time();
  const Spoken started = invoke("slow", "{}", {{"X-Amz-Invocation-Type", "Event"}});
  const std::string arn = started.header("X-Amz-Durable-Execution-Arn");
  const Taken call = take("slow");
  const Spoken taken = checkpoint(arn, call.token(), kLongWait);
  answer(call, kPending, "slow");
  const Spoken ended = get_when_ended(arn);
  EXPECT_EQ(ended.text("Status"), "TIMED_OUT");
  EXPECT_EQ(json::print(ended.member("Error")), kTimedOut);
  const Value details = details_of(arn, "ExecutionTimedOut");
  EXPECT_EQ(json::print(*details.find("Error")->find("Payload")), kTimedOut);
  EXPECT_EQ(checkpoint(arn, taken.text("CheckpointToken"), "[]").error(), "400 InvalidParameterValueException");
}

TEST_F(DurableEnds, ThatTimeOutAreTimeoutsForWhoCalledThem) {
  skip_time();
  const std::string arn = start_calling("slow:$LATEST");
  const Taken child = take("slow");
  checkpoint(child.arn(), child.token(), kLongWait);
  answer(child, kPending, "slow");
  const Taken call = take();
  EXPECT_EQ(json::print(call.detail(1, "Status")), R"("TIMED_OUT")");
  const Value told = call.detail(1, "ChainedInvokeDetails");
  EXPECT_EQ(json::print(*told.find("Error")), kTimedOut);
  const Value details = details_of(arn, "ChainedInvokeTimedOut");
  EXPECT_EQ(json::print(*details.find("Error")->find("Payload")), kTimedOut);
  answer(call, kDone);
}

TEST_F(DurableEnds, ByAStopRefuseWhatTheirCodeStillSays) {
  const std::string arn = start_order();
  const Taken call = take();
  EXPECT_EQ(ask("POST", kExecutions + encoded(arn) + "/stop", "{}").status, 200);
  EXPECT_EQ(checkpoint(arn, call.token(), kStep).error(), "400 InvalidParameterValueException");
  answer(call, kDone);
  EXPECT_EQ(get(arn).text("Status"), "STOPPED");
  EXPECT_TRUE(details_of(arn, "StepStarted").is_null());
}

TEST_F(DurableEnds, KnowACallByTheIdThatItsWorkerHad) {
  const std::string arn = start_order();
  const Taken first = take();
  EXPECT_THAT(first.id, MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
  fail_call(first, R"({"errorType":"Runtime.Crashed","errorMessage":"m"})");
  const Taken second = take();
  EXPECT_NE(second.id, first.id);
  answer(second, kDone);
  ASSERT_EQ(get_when_ended(arn).text("Status"), "SUCCEEDED");
  std::vector<std::string> told;
  const Value events = get(arn, "/history").member("Events");
  for (const Value& event : events.items())
    if (const Value* details = event.find("InvocationCompletedDetails"))
      told.emplace_back(details->find("RequestId")->as_string());
  EXPECT_EQ(told, (std::vector<std::string>{first.id, second.id}));
}

TEST_F(DurableEnds, TellTheVersionOfWhatTheyCalled) {
  ask("POST", "/2015-03-31/functions/plain/versions", "{}");
  for (const auto& [name, version] :
       {std::pair("plain", R"("$LATEST")"), std::pair("plain:1", R"("1")"), std::pair("slow", R"("$LATEST")")}) {
    const std::string function = std::string(name).substr(0, std::string(name).find(':'));
    const std::string arn = start_calling(name);
    answer(take(function), kDone, function);
    answer(take(), kDone);
    const Value details = details_of(arn, "ChainedInvokeStarted");
    const Value* told = details.find("ExecutedVersion");
    EXPECT_EQ(told == nullptr ? "" : json::print(*told), version) << name;
    EXPECT_EQ(details.find("DurableExecutionArn") != nullptr, function == "slow") << name;
  }
  const std::string arn = start_calling("nobody");
  answer(take(), kDone);
  const Value details = details_of(arn, "ChainedInvokeStarted");
  EXPECT_EQ(details.find("ExecutedVersion"), nullptr);
}

// Every byte of a result may need six in a text of JSON.
TEST_F(DurableEnds, TakeTheLargestResultHoweverItIsEscaped) {
  constexpr size_t kBytes = 6'291'456;
  std::string escaped;
  for (size_t i = 0; i < kBytes; ++i) escaped += "\\u0001";
  auto answered = invoke_later("order", "{}");
  const Taken first = take();
  EXPECT_EQ(answer(first, R"({"Status":"SUCCEEDED","Result":")" + escaped + "\"}").status, 202);
  EXPECT_EQ(answered.get().body, std::string(kBytes, '\1'));
  auto recorded = invoke_later("order", "{}");
  const Taken second = take();
  const std::string verdict = R"([{"Id":"e","Type":"EXECUTION","Action":"SUCCEED","Payload":")" + escaped;
  EXPECT_EQ(checkpoint(second.arn(), second.token(), verdict + "x\"}]").error(), "400 InvalidParameterValueException");
  EXPECT_EQ(checkpoint(second.arn(), second.token(), verdict + "\"}]").status, 200);
  answer(second, R"({"Status":"SUCCEEDED","Result":""})");
  EXPECT_EQ(recorded.get().body, std::string(kBytes, '\1'));
}

TEST_F(DurableEnds, LetFunctionsAloneSendMoreThanTheLimitOfABody) {
  const std::string large(9 * 1024 * 1024, ' ');
  EXPECT_EQ(invoke("order", large + "{}").error(), "413 RequestTooLargeException");
  EXPECT_EQ(ask("POST", "/", large + "{}", {{"X-Amz-Target", "AWSStepFunctions.ListStateMachines"}}).status, 413);
  EXPECT_EQ(ask("POST", "/api/events", large).status, 413);
}

}  // namespace
}  // namespace pawl::server
