// Tests of the operations on executions, over HTTP.
#include <gtest/gtest.h>

#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

using Executions = ServerTest;

TEST_F(Executions, RunToTheirEnd) {
  const std::string machine =
      create("m", R"({"StartAt":"A","States":{"A":{"Type":"Pass","Result":1,"ResultPath":"$.x","End":true}}})");
  const Answered started = start_execution(machine, R"({"k": 1})");
  ASSERT_EQ(started.status, 200) << started.message();
  const Answered ended = wait_for_end(started.text("executionArn"));
  EXPECT_EQ(ended.text("status"), "SUCCEEDED");
  EXPECT_EQ(ended.text("input"), R"({"k": 1})");
  EXPECT_EQ(ended.text("output"), R"({"k":1,"x":1})");
  EXPECT_EQ(ended.text("stateMachineArn"), machine);
}

TEST_F(Executions, ThatFailTellWhy) {
  const std::string machine =
      create("m", R"({"StartAt":"F","States":{"F":{"Type":"Fail","Error":"Bad","Cause":"so"}}})");
  const Answered ended = wait_for_end(start_execution(machine).text("executionArn"));
  EXPECT_EQ(ended.text("status") + " " + ended.text("error") + " " + ended.text("cause"), "FAILED Bad so");
}

TEST_F(Executions, SurviveARestart) {
  const std::string machine = create("m", kWaitLong);
  const std::string generated = start_execution(machine).text("executionArn");
  const std::string named = start_execution(machine, "{}", "one").text("executionArn");
  restart();
  for (const std::string& arn : {generated, named})
    EXPECT_EQ(call("DescribeExecution", "executionArn", arn).text("status"), "RUNNING") << arn;
}

TEST_F(Executions, AreTheSameByNameAndInputWhileTheyRun) {
  const std::string machine = create("m", kWaitLong);
  const Answered first = start_execution(machine, R"({"a":1})", "one");
  EXPECT_EQ(json::print(start_execution(machine, R"({ "a": 1 })", "one").body), json::print(first.body));
  const Answered other = start_execution(machine, R"({"a":2})", "one");
  EXPECT_EQ(other.type(), "ExecutionAlreadyExists");
  EXPECT_EQ(other.message(), "Execution Already Exists: '" + first.text("executionArn") + "'");
}

TEST_F(Executions, AreRefusedWithABadInputOrName) {
  const std::string machine = create("m", kPass);
  EXPECT_EQ(start_execution(machine, "{").type(), "InvalidExecutionInput");
  EXPECT_EQ(start_execution(machine, "{}", "a b").type(), "InvalidName");
  EXPECT_EQ(start_execution(machine, "{}", "70617776-6c00-4000-0000-000000000001").type(), "InvalidName");
  EXPECT_EQ(start_execution(machine, "\"" + std::string(262'144, 'a') + "\"").type(), "ValidationException");
  EXPECT_EQ(call("ListExecutions", "stateMachineArn", machine).size_of("executions"), 0u);
}

TEST_F(Executions, ThatDoNotExistAreRefusedInAwsWords) {
  create("m", kPass);
  const std::string arn = "arn:aws:states:us-east-1:000000000000:execution:m:none";
  for (const char* operation :
       {"DescribeExecution", "StopExecution", "GetExecutionHistory", "DescribeStateMachineForExecution"}) {
    EXPECT_EQ(call(operation, "executionArn", arn).message(), "Execution Does Not Exist: '" + arn + "'") << operation;
    EXPECT_EQ(call(operation, "executionArn", "not_a_valid_arn").message(),
              "Invalid Arn: 'Invalid ARN prefix: not_a_valid_arn'");
  }
}

TEST_F(Executions, HaveNoMapRuns) {
  const std::string arn = start_execution(create("m", kPass)).text("executionArn");
  EXPECT_EQ(json::print(call("ListMapRuns", "executionArn", arn).body), R"({"mapRuns":[]})");
  EXPECT_EQ(call("DescribeMapRun", "mapRunArn", "arn:aws:states:us-east-1:000000000000:mapRun:m/l:r").type(),
            "ResourceNotFound");
}

TEST_F(Executions, AreStopped) {
  const std::string machine = create("m", kWaitLong);
  const std::string arn = start_execution(machine).text("executionArn");
  const Answered stopped =
      call("StopExecution", "{\"executionArn\":\"" + arn + R"(","error":"Why","cause":"because"})");
  EXPECT_TRUE(stopped.body.find("stopDate")->is_number());
  const Answered ended = call("DescribeExecution", "executionArn", arn);
  EXPECT_EQ(ended.text("status") + " " + ended.text("error") + " " + ended.text("cause"), "ABORTED Why because");
}

TEST_F(Executions, AreListedByStatusAndInPages) {
  const std::string machine = create("m", kWaitLong);
  std::vector<std::string> arns;
  for (int i = 0; i < 3; ++i) arns.push_back(start_execution(machine).text("executionArn"));
  call("StopExecution", "executionArn", arns[0]);
  const std::string of_machine = "{\"stateMachineArn\":\"" + machine + "\"";
  const Answered running = call("ListExecutions", of_machine + R"(,"statusFilter":"RUNNING"})");
  EXPECT_EQ(running.size_of("executions"), 2u);
  const Answered aborted = call("ListExecutions", of_machine + R"(,"statusFilter":"ABORTED"})");
  EXPECT_EQ(*aborted.body.find("executions")->at(0).find("executionArn"), Value::string(arns[0]));
  const Answered first = call("ListExecutions", of_machine + R"(,"maxResults":2})");
  EXPECT_EQ(*first.body.find("executions")->at(0).find("executionArn"), Value::string(arns[2]))
      << "the newest is first";
  const Answered second =
      call("ListExecutions", of_machine + R"(,"maxResults":2,"nextToken":")" + first.text("nextToken") + "\"}");
  ASSERT_EQ(second.size_of("executions"), 1u);
  EXPECT_EQ(*second.body.find("executions")->at(0).find("executionArn"), Value::string(arns[0]));
}

class Histories : public ServerTest {
 protected:
  void SetUp() override {
    arn_ = start_execution(create("m", kPass), R"({"a": 1})").text("executionArn");
    wait_for_end(arn_);
  }
  Answered history(const std::string& more = "") const {
    return call("GetExecutionHistory", "{\"executionArn\":\"" + arn_ + "\"" + more + "}");
  }
  static std::string types(const Answered& answered) {
    std::string out;
    for (const Value& event : answered.body.find("events")->items()) {
      if (!out.empty()) out += ' ';
      out += event.find("type")->as_string();
    }
    return out;
  }

  std::string arn_;
};

TEST_F(Histories, ComeInBothOrders) {
  EXPECT_EQ(types(history()), "ExecutionStarted PassStateEntered PassStateExited ExecutionSucceeded");
  EXPECT_EQ(types(history(R"(,"reverseOrder":true)")),
            "ExecutionSucceeded PassStateExited PassStateEntered ExecutionStarted");
}

TEST_F(Histories, ComeInPages) {
  std::string all;
  std::string token;
  for (int page = 0; page < 4; ++page) {
    const Answered answered = history(R"(,"maxResults":1)" + (token.empty() ? "" : ",\"nextToken\":\"" + token + "\""));
    all += types(answered) + "\n";
    token = answered.text("nextToken");
  }
  EXPECT_EQ(all, "ExecutionStarted\nPassStateEntered\nPassStateExited\nExecutionSucceeded\n");
  EXPECT_EQ(token, "");
}

TEST_F(Histories, RefuseTheTokenOfAnotherOrder) {
  const std::string token = history(R"(,"maxResults":1)").text("nextToken");
  EXPECT_EQ(history(R"(,"reverseOrder":true,"nextToken":")" + token + "\"").type(), "InvalidToken");
}

TEST_F(Histories, HaveTheDataUnlessItIsNotWanted) {
  const Answered with = history();
  const Answered without = history(R"(,"includeExecutionData":false)");
  EXPECT_EQ(*with.body.find("events")->at(1).find("stateEnteredEventDetails")->find("input"),
            Value::string(R"({"a": 1})"));
  EXPECT_EQ(without.body.find("events")->at(1).find("stateEnteredEventDetails")->find("input"), nullptr);
  EXPECT_TRUE(with.body.find("events")->at(0).find("timestamp")->is_number());
}

}  // namespace
}  // namespace pawl::server
