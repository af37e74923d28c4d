// State machines of SM4C on a server: deployed, started, woken, told of, redriven, beside those of other languages.
#include <gtest/gtest.h>

#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

constexpr const char* kHello = R"({"id":"hello","name":"Hello","version":"1","states":[
  {"name":"Say","start":true,"enterAction":{"type":"injectData","expression":"${ \"Hi\" }"},
   "enterResultHandler":"${ .greeting = $value }"}]})";

// Its first state takes an hour; the event comes before.
constexpr const char* kBusy = R"({"id":"busy","name":"Busy","version":"1",
  "events":[{"name":"told","type":"news.told","source":"desk"}],
  "states":[
    {"name":"Work","start":true,"enterAction":{"type":"delay","timeout":"01:00:00"},"transitions":[
      {"nextState":"Done","eventGroups":[{"events":["told"],"resultHandler":"${ .news = $value.data }"}]}]},
    {"name":"Done"}]})";

constexpr const char* kCalls = R"({"id":"calls","name":"Calls","version":"1",
  "functions":[{"name":"pay","operation":"http://127.0.0.1:1/pay"}],
  "states":[
    {"name":"Begin","start":true,"enterAction":{"type":"injectData","expression":"${ 1 }"},
     "enterResultHandler":"${ .begun = $value }","transitions":[{"nextState":"Pay"}]},
    {"name":"Pay","enterAction":{"type":"invokeFunction","functionName":"pay"},"enterResultHandler":"${ .paid = $value }",
     "exitAction":{"type":"injectData","expression":"${ 2 }"},"exitResultHandler":"${ .left = $value }"}]})";

class StateMachines : public ServerTest {
 protected:
  Answered start(const std::string& arn, const std::string& input = "{}") const {
    const Answered started = start_execution(arn, input);
    EXPECT_EQ(started.status, 200) << started.message();
    return started;
  }
  std::string output_of(const std::string& arn, const std::string& input = "{}") const {
    return wait_for_end(start(arn, input).text("executionArn")).text("output");
  }
  std::string create_with(const std::string& name, const std::string& definition, const std::string& option) const {
    json::ArrayBuilder options(1);
    options.push(Value::string(option));
    const Value body = json::parse(creation(name, definition)).value().with_member("options", options.build());
    const Answered created = call("CreateStateMachine", json::print(body));
    return created.status == 200 ? created.text("stateMachineArn") : created.type() + " " + created.message();
  }
  int publish(const std::string& event) const {
    net::HttpRequest request;
    request.url = server_->url() + "/events";
    request.headers = {{"Content-Type", "application/cloudevents+json"}};
    request.body = event;
    const auto response = net::send(request);
    return response ? response->status : 0;
  }
  std::string types_of(const std::string& execution) const {
    const Answered history = call("GetExecutionHistory", "executionArn", execution);
    std::string types;
    for (const Value& event : history.body.find("events")->items())
      types += std::string(event.find("type")->as_string()) + " ";
    return types;
  }
};

TEST_F(StateMachines, AreDeployedStartedListedAndDescribed) {
  const std::string arn = create("hello", kHello);
  EXPECT_EQ(output_of(arn, R"({"x":1})"), R"({"x":1,"greeting":"Hi"})");
  EXPECT_EQ(call("DescribeStateMachine", "stateMachineArn", arn).text("definition"), kHello);
  EXPECT_EQ(call("ListExecutions", "stateMachineArn", arn).size_of("executions"), 1U);
  EXPECT_EQ(call("ListStateMachines", "{}").size_of("stateMachines"), 1U);
  EXPECT_EQ(get("/api/definitions/hello").text("language"), "sm4c");
}

TEST_F(StateMachines, HaveAHistoryInTheProtocolsShape) {
  const std::string execution = start(create("hello", kHello)).text("executionArn");
  wait_for_end(execution);
  EXPECT_EQ(types_of(execution),
            "ExecutionStarted StateEntered JoinStarted ScopeOpened StateEntered StateExited ScopeClosed JoinSucceeded "
            "StateExited ExecutionSucceeded ");
}

TEST_F(StateMachines, ThatAreWrongAreRefusedWithWhatLintFinds) {
  const Answered refused = call("CreateStateMachine", creation("hello", R"({"id":"hello","name":"Hello","version":"1",
    "states":[{"name":"Say","enterAction":{"type":"injectData","expression":"${ 1 }"}}]})"));
  EXPECT_EQ(refused.type(), "InvalidDefinition");
  EXPECT_NE(refused.message().find("SM4C_NO_START"), std::string::npos) << refused.message();
}

// The wait that follows a long action sees what came during it, also where the server was restarted in between.
TEST_F(StateMachines, HaveAMailboxThatIsOpenFromTheStart) {
  virtual_now_ = Timestamp(std::chrono::seconds(1'000'000));
  restart();
  const std::string patient = R"({"id":"busy","name":"Busy","version":"1",
    "events":[{"name":"told","type":"news.told","source":"desk"},{"name":"go","type":"go","source":"desk"}],
    "states":[
      {"name":"Work","start":true,"transitions":[{"nextState":"Wait","eventGroups":[{"events":["go"]}]}]},
      {"name":"Wait","enterAction":{"type":"delay","timeout":"01:00:00"},"transitions":[
        {"nextState":"Done","eventGroups":[{"events":["told"],"resultHandler":"${ .news = $value.data }"}]}]},
      {"name":"Done"}]})";
  const std::string execution = start(create("busy", patient)).text("executionArn");
  EXPECT_EQ(publish(R"({"specversion":"1.0","id":"1","source":"desk","type":"news.told","data":"early"})"), 202);
  restart();
  EXPECT_EQ(publish(R"({"specversion":"1.0","id":"2","source":"desk","type":"go"})"), 202);
  EXPECT_EQ(wait_for_end(execution).text("output"), R"({"news":"early"})");
}

TEST_F(StateMachines, TakeAnEventInWhileAnActionRuns) {
  const std::string execution = start(create("busy", kBusy)).text("executionArn");
  EXPECT_EQ(publish(R"({"specversion":"1.0","id":"1","source":"desk","type":"news.told","data":7})"), 202);
  poll("GetExecutionHistory", "executionArn", execution,
       [&](const Answered& history) { return json::print(history.body).contains("EventReceived"); });
  EXPECT_EQ(call("DescribeExecution", "executionArn", execution).text("status"), "RUNNING");
}

TEST_F(StateMachines, GoOnWhereTheyFailedWhenTheyAreRedriven) {
  const std::string execution = start(create_with("calls", kCalls, "sm4c.wait=always")).text("executionArn");
  EXPECT_EQ(wait_for_end(execution).text("status"), "FAILED");
  const Answered redriven = call("RedriveExecution", "executionArn", execution);
  EXPECT_EQ(redriven.status, 200) << redriven.message();
  poll("DescribeExecution", "executionArn", execution, [](const Answered& described) {
    const Value* count = described.body.find("redriveCount");
    return described.text("status") == "FAILED" && count != nullptr && count->as_integer() == 1;
  });
  const std::string types = types_of(execution);
  EXPECT_NE(types.find("ExecutionRedriven"), std::string::npos) << types;
}

// --- options

TEST_F(StateMachines, AreRunWithTheOptionsThatTheyWereDeployedWith) {
  const std::string leaves = R"({"id":"leaves","name":"Leaves","version":"1","states":[
    {"name":"Stay","start":true,"exitAction":{"type":"injectData","expression":"${ 2 }"},
     "exitResultHandler":"${ .left = $value }"}]})";
  EXPECT_EQ(output_of(create("leaves", leaves)), "{}");
  call("DeleteStateMachine", "stateMachineArn", "arn:aws:states:us-east-1:000000000000:stateMachine:leaves");
  const std::string arn = create_with("leaves", leaves, "sm4c.exit_on_end=true");
  EXPECT_EQ(output_of(arn), R"({"left":2})");
  restart();
  EXPECT_EQ(output_of(arn), R"({"left":2})");
}

TEST_F(StateMachines, WithAnUnknownOptionAreRefused) {
  const std::string refused = create_with("hello", kHello, "sm4c.wait=sometimes");
  EXPECT_NE(refused.find("InvalidDefinition"), std::string::npos) << refused;
  EXPECT_NE(refused.find("OPTION_INVALID"), std::string::npos) << refused;
}

}  // namespace
}  // namespace pawl::server
