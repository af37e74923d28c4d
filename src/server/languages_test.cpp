// One engine for every language: definitions of one start those of another, and wake each other by events.
#include <gtest/gtest.h>

#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

constexpr const char* kMachine = R"({"id":"machine","name":"Machine","version":"1","states":[
  {"name":"Double","start":true,"enterAction":{"type":"injectData","expression":"${ .n * 2 }"},
   "enterResultHandler":"${ .doubled = $value }"}]})";

constexpr const char* kWorkflow = R"({"id":"workflow","name":"Workflow","version":"1","states":[
  {"name":"Greet","type":"inject","start":{"kind":"default"},"data":{"greeting":"Hi"},"end":{"kind":"default"}}]})";

constexpr const char* kAsl = R"({"StartAt":"Pay","States":{
  "Pay":{"Type":"Pass","Result":{"receipt":7},"ResultPath":"$.paid","End":true}}})";

constexpr const char* kFailing =
    R"({"StartAt":"No","States":{"No":{"Type":"Fail","Error":"Shop.Closed","Cause":"It is late."}}})";

// A Task that starts the definition of this name and gives what `select` finds in the answer.
std::string asl_starting(const std::string& name, const std::string& suffix) {
  return R"({"StartAt":"Call","States":{"Call":{"Type":"Task",
    "Resource":"arn:aws:states:::states:startExecution)" +
         suffix + R"(","Parameters":{"StateMachineArn":"arn:aws:states:us-east-1:000000000000:stateMachine:)" + name +
         R"(","Input.$":"$"},"OutputPath":"$.Output","End":true}}})";
}

std::string workflow_starting(const std::string& name) {
  return R"({"id":"outer","name":"Outer","version":"1","states":[{"name":"Sub","type":"subflow","workflowId":")" +
         name + R"(","waitForCompletion":true,"start":{"kind":"default"},"end":{"kind":"default"}}]})";
}

std::string machine_starting(const std::string& name) {
  return R"({"id":"outer","name":"Outer","version":"1","states":[{"name":"Call","start":true,
    "enterAction":{"type":"invokeSubflow","subflowName":")" +
         name + R"(","waitForCompletion":true},"enterResultHandler":"${ .result = $value }"}]})";
}

class Languages : public ServerTest {
 protected:
  Languages() {
    create("machine", kMachine);
    create("workflow", kWorkflow);
    create("asl", kAsl);
    create("failing", kFailing);
  }

  Answered end_of(const std::string& name, const std::string& definition, const std::string& input) const {
    const Answered started = start_execution(create(name, definition), input);
    EXPECT_EQ(started.status, 200) << started.message();
    return wait_for_end(started.text("executionArn"));
  }
  std::string output_of(const std::string& name, const std::string& definition, const std::string& input) const {
    const Answered end = end_of(name, definition, input);
    return end.text("status") == "SUCCEEDED" ? end.text("output") : end.text("error") + " " + end.text("cause");
  }
};

TEST_F(Languages, ATaskWaitsForAStateMachineOfSm4c) {
  EXPECT_EQ(output_of("outer", asl_starting("machine", ".sync:2"), R"({"n":4})"), R"({"n":4,"doubled":8})");
  EXPECT_EQ(output_of("other", asl_starting("machine", ".sync"), R"({"n":4})"), R"("{\"n\":4,\"doubled\":8}")");
}

TEST_F(Languages, ATaskWaitsForAServerlessWorkflow) {
  EXPECT_EQ(output_of("outer", asl_starting("workflow", ".sync:2"), R"({"n":4})"), R"({"n":4,"greeting":"Hi"})");
  EXPECT_EQ(output_of("other", asl_starting("workflow", ".sync"), R"({"n":4})"), R"("{\"n\":4,\"greeting\":\"Hi\"}")");
}

TEST_F(Languages, ASubWorkflowIsADefinitionOfAnyLanguage) {
  EXPECT_EQ(output_of("outer", workflow_starting("machine"), R"({"n":4})"), R"({"n":4,"doubled":8})");
}

TEST_F(Languages, ASubWorkflowIsAStateMachineOfTheStatesLanguage) {
  EXPECT_EQ(output_of("outer", workflow_starting("asl"), R"({"n":4})"), R"({"n":4,"paid":{"receipt":7}})");
}

TEST_F(Languages, ASubflowIsAServerlessWorkflow) {
  EXPECT_EQ(output_of("outer", machine_starting("workflow"), R"({"n":4})"),
            R"({"n":4,"result":{"n":4,"greeting":"Hi"}})");
}

TEST_F(Languages, ASubflowIsAStateMachineOfTheStatesLanguage) {
  EXPECT_EQ(output_of("outer", machine_starting("asl"), R"({"n":4})"),
            R"({"n":4,"result":{"n":4,"paid":{"receipt":7}}})");
}

TEST_F(Languages, AFailureCrossesTheBorderWithItsNameAndCause) {
  EXPECT_EQ(output_of("outer", machine_starting("failing"), "{}"), "Shop.Closed It is late.");
}

TEST_F(Languages, AFailureOfASubWorkflowIsThatOfTheWorkflow) {
  EXPECT_EQ(output_of("outer", workflow_starting("failing"), "{}"), "Shop.Closed It is late.");
}

// --- events

constexpr const char* kWaitingMachine = R"({"id":"waits","name":"Waits","version":"1",
  "events":[{"name":"parcel","type":"parcel.sent","correlation":[{"contextAttributeName":"order","contextAttributeValue":"${ .order }"}]}],
  "states":[
    {"name":"Wait","start":true,"transitions":[{"nextState":"Done","eventGroups":[
      {"events":["parcel"],"resultHandler":"${ .parcel = $value.data }"}]}]},
    {"name":"Done"}]})";

constexpr const char* kSendingWorkflow = R"({"id":"sends","name":"Sends","version":"1",
  "events":[{"name":"Sent","source":"depot","type":"parcel.sent","kind":"produced"}],
  "states":[{"name":"Pack","type":"inject","start":{"kind":"default"},"data":{"weight":3},"end":{"kind":"event",
    "produceEvent":{"eventRef":"Sent","data":"{{ $.weight }}","contextAttributes":{"order":"{{ $.order }}"}}}}]})";

constexpr const char* kWaitingWorkflow = R"({"id":"waits","name":"Waits","version":"1",
  "events":[{"name":"Paid","source":"bank","type":"order.paid","kind":"consumed",
    "correlation":[{"contextAttributeName":"order","contextAttributeValue":"{{ $.order }}"}]}],
  "states":[
    {"name":"Begin","type":"inject","start":{"kind":"default"},"data":{},"transition":{"nextState":"Wait"}},
    {"name":"Wait","type":"event","exclusive":true,"eventsActions":[{"eventRefs":["Paid"],"actions":[]}],
     "end":{"kind":"default"}}]})";

constexpr const char* kSendingMachine = R"({"id":"sends","name":"Sends","version":"1",
  "events":[{"name":"paid","source":"bank","type":"order.paid"}],
  "states":[{"name":"Tell","start":true,"enterAction":{"type":"sendEvent","event":"paid","expression":"${ {amount: .n} }",
    "contextAttributes":{"order":"${ .order }"}}}]})";

TEST_F(Languages, AProducedEventOfAWorkflowWakesAStateMachineOfSm4c) {
  const Answered waiting = start_execution(create("waits", kWaitingMachine), R"({"order":"o1"})");
  const Answered other = start_execution(create("waits", kWaitingMachine), R"({"order":"o2"})");
  end_of("sends", kSendingWorkflow, R"({"order":"o1"})");
  EXPECT_EQ(wait_for_end(waiting.text("executionArn")).text("output"), R"({"order":"o1","parcel":3})");
  EXPECT_EQ(call("DescribeExecution", "executionArn", other.text("executionArn")).text("status"), "RUNNING");
}

TEST_F(Languages, ASentEventOfAStateMachineOfSm4cWakesAWorkflow) {
  const Answered waiting = start_execution(create("waits", kWaitingWorkflow), R"({"order":"o1"})");
  end_of("sends", kSendingMachine, R"({"order":"o1","n":5})");
  EXPECT_EQ(wait_for_end(waiting.text("executionArn")).text("output"), R"({"order":"o1","amount":5})");
}

}  // namespace
}  // namespace pawl::server
