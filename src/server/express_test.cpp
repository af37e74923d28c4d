// Tests of EXPRESS machines: the recordings of StartSyncExecution, and what else they do.
#include <fstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "net/http_test_server.h"
#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

class Express : public ServerTest {
 protected:
  std::string create_express(const std::string& name, const std::string& definition) const {
    const std::string body = creation(name, definition);
    const Answered created = call("CreateStateMachine", body.substr(0, body.size() - 1) + R"(,"type":"EXPRESS"})");
    EXPECT_EQ(created.status, 200) << created.message();
    return created.text("stateMachineArn");
  }
  Answered run(const std::string& machine_arn, const std::string& input) const {
    json::ObjectBuilder body;
    body.set("stateMachineArn", Value::string(machine_arn));
    body.set("input", Value::string(input));
    return call("StartSyncExecution", json::print(body.build()));
  }
};

TEST_F(Express, MachinesRunWhileTheirCallerWaits) {
  const std::string machine = create_express(
      "m", R"({"StartAt":"A","States":{"A":{"Type":"Pass","Parameters":{"id.$":"$$.Execution.Id"},"End":true}}})");
  EXPECT_EQ(call("DescribeStateMachine", "stateMachineArn", machine).text("type"), "EXPRESS");
  const Answered ended = run(machine, R"({"k": 1})");
  ASSERT_EQ(ended.status, 200) << ended.message();
  EXPECT_EQ(ended.text("status"), "SUCCEEDED");
  EXPECT_EQ(ended.text("input"), R"({"k": 1})");
  EXPECT_EQ(ended.text("output"), "{\"id\":\"" + ended.text("executionArn") + "\"}");
  EXPECT_TRUE(ended.text("executionArn").starts_with("arn:aws:states:us-east-1:000000000000:express:m:"));
  EXPECT_TRUE(ended.body.find("billingDetails")->find("billedDurationInMilliseconds")->is_number());
}

TEST_F(Express, FailuresTellWhy) {
  const Answered ended =
      run(create_express("m", R"({"StartAt":"F","States":{"F":{"Type":"Fail","Error":"Bad","Cause":"so"}}})"), "{}");
  EXPECT_EQ(ended.text("status") + " " + ended.text("error") + " " + ended.text("cause"), "FAILED Bad so");
  EXPECT_EQ(ended.body.find("output"), nullptr);
}

TEST_F(Express, RunsDoNotMixUpTheirTasks) {
  net::HttpTestServer worker(
      [](const net::ReceivedRequest& request) { return net::HttpTestServer::json_answer(200, request.body); });
  const std::string machine = create_express(
      "m", R"({"StartAt":"T","States":{"T":{"Type":"Task","Resource":")" + worker.url() + R"(","End":true}}})");
  std::vector<std::thread> callers;
  for (int i = 0; i < 20; ++i)
    callers.emplace_back([&, i] { EXPECT_EQ(run(machine, std::to_string(i)).text("output"), std::to_string(i)); });
  for (std::thread& caller : callers) caller.join();
}

TEST_F(Express, MachinesAlsoRunUnwatched) {
  const std::string machine = create_express("m", kPass);
  const std::string first = start_execution(machine, "{}", "one").text("executionArn");
  const std::string second = start_execution(machine, "{}", "one").text("executionArn");
  EXPECT_TRUE(first.starts_with("arn:aws:states:us-east-1:000000000000:express:m:one:")) << first;
  EXPECT_NE(first, second) << "a name is no bar to another execution";
}

TEST_F(Express, MachinesRefuseWhatTheyCannotDo) {
  const std::string machine = create_express("m", kPass);
  EXPECT_EQ(call("ListExecutions", "stateMachineArn", machine).type(), "StateMachineTypeNotSupported");
  EXPECT_EQ(run(machine, "{").type(), "InvalidExecutionInput");
  EXPECT_EQ(run(create("standard", kPass), "{}").type(), "StateMachineTypeNotSupported");
}

// A Lambda function that ends as a recording tells: with the error that was caught, or the result that was kept.
std::string recorded_answer(const Value& response) {
  const Value* output = response.find("output");
  const Value* error = output == nullptr ? nullptr : output->find("Error");
  if (error == nullptr) return net::HttpTestServer::json_answer(200, json::print(*output->find("final")));
  json::ObjectBuilder failure;
  failure.set("errorType", *error);
  failure.set("errorMessage", *output->find("Cause"));
  return net::HttpTestServer::json_answer(500, json::print(failure.build()));
}

// The recordings of real AWS but for one whose retries take seconds, which tests/conformance runs in virtual time.
TEST_F(Express, RunsEndAsRecorded) {
  std::ifstream file(PAWL_SOURCE_DIR "/../shared/corpus/asl/express.jsonl");
  if (!file) GTEST_SKIP() << "the recordings are not here";
  Value expected;
  net::HttpTestServer worker([&](const net::ReceivedRequest&) { return recorded_answer(expected); });
  connect::TaskTarget lambda;
  lambda.pattern = "arn:aws:states:::lambda:invoke";
  lambda.url = connect::Secretive{worker.url(), worker.url()};
  tasks_.push_back(std::move(lambda));
  restart();
  int compared = 0;
  for (std::string line; std::getline(file, line);) {
    const Value recorded = json::parse(line).value();
    const std::string text = json::print(*recorded.find("definition"));
    if (text.find("\"Retry\"") != std::string::npos) continue;
    expected = *recorded.find("response");
    const std::string machine = create_express("recorded" + std::to_string(++compared), text);
    const Answered ended = run(machine, std::string(recorded.find("input_text")->as_string()));
    EXPECT_EQ(Value::string(ended.text("status")), *expected.find("status")) << text;
    for (const char* name : {"error", "cause"}) {
      const Value* wanted = expected.find(name);
      EXPECT_EQ(ended.text(name), wanted == nullptr ? "" : std::string(wanted->as_string())) << text;
    }
    const Value* output = expected.find("output");
    if (output == nullptr || text.find("$$") != std::string::npos) continue;  // $$ tells of the recording's own place
    EXPECT_EQ(json::parse(ended.text("output")).value(), *output) << text;
  }
  EXPECT_EQ(compared, 6);
}

}  // namespace
}  // namespace pawl::server
