#include "connect/mocks.h"

#include <gtest/gtest.h>

#include "connect/router.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::connect {
namespace {

const std::string kConfig = R"({
  "StateMachines": {
    "order": {"TestCases": {"Good": {"Pay": "Paid"}, "Flaky": {"Pay": "PaidLate", "Ship": "Silence"}}},
    "refund": {"TestCases": {"Only": {"Pay": "Paid"}}}
  },
  "MockedResponses": {
    "Paid": {"0": {"Return": {"receipt": 1}}},
    "PaidLate": {"0-1": {"Throw": {"Error": "Busy", "Cause": "later"}}, "2": {"Return": 7}},
    "Silence": {"0": {"NoAnswer": true}}
  }
})";

Value parsed(const std::string& text) { return json::parse(text).value(); }

Error refusal_of(const std::string& config) { return read_mock_config(parsed(config), "m", "").error(); }

TaskRequest call_of(const std::string& state) {
  TaskRequest request;
  request.state = state;
  request.resource = "arn:x";
  return request;
}

// Starts a task and gives what it answered, one word a piece.
std::string answer_of(engine::TaskHandler& tasks, const TaskRequest& request) {
  std::string answers;
  const auto expect = tasks.start(request, [&](const TaskAnswer& answer) {
    constexpr const char* kKinds[] = {"submitted ", "succeeded ", "failed ", "timed out "};
    answers += kKinds[static_cast<int>(answer.kind)] + json::print(answer.value) + ";";
  });
  return expect == engine::TaskHandler::Expect::kNothing ? answers + "nothing" : answers;
}

TEST(MockConfig, PicksTheMachineAndTheCase) {
  const auto plan = read_mock_config(parsed(kConfig), "order", "Flaky");
  ASSERT_TRUE(plan) << to_string(plan.error());
  EXPECT_EQ(plan->size(), 2u);
  EXPECT_EQ(plan->at("Pay").size(), 2u);
  EXPECT_EQ(plan->at("Pay")[0].last, 1u);
}

TEST(MockConfig, TakesTheOnlyCaseWhereNoneIsNamed) {
  EXPECT_TRUE(read_mock_config(parsed(kConfig), "refund", ""));
  const auto several = read_mock_config(parsed(kConfig), "order", "");
  ASSERT_FALSE(several);
  EXPECT_EQ(several.error().code, "MOCKS_UNKNOWN_CASE");
  EXPECT_NE(several.error().fix.find("'Good', 'Flaky'"), std::string::npos) << several.error().fix;
}

TEST(MockConfig, TakesTheOnlyMachineWhateverItsName) {
  const auto config = R"({"StateMachines":{"x":{"TestCases":{"c":{}}}},"MockedResponses":{}})";
  EXPECT_TRUE(read_mock_config(parsed(config), "other", ""));
  const auto several = read_mock_config(parsed(kConfig), "other", "Good");
  ASSERT_FALSE(several);
  EXPECT_EQ(several.error().code, "MOCKS_UNKNOWN_MACHINE");
}

TEST(MockConfig, DoesNotTakeAnotherCaseThanTheNamedOne) {
  EXPECT_EQ(read_mock_config(parsed(kConfig), "refund", "Onyl").error().code, "MOCKS_UNKNOWN_CASE");
}

TEST(MockConfig, SaysWhereItIsWrong) {
  const std::string begin = R"({"StateMachines":{"m":{"TestCases":{"c":{"A":"R"}}}},"MockedResponses":)";
  const auto where = [&](const std::string& responses) {
    const Error error = refusal_of(begin + responses + "}");
    EXPECT_EQ(error.code, "MOCKS_INVALID");
    return error.where;
  };
  EXPECT_EQ(where(R"({})"), "/StateMachines/m/TestCases/c/A");
  EXPECT_EQ(where(R"({"R":{"x":{"Return":1}}})"), "/MockedResponses/R/x");
  EXPECT_EQ(where(R"({"R":{"2-1":{"Return":1}}})"), "/MockedResponses/R/2-1");
  EXPECT_EQ(where(R"({"R":{"0":{"Return":1,"Throw":{}}}})"), "/MockedResponses/R/0");
  EXPECT_EQ(where(R"({"R":{"0":{"Answer":1}}})"), "/MockedResponses/R/0/Answer");
  EXPECT_EQ(where(R"({"R":{"0":{"NoAnswer":false}}})"), "/MockedResponses/R/0/NoAnswer");
  EXPECT_EQ(where(R"({"R":{"0":{"Throw":{"Error":1}}}})"), "/MockedResponses/R/0/Throw/Error");
  EXPECT_EQ(where(R"({"R":{"0-2":{"Return":1},"2":{"Return":1}}})"), "/MockedResponses/R");
}

TEST(MockConfig, SuggestsTheResponseThatWasMeant) {
  const Error error = refusal_of(
      R"({"StateMachines":{"m":{"TestCases":{"c":{"A":"Paied"}}}},"MockedResponses":{"Paid":{"0":{"Return":1}}}})");
  EXPECT_EQ(error.fix, "Did you mean 'Paid'?");
}

TEST(MockConfig, RefusesWhatIsNoMockFile) {
  EXPECT_EQ(refusal_of("[]").code, "MOCKS_INVALID");
  EXPECT_EQ(refusal_of("{}").code, "MOCKS_INVALID");
}

TEST(MockTasks, AnswerTheNthCallWithTheNthResponse) {
  MockTasks tasks(read_mock_config(parsed(kConfig), "order", "Flaky").value());
  EXPECT_TRUE(*tasks.claims(call_of("Pay")));
  EXPECT_EQ(answer_of(tasks, call_of("Pay")), R"(failed {"Error":"Busy","Cause":"later"};)");
  EXPECT_EQ(answer_of(tasks, call_of("Pay")), R"(failed {"Error":"Busy","Cause":"later"};)");
  EXPECT_EQ(answer_of(tasks, call_of("Pay")), "succeeded 7;");
  EXPECT_EQ(answer_of(tasks, call_of("Ship")), "nothing");
}

TEST(MockTasks, RefuseACallThatTheyHaveNoResponseFor) {
  MockTasks tasks(read_mock_config(parsed(kConfig), "order", "Good").value());
  answer_of(tasks, call_of("Pay"));
  const auto claimed = tasks.claims(call_of("Pay"));
  ASSERT_FALSE(claimed);
  EXPECT_EQ(claimed.error().code, "MOCK_EXHAUSTED");
  EXPECT_NE(claimed.error().what.find("2 times"), std::string::npos) << claimed.error().what;
}

TEST(MockTasks, SayThatATaskWithATokenWasAccepted) {
  MockTasks tasks(read_mock_config(parsed(kConfig), "order", "Good").value());
  TaskRequest request = call_of("Pay");
  request.waits_for_token = true;
  EXPECT_EQ(answer_of(tasks, request), R"(submitted {};succeeded {"receipt":1};)");
}

TEST(Router, StopsTheRunForATaskThatNobodyClaims) {
  std::stop_source stop;
  MockTasks mocks(read_mock_config(parsed(kConfig), "order", "Good").value());
  Router router(stop, "Do something.");
  router.add(mocks);
  EXPECT_EQ(answer_of(router, call_of("Pay")), R"(succeeded {"receipt":1};)");
  EXPECT_FALSE(stop.stop_requested());
  EXPECT_EQ(answer_of(router, call_of("Unknown")), "");
  EXPECT_TRUE(stop.stop_requested());
  ASSERT_TRUE(router.refusal());
  EXPECT_EQ(router.refusal()->code, "TASK_NOT_MAPPED");
  EXPECT_NE(router.refusal()->what.find("'Unknown'"), std::string::npos);
  EXPECT_EQ(router.refusal()->fix, "Do something.");
}

}  // namespace
}  // namespace pawl::connect
