// Tests of activities and of the workers that ask for them.
#include <future>

#include <gtest/gtest.h>

#include "net/http_server_test_client.h"
#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

constexpr const char* kArn = "arn:aws:states:us-east-1:000000000000:activity:pack";

class Activities : public ServerTest {
 protected:
  Activities() { EXPECT_EQ(call("CreateActivity", "name", "pack").text("activityArn"), kArn); }

  static std::string definition(const std::string& more = "") {
    return std::string(R"({"StartAt":"P","States":{"P":{"Type":"Task","Resource":")") + kArn + "\"" + more +
           R"(,"End":true}}})";
  }
  Answered poll_task(const std::string& worker = "") const {
    json::ObjectBuilder body;
    body.set("activityArn", Value::string(kArn));
    if (!worker.empty()) body.set("workerName", Value::string(worker));
    return call("GetActivityTask", json::print(body.build()));
  }
  Answered answer(const std::string& operation, const Answered& task, const std::string& more = "") const {
    return call(operation, "{\"taskToken\":\"" + task.text("taskToken") + "\"" + more + "}");
  }
  static void send_poll(const net::RawClient& worker) {
    const std::string body = std::string("{\"activityArn\":\"") + kArn + "\"}";
    worker.send("POST / HTTP/1.1\r\nHost: h\r\nX-Amz-Target: AWSStepFunctions.GetActivityTask\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n" + body);
  }
  std::vector<std::string> event_types(const std::string& execution) const {
    std::vector<std::string> types;
    const Answered history = call("GetExecutionHistory", "executionArn", execution);
    for (const Value& event : history.body.find("events")->items()) types.emplace_back(event.find("type")->as_string());
    return types;
  }
};

TEST_F(Activities, AreCreatedOncePerName) {
  const Answered first = call("CreateActivity", "name", "pack");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(call("CreateActivity", R"({"name":"pack","tags":[{"key":"a","value":"b"}]})").body, first.body);
  EXPECT_EQ(
      call("CreateActivity", R"({"name":"pack","encryptionConfiguration":{"type":"CUSTOMER_MANAGED_KMS_KEY"}})").type(),
      "ActivityAlreadyExists");
  EXPECT_EQ(call("CreateActivity", "name", "a b").message(), "Invalid Name: 'a b'");
  EXPECT_EQ(call("CreateActivity", "{}").type(), "ValidationException");
}

TEST_F(Activities, AreDescribedAndListedInPages) {
  for (const char* name : {"ship", "bill"}) call("CreateActivity", "name", name);
  const Answered described = call("DescribeActivity", "activityArn", kArn);
  EXPECT_EQ(described.text("name") + " " + described.text("activityArn"), std::string("pack ") + kArn);
  const Answered first = call("ListActivities", R"({"maxResults":2})");
  EXPECT_EQ(first.size_of("activities"), 2U);
  const Answered second = call("ListActivities", "nextToken", first.text("nextToken"));
  ASSERT_EQ(second.size_of("activities"), 1U);
  EXPECT_EQ(second.body.find("activities")->at(0).find("name")->as_string(), "ship");
  EXPECT_EQ(second.text("nextToken"), "");
  EXPECT_EQ(call("ListActivities", "nextToken", "forged").type(), "InvalidToken");
}

TEST_F(Activities, AreGoneOnceDeletedAndDeletingTwiceIsNoError) {
  EXPECT_EQ(call("DeleteActivity", "activityArn", kArn).status, 200);
  EXPECT_EQ(call("DeleteActivity", "activityArn", kArn).status, 200);
  EXPECT_EQ(call("DescribeActivity", "activityArn", kArn).message(),
            std::string("Activity Does Not Exist: '") + kArn + "'");
  EXPECT_EQ(poll_task().type(), "ActivityDoesNotExist");
  EXPECT_EQ(call("DeleteActivity", "activityArn", "pack").type(), "InvalidArn");
  restart();
  EXPECT_EQ(call("ListActivities", "{}").size_of("activities"), 0U);
}

TEST_F(Activities, HaveTagsThatOutliveARestart) {
  const std::string about = std::string("{\"resourceArn\":\"") + kArn + "\"";
  EXPECT_EQ(call("TagResource", about + R"(,"tags":[{"key":"a","value":"1"},{"key":"b","value":"2"}]})").status, 200);
  EXPECT_EQ(call("UntagResource", about + R"(,"tagKeys":["a"]})").status, 200);
  restart();
  EXPECT_EQ(json::print(call("ListTagsForResource", "resourceArn", kArn).body),
            R"({"tags":[{"key":"b","value":"2"}]})");
  EXPECT_EQ(call("ListTagsForResource", "resourceArn", std::string(kArn) + "ing").type(), "ResourceNotFound");
}

TEST_F(Activities, AreTakenByAWorkerAndAnswered) {
  const std::string execution = start_execution(create("m", definition()), R"({"n":1})").text("executionArn");
  const Answered task = poll_task("w-1");
  EXPECT_EQ(task.text("input"), R"({"n":1})");
  EXPECT_EQ(answer("SendTaskHeartbeat", task).status, 200);
  EXPECT_EQ(answer("SendTaskSuccess", task, R"(,"output":"[2]")").status, 200);
  EXPECT_EQ(wait_for_end(execution).text("output"), "[2]");
  EXPECT_EQ(answer("SendTaskSuccess", task, R"(,"output":"[2]")").type(), "TaskTimedOut");
  EXPECT_EQ(event_types(execution),
            (std::vector<std::string>{"ExecutionStarted", "TaskStateEntered", "ActivityScheduled", "ActivityStarted",
                                      "ActivitySucceeded", "TaskStateExited", "ExecutionSucceeded"}));
  const Answered history = call("GetExecutionHistory", "executionArn", execution);
  const Value& events = *history.body.find("events");
  EXPECT_EQ(json::print(*events.at(2).find("activityScheduledEventDetails")),
            std::string(R"({"resource":")") + kArn + R"(","input":"{\"n\":1}","inputDetails":{"truncated":false}})");
  EXPECT_EQ(json::print(*events.at(3).find("activityStartedEventDetails")), R"({"workerName":"w-1"})");
}

TEST_F(Activities, FailWithWhatTheWorkerSays) {
  const std::string execution = start_execution(create("m", definition())).text("executionArn");
  EXPECT_EQ(answer("SendTaskFailure", poll_task(), R"(,"error":"Torn","cause":"wet")").status, 200);
  const Answered ended = wait_for_end(execution);
  EXPECT_EQ(ended.text("status") + " " + ended.text("error") + " " + ended.text("cause"), "FAILED Torn wet");
  EXPECT_EQ(event_types(execution)[4], "ActivityFailed");
}

TEST_F(Activities, TimeOutWhereNoWorkerComesAndAreThenNotHandedOut) {
  const std::string execution =
      start_execution(create("hasty", definition(R"(,"TimeoutSeconds":1)"))).text("executionArn");
  EXPECT_EQ(wait_for_end(execution).text("error"), "States.Timeout");
  EXPECT_EQ(event_types(execution)[3], "ActivityTimedOut");
  start_execution(create("patient", definition()), R"("patient")");
  EXPECT_EQ(poll_task().text("input"), R"("patient")");
}

TEST_F(Activities, FailAnExecutionThatReachesOneThatDoesNotExist) {
  const std::string machine = create("m", definition());
  call("DeleteActivity", "activityArn", kArn);
  const Answered ended = wait_for_end(start_execution(machine).text("executionArn"));
  EXPECT_EQ(ended.text("error"), "States.Runtime");
  EXPECT_NE(ended.text("cause").find(std::string("The activity ") + kArn + " does not exist."), std::string::npos);
}

TEST_F(Activities, WaitForAWorkerOverARestart) {
  const std::string execution = start_execution(create("m", definition()), "7").text("executionArn");
  restart();
  const Answered task = poll_task();
  EXPECT_EQ(task.text("input"), "7");
  restart();
  EXPECT_EQ(answer("SendTaskSuccess", task, R"(,"output":"8")").status, 200);
  EXPECT_EQ(wait_for_end(execution).text("output"), "8");
}

// The server's one thread has seen the poll once it has answered what came after it.
TEST_F(Activities, AreNotWaitedForWhenTheServerEnds) {
  net::RawClient worker(server_->port());
  send_poll(worker);
  get("/health");
  get("/health");
  server_->stop(std::chrono::seconds(10));
  EXPECT_TRUE(worker.read_to_end().ends_with("{\"taskToken\":null}"));
}

// The first worker's poll has arrived, and so has its end, once the server's one thread has answered what came after.
TEST_F(Activities, AreNotHandedToAWorkerThatWentAway) {
  {
    send_poll(net::RawClient(server_->port()));
  }
  for (int i = 0; i < 4; ++i) get("/health");
  const std::string execution = start_execution(create("m", definition()), "5").text("executionArn");
  EXPECT_EQ(poll_task().text("input"), "5");
  EXPECT_EQ(call("DescribeExecution", "executionArn", execution).text("status"), "RUNNING");
}

TEST_F(Activities, AreNotWaitedForOnceDeleted) {
  auto waiting = std::async(std::launch::async, [&] { return poll_task(); });
  while (waiting.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    call("DeleteActivity", "activityArn", kArn);
    call("CreateActivity", "name", "pack");
  }
  EXPECT_EQ(waiting.get().text("taskToken"), "");
}

}  // namespace
}  // namespace pawl::server
