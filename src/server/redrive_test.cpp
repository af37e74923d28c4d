// Tests of RedriveExecution, over HTTP, and of the versions and aliases that executions were started by.
#include <atomic>

#include <gtest/gtest.h>

#include "net/http_test_server.h"
#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

constexpr const char* kFail = R"({"StartAt":"F","States":{"F":{"Type":"Fail","Error":"Bad","Cause":"so"}}})";

class Redrive : public ServerTest {
 protected:
  Answered redrive(const std::string& arn, const std::string& token = "") const {
    json::ObjectBuilder body;
    body.set("executionArn", Value::string(arn));
    if (!token.empty()) body.set("clientToken", Value::string(token));
    return call("RedriveExecution", json::print(body.build()));
  }
  Answered describe(const std::string& arn) const { return call("DescribeExecution", "executionArn", arn); }
  std::string start_failed(const std::string& machine) const {
    const std::string arn = start_execution(machine).text("executionArn");
    EXPECT_EQ(wait_for_end(arn).text("status"), "FAILED");
    return arn;
  }
  std::string start_stopped(const std::string& machine) const {
    const std::string arn = start_execution(machine).text("executionArn");
    EXPECT_EQ(call("StopExecution", "executionArn", arn).status, 200);
    return arn;
  }
};

int64_t count_of(const Answered& described) { return described.body.find("redriveCount")->as_integer().value_or(-1); }

TEST_F(Redrive, LetsAFailedTaskRunAgainAndKeepsWhatSucceeded) {
  std::atomic<int> calls = 0;
  net::HttpTestServer worker([&](const net::ReceivedRequest& request) {
    const bool is_broken = ++calls == 1;
    return net::HttpTestServer::json_answer(is_broken ? 500 : 200, is_broken ? "{}" : request.body);
  });
  const std::string machine =
      create("m", R"({"StartAt":"A","States":{"A":{"Type":"Pass","Result":7,"ResultPath":"$.a","Next":"T"},"T":{
                     "Type":"Task","Resource":")" +
                      worker.url() + R"(","End":true}}})");
  const std::string arn = start_failed(machine);
  const Answered failed = describe(arn);
  EXPECT_EQ(failed.text("redriveStatus"), "REDRIVABLE");
  EXPECT_EQ(failed.body.find("redriveStatusReason"), nullptr);
  EXPECT_EQ(failed.body.find("redriveDate"), nullptr);
  const Answered redriven = redrive(arn);
  ASSERT_EQ(redriven.status, 200) << redriven.message();
  const Answered ended = wait_for_end(arn);
  EXPECT_EQ(ended.text("status"), "SUCCEEDED");
  EXPECT_EQ(ended.text("output"), R"({"a":7})");
  EXPECT_EQ(ended.body.find("error"), nullptr);
  EXPECT_EQ(count_of(ended), 1);
  EXPECT_TRUE(*ended.body.find("redriveDate") == *redriven.body.find("redriveDate"));
  EXPECT_EQ(ended.text("redriveStatusReason"), "Execution is SUCCEEDED and cannot be redriven");
  EXPECT_EQ(calls, 2);
}

TEST_F(Redrive, ShowsInTheHistory) {
  const std::string arn = start_failed(create("m", kFail));
  ASSERT_EQ(redrive(arn).status, 200);
  wait_for_end(arn);
  const Answered history = call("GetExecutionHistory", "executionArn", arn);
  ASSERT_EQ(history.size_of("events"), 5u);
  const Value event = history.body.find("events")->at(3);
  EXPECT_EQ(json::print(event.without_member("timestamp")), R"({"type":"ExecutionRedriven","id":4,"previousEventId":3,)"
                                                            R"("executionRedrivenEventDetails":{"redriveCount":1}})");
}

TEST_F(Redrive, OpensTheExecutionAgainForEveryoneWhoAsks) {
  const std::string machine = create("m", kWaitLong);
  const std::string arn = start_stopped(machine);
  ASSERT_EQ(redrive(arn).status, 200);
  restart();
  const Answered running = describe(arn);
  EXPECT_EQ(running.text("status"), "RUNNING");
  EXPECT_EQ(running.body.find("stopDate"), nullptr);
  EXPECT_EQ(running.text("redriveStatus"), "NOT_REDRIVABLE");
  EXPECT_EQ(running.text("redriveStatusReason"), "Execution is RUNNING and cannot be redriven");
  const Answered listed =
      call("ListExecutions", R"({"stateMachineArn":")" + machine + R"(","statusFilter":"RUNNING"})");
  ASSERT_EQ(listed.size_of("executions"), 1u);
  const Value item = listed.body.find("executions")->at(0);
  EXPECT_EQ(item.find("redriveCount")->as_integer(), 1);
  EXPECT_TRUE(item.find("redriveDate")->is_number());
  EXPECT_EQ(item.find("stopDate"), nullptr);
}

TEST_F(Redrive, IsRefusedInAwsWords) {
  const std::string machine = create("m", kWaitLong);
  const std::string running = start_execution(machine).text("executionArn");
  const Answered refused = redrive(running);
  EXPECT_EQ(refused.type(), "ExecutionNotRedrivable");
  EXPECT_EQ(refused.message(),
            "Execution " + running + " invalid for redrive as: Execution is RUNNING and cannot be redriven");
  const std::string missing = "arn:aws:states:us-east-1:000000000000:execution:m:none";
  EXPECT_EQ(redrive(missing).message(), "Execution Does Not Exist: '" + missing + "'");
  EXPECT_EQ(redrive("arn:aws:states:us-east-1:000000000000:express:m:a:b").message(),
            "Invalid Arn: 'Resource type not valid in this context: express'");
  EXPECT_EQ(redrive(running, std::string(65, 'a')).type(), "ValidationException");
  EXPECT_EQ(call("RedriveExecution", "{}").type(), "ValidationException");
}

TEST_F(Redrive, IsRefusedOnceTheMachineIsDeleted) {
  const std::string machine = create("m", kFail);
  const std::string arn = start_failed(machine);
  ASSERT_EQ(call("DeleteStateMachine", "stateMachineArn", machine).status, 200);
  EXPECT_EQ(redrive(arn).message(),
            "Execution " + arn + " invalid for redrive as: State machine is in DELETING status");
  EXPECT_EQ(describe(arn).text("redriveStatusReason"), "State machine is in DELETING status");
}

TEST_F(Redrive, WithTheSameTokenIsTheSameRedriveOverARestartToo) {
  const std::string arn = start_failed(create("m", kFail));
  const Answered first = redrive(arn, "one");
  ASSERT_EQ(first.status, 200) << first.message();
  wait_for_end(arn);
  restart();
  EXPECT_EQ(json::print(redrive(arn, "one").body), json::print(first.body));
  EXPECT_EQ(count_of(describe(arn)), 1);
  EXPECT_EQ(redrive(arn, "two").status, 200);
  EXPECT_EQ(count_of(wait_for_end(arn)), 2);
}

TEST_F(Redrive, IsWhatAListCanBeFilteredBy) {
  const std::string machine = create("m", kFail);
  const std::string once = start_failed(machine);
  const std::string never = start_failed(machine);
  ASSERT_EQ(redrive(once).status, 200);
  wait_for_end(once);
  for (const auto& [filter, wanted] : {std::pair("REDRIVEN", once), std::pair("NOT_REDRIVEN", never)}) {
    const Answered listed =
        call("ListExecutions", R"({"stateMachineArn":")" + machine + R"(","redriveFilter":")" + filter + "\"}");
    ASSERT_EQ(listed.size_of("executions"), 1u) << filter;
    EXPECT_EQ(listed.body.find("executions")->at(0).find("executionArn")->as_string(), wanted);
  }
}

TEST_F(Redrive, UsesTheDefinitionOfTheStart) {
  const std::string machine = create("m", kFail);
  const std::string arn = start_failed(machine);
  json::ObjectBuilder update;
  update.set("stateMachineArn", Value::string(machine));
  update.set("definition", Value::string(kPass));
  ASSERT_EQ(call("UpdateStateMachine", json::print(update.build())).status, 200);
  ASSERT_EQ(redrive(arn).status, 200);
  EXPECT_EQ(wait_for_end(arn).text("status"), "FAILED");
}

// --- versions and aliases

class Qualifiers : public ServerTest {
 protected:
  Qualifiers() {
    machine_ = create("m", kPass);
    version_ = call("PublishStateMachineVersion", "stateMachineArn", machine_).text("stateMachineVersionArn");
    alias_ = call("CreateStateMachineAlias", R"({"name":"prod","routingConfiguration":[{"stateMachineVersionArn":")" +
                                                 version_ + R"(","weight":100}]})")
                 .text("stateMachineAliasArn");
    for (const std::string& arn : {machine_, version_, alias_})
      started_.push_back(start_execution(arn).text("executionArn"));
  }
  std::vector<std::string> listed(const std::string& arn) const {
    std::vector<std::string> arns;
    const Answered answered = call("ListExecutions", "stateMachineArn", arn);
    for (const Value& item : answered.body.find("executions")->items())
      arns.emplace_back(item.find("executionArn")->as_string());
    return arns;
  }

  std::string machine_;
  std::string version_;
  std::string alias_;
  std::vector<std::string> started_;  // by the machine, the version, the alias
};

TEST_F(Qualifiers, OfAStartAreToldByItsExecution) {
  restart();
  const Answered plain = call("DescribeExecution", "executionArn", started_[0]);
  EXPECT_EQ(plain.text("stateMachineVersionArn") + plain.text("stateMachineAliasArn"), "");
  const Answered by_version = call("DescribeExecution", "executionArn", started_[1]);
  EXPECT_EQ(by_version.text("stateMachineVersionArn"), version_);
  EXPECT_EQ(by_version.text("stateMachineAliasArn"), "");
  EXPECT_EQ(by_version.text("stateMachineArn"), machine_);
  const Answered by_alias = call("DescribeExecution", "executionArn", started_[2]);
  EXPECT_EQ(by_alias.text("stateMachineVersionArn"), version_);
  EXPECT_EQ(by_alias.text("stateMachineAliasArn"), alias_);
  const Answered history = call("GetExecutionHistory", "executionArn", started_[2]);
  const Value* details = history.body.find("events")->at(0).find("executionStartedEventDetails");
  EXPECT_EQ(details->find("stateMachineAliasArn")->as_string(), alias_);
  EXPECT_EQ(details->find("stateMachineVersionArn")->as_string(), version_);
}

TEST_F(Qualifiers, LimitAListToWhatWasStartedByThem) {
  EXPECT_EQ(listed(machine_).size(), 3u);
  EXPECT_EQ(listed(version_), (std::vector<std::string>{started_[2], started_[1]}));
  EXPECT_EQ(listed(alias_), (std::vector<std::string>{started_[2]}));
}

}  // namespace
}  // namespace pawl::server
