// Serverless Workflows on a server: deployed, started, told of, beside state machines.
#include <gtest/gtest.h>

#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

constexpr const char* kHello = R"({"id":"hello","name":"Hello","version":"1","states":[
  {"name":"Say","type":"inject","start":{"kind":"default"},"data":{"greeting":"Hi"},"end":{"kind":"default"}}]})";

constexpr const char* kChild = R"({"id":"child","name":"Child","version":"1","states":[
  {"name":"Say","type":"inject","start":{"kind":"default"},"data":{"fromChild":true},"end":{"kind":"default"}}]})";

constexpr const char* kParent = R"({"id":"parent","name":"Parent","version":"1","states":[
  {"name":"Sub","type":"subflow","workflowId":"child","waitForCompletion":true,"start":{"kind":"default"},
   "end":{"kind":"default"}}]})";

constexpr const char* kClosed = R"({"id":"closed","name":"Closed","version":"1","states":[
  {"name":"Say","type":"inject","start":{"kind":"scheduled","schedule":{"interval":"2020-01-01T00:00:00Z/PT1H",
   "directInvoke":"deny"}},"data":{"x":1},"end":{"kind":"default"}}]})";

constexpr const char* kChecked = R"({"id":"checked","name":"Checked","version":"1","dataInputSchema":"person.json",
  "states":[{"name":"Say","type":"inject","start":{"kind":"default"},"data":{"x":1},"end":{"kind":"default"}}]})";

class Workflows : public ServerTest {
 protected:
  std::string output_of(const std::string& machine_arn, const std::string& input = "{}") const {
    const Answered started = start_execution(machine_arn, input);
    EXPECT_EQ(started.status, 200) << started.message();
    return wait_for_end(started.text("executionArn")).text("output");
  }
};

TEST_F(Workflows, AreDeployedStartedAndDescribedAsStateMachinesAre) {
  const std::string arn = create("hello", kHello);
  EXPECT_EQ(output_of(arn, R"({"x":1})"), R"({"x":1,"greeting":"Hi"})");
  EXPECT_EQ(call("DescribeStateMachine", "stateMachineArn", arn).text("definition"), kHello);
  EXPECT_EQ(call("ListExecutions", "stateMachineArn", arn).size_of("executions"), 1U);
  EXPECT_EQ(get("/api/definitions/hello").text("language"), "serverless");
}

TEST_F(Workflows, SurviveARestart) {
  const std::string arn = create("hello", kHello);
  restart();
  EXPECT_EQ(output_of(arn), R"({"greeting":"Hi"})");
}

TEST_F(Workflows, AreDeployedUnderTheirOwnId) {
  const Answered refused = call("CreateStateMachine", creation("other", kHello));
  EXPECT_EQ(refused.type(), "InvalidDefinition");
  EXPECT_NE(refused.message().find("'hello'"), std::string::npos);
}

TEST_F(Workflows, HaveAHistoryInTheProtocolsShape) {
  const Answered started = start_execution(create("hello", kHello));
  wait_for_end(started.text("executionArn"));
  const Answered history = call("GetExecutionHistory", "executionArn", started.text("executionArn"));
  std::string types;
  for (const Value& event : history.body.find("events")->items())
    types += std::string(event.find("type")->as_string()) + " ";
  EXPECT_EQ(types, "ExecutionStarted StateEntered StateExited ExecutionSucceeded ");
}

TEST_F(Workflows, CallOthersAsTheirSubWorkflows) {
  create("child", kChild);
  EXPECT_EQ(output_of(create("parent", kParent), R"({"x":1})"), R"({"x":1,"fromChild":true})");
}

TEST_F(Workflows, FailWhereASubWorkflowIsNotThere) {
  const Answered started = start_execution(create("parent", kParent));
  EXPECT_EQ(wait_for_end(started.text("executionArn")).text("error"), "SUBFLOW_UNKNOWN");
}

TEST_F(Workflows, ThatOnlyTheirScheduleStartsRefuseADirectStart) {
  EXPECT_EQ(start_execution(create("closed", kClosed)).type(), "StartNotAllowed");
}

TEST_F(Workflows, KeepTheFilesThatTheyReferTo) {
  json::ObjectBuilder files;
  files.set("person.json", Value::string(R"({"type":"object","required":["name"]})"));
  const Value body = json::parse(creation("checked", kChecked)).value().with_member("files", files.build());
  const std::string arn = call("CreateStateMachine", json::print(body)).text("stateMachineArn");
  restart();
  EXPECT_EQ(output_of(arn, R"({"name":"Ada"})"), R"({"name":"Ada","x":1})");
  const Answered refused = start_execution(arn, R"({"age":3})");
  EXPECT_EQ(wait_for_end(refused.text("executionArn")).text("status"), "FAILED");
}

TEST_F(Workflows, WithoutTheFilesThatTheyReferToAreRefused) {
  EXPECT_EQ(call("CreateStateMachine", creation("checked", kChecked)).type(), "InvalidDefinition");
}

}  // namespace
}  // namespace pawl::server
