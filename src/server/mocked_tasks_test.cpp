// Executions on a test case of the server's mocks, and virtual time.
#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

constexpr const char* kMocks = R"({
  "StateMachines": {"orders": {"TestCases": {"Paid": {"Charge": "Charged"}, "Slow": {"Charge": "Late"}}}},
  "MockedResponses": {
    "Charged": {"0": {"Throw": {"Error": "Busy", "Cause": "once"}}, "1": {"Return": {"paid": true}}},
    "Late": {"0": {"NoAnswer": true}}}})";

constexpr const char* kCharge = R"({"StartAt": "Rest", "States": {
  "Rest": {"Type": "Wait", "Seconds": 86400, "Next": "Charge"},
  "Charge": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:000000000000:function:charge", "TimeoutSeconds": 3600,
             "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 60}], "End": true}}})";

class MockedTasksTest : public ServerTest {
 protected:
  MockedTasksTest() {
    mocks_ = json::parse(kMocks).value();
    virtual_now_ = Timestamp(std::chrono::hours(24 * 365 * 50));
    restart();
  }
  Answered end_of(const std::string& execution_arn) const {
    return poll("DescribeExecution", "executionArn", execution_arn,
                [](const Answered& answer) { return answer.text("status") != "RUNNING"; });
  }
};

TEST_F(MockedTasksTest, AnswersTheCallsOfAStateInTheirOrder) {
  const std::string machine = create("orders", kCharge);
  const Answered end = end_of(start_execution(machine + "#Paid").text("executionArn"));
  EXPECT_EQ(end.text("status"), "SUCCEEDED") << end.text("cause");
  EXPECT_EQ(end.text("output"), R"({"paid":true})");
}

TEST_F(MockedTasksTest, CountsTheCallsOfEachExecutionForItself) {
  const std::string machine = create("orders", kCharge);
  for (int i = 0; i < 3; ++i) {
    const Answered end = end_of(start_execution(machine + "#Paid").text("executionArn"));
    EXPECT_EQ(end.text("status"), "SUCCEEDED") << i;
  }
}

TEST_F(MockedTasksTest, LetsTimePassWhereAMockNeverAnswers) {
  const std::string machine = create("orders", kCharge);
  const Answered end = end_of(start_execution(machine + "#Slow").text("executionArn"));
  EXPECT_EQ(end.text("error"), "States.Timeout");
  const double took = end.body.find("stopDate")->as_double() - end.body.find("startDate")->as_double();
  EXPECT_EQ(took, 86400 + 3600);
}

TEST_F(MockedTasksTest, LeavesExecutionsWithoutATestCaseToTheWorld) {
  const std::string machine = create("orders", kCharge);
  const Answered end = end_of(start_execution(machine).text("executionArn"));
  EXPECT_NE(end.text("cause").find("TASK_NOT_MAPPED"), std::string::npos) << end.text("cause");
}

TEST_F(MockedTasksTest, RefusesATestCaseThatIsNotThere) {
  const std::string machine = create("orders", kCharge);
  const Answered refused = start_execution(machine + "#Piad");
  EXPECT_EQ(refused.type(), "ValidationException");
  EXPECT_NE(refused.message().find("MOCKS_UNKNOWN_CASE"), std::string::npos) << refused.message();
}

TEST_F(ServerTest, RefusesATestCaseWhereItHasNoMocks) {
  const Answered refused = start_execution(create("orders", kCharge) + "#Paid");
  EXPECT_NE(refused.message().find("MOCKS_MISSING"), std::string::npos) << refused.message();
}

TEST_F(MockedTasksTest, AnswersTheTasksOfAnExpressExecutionToo) {
  json::ObjectBuilder body;
  body.set("name", Value::string("orders"));
  body.set("definition", Value::string(kCharge));
  body.set("roleArn", Value::string("arn:aws:iam::000000000000:role/test"));
  body.set("type", Value::string("EXPRESS"));
  const std::string machine = call("CreateStateMachine", json::print(body.build())).text("stateMachineArn");
  const Answered end = call("StartSyncExecution", "stateMachineArn", machine + "#Paid");
  EXPECT_EQ(end.text("output"), R"({"paid":true})") << end.message();
}

}  // namespace
}  // namespace pawl::server
