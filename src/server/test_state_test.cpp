// Tests of TestState through the protocol: what it calls, what it tells at each level, and what it refuses.
#include <gtest/gtest.h>

#include "net/http_test_server.h"
#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

constexpr const char* kRole = "arn:aws:iam::000000000000:role/test";
constexpr const char* kLambda = "arn:aws:lambda:us-east-1:000000000000:function:f";

class TestState : public ServerTest {
 protected:
  // The request of a test, to which a test adds what it is about.
  class Asked {
   public:
    explicit Asked(const std::string& definition) { set("definition", definition); }
    Asked& set(std::string_view name, const std::string& text) { return put(name, Value::string(text)); }
    Asked& put(std::string_view name, Value value) {
      body_.set(name, std::move(value));
      return *this;
    }
    Asked& json(std::string_view name, const std::string& text) { return put(name, json::parse(text).value()); }
    std::string build() { return json::print(body_.build()); }

   private:
    json::ObjectBuilder body_;
  };

  Answered test(Asked& asked) const { return call("TestState", asked.build()); }

  static std::string task(const std::string& resource, const std::string& more = "") {
    return R"({"Type":"Task","Resource":")" + resource + "\"," + more + R"("End":true})";
  }
  static Value inspected(const Answered& answered) {
    const Value* data = answered.body.find("inspectionData");
    return data == nullptr ? Value() : *data;
  }
  static std::string seen(const Answered& answered, std::string_view name) {
    const Value data = inspected(answered);
    const Value* found = data.find(name);
    if (found == nullptr) return "";
    return found->is_string() ? std::string(found->as_string()) : json::print(*found);
  }
};

TEST_F(TestState, TellsOutputAndNextStateOfAStateByItself) {
  Asked asked(R"({"Type":"Pass","Parameters":{"n.$":"$.n"},"ResultPath":"$.r","Next":"There"})");
  const Answered answered = test(asked.set("input", R"({"n": 1})"));
  ASSERT_EQ(answered.status, 200) << answered.message();
  EXPECT_EQ(answered.text("status"), "SUCCEEDED");
  EXPECT_EQ(answered.text("output"), R"({"n":1,"r":{"n":1}})");
  EXPECT_EQ(answered.text("nextState"), "There");
  EXPECT_EQ(answered.body.find("inspectionData"), nullptr) << "INFO tells no more";
}

TEST_F(TestState, GivesAMissingInputAsAnEmptyObject) {
  Asked asked(R"({"Type":"Succeed"})");
  EXPECT_EQ(test(asked).text("output"), "{}");
}

TEST_F(TestState, CallsTheResourceOfATaskWithoutAMock) {
  net::HttpTestServer worker([](const net::ReceivedRequest& request) {
    return net::HttpTestServer::json_answer(200, R"({"got":)" + request.body + "}");
  });
  Asked asked(task(worker.url(), R"("ResultSelector":{"s.$":"$.got"},"ResultPath":"$.r",)"));
  asked.set("input", R"({"k":1})").set("roleArn", kRole).set("inspectionLevel", "DEBUG");
  const Answered answered = test(asked);
  EXPECT_EQ(answered.text("output"), R"({"k":1,"r":{"s":{"k":1}}})") << answered.message();
  EXPECT_EQ(seen(answered, "input"), R"({"k":1})");
  EXPECT_EQ(seen(answered, "afterParameters"), R"({"k":1})");
  EXPECT_EQ(seen(answered, "result"), R"({"got":{"k":1}})");
  EXPECT_EQ(seen(answered, "afterResultSelector"), R"({"s":{"k":1}})");
  EXPECT_EQ(seen(answered, "afterResultPath"), R"({"k":1,"r":{"s":{"k":1}}})");
}

TEST_F(TestState, TellsOfARetryAndDoesNotMakeIt) {
  int calls = 0;
  net::HttpTestServer worker([&](const net::ReceivedRequest&) {
    ++calls;
    return net::HttpTestServer::json_answer(500, "{}");
  });
  Asked asked(
      task(worker.url(), R"("Retry":[{"ErrorEquals":["No"]},{"ErrorEquals":["States.ALL"],"IntervalSeconds":5}],)"));
  const Answered answered = test(asked.set("roleArn", kRole).set("inspectionLevel", "DEBUG"));
  EXPECT_EQ(answered.text("status"), "RETRIABLE") << answered.message();
  EXPECT_NE(answered.text("error"), "");
  EXPECT_EQ(seen(answered, "errorDetails"), R"({"retryIndex":1,"retryBackoffIntervalSeconds":5})");
  EXPECT_EQ(calls, 1);
}

constexpr const char* kHandled =
    R"("Retry":[{"ErrorEquals":["Bad"],"MaxAttempts":2,"BackoffRate":3}],)"
    R"("Catch":[{"ErrorEquals":["Worse"],"Next":"W"},{"ErrorEquals":["States.ALL"],"ResultPath":"$.e","Next":"H"}],)";

TEST_F(TestState, CountsTheRetriesThatItIsTold) {
  Asked asked(task(kLambda, kHandled));
  asked.json("mock", R"({"errorOutput":{"error":"Bad","cause":"so"}})").set("inspectionLevel", "TRACE");
  const Answered answered = test(asked.json("stateConfiguration", R"({"retrierRetryCount":1})"));
  EXPECT_EQ(answered.text("status"), "RETRIABLE") << answered.message();
  EXPECT_EQ(seen(answered, "errorDetails"), R"({"retryIndex":0,"retryBackoffIntervalSeconds":3})");
  EXPECT_EQ(answered.body.find("output"), nullptr);
}

TEST_F(TestState, GoesToTheCatcherWhenNoRetryIsLeft) {
  Asked asked(task(kLambda, kHandled));
  asked.json("mock", R"({"errorOutput":{"error":"Bad","cause":"so"}})").set("inspectionLevel", "DEBUG");
  const Answered answered =
      test(asked.json("stateConfiguration", R"({"retrierRetryCount":2})").set("input", R"({"a":1})"));
  EXPECT_EQ(answered.text("status"), "CAUGHT_ERROR") << answered.message();
  EXPECT_EQ(answered.text("nextState"), "H");
  EXPECT_EQ(answered.text("output"), R"({"a":1,"e":{"Error":"Bad","Cause":"so"}})");
  EXPECT_EQ(answered.text("error") + " " + answered.text("cause"), "Bad so");
  EXPECT_EQ(seen(answered, "errorDetails"), R"({"catchIndex":1,"retryIndex":0})");
}

TEST_F(TestState, FailsWhereNothingHandlesTheError) {
  Asked asked(task(kLambda));
  const Answered answered = test(asked.json("mock", R"({"errorOutput":{"error":"Bad"}})"));
  EXPECT_EQ(answered.text("status") + " " + answered.text("error"), "FAILED Bad");
  EXPECT_EQ(answered.body.find("cause"), nullptr);
}

TEST_F(TestState, FindsAStateInsideAMachine) {
  Asked asked(R"({"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":[{"StartAt":"A","States":{)"
              R"("A":{"Type":"Pass","Next":"B"},"B":{"Type":"Succeed"}}}]}}})");
  const Answered answered = test(asked.set("stateName", "A"));
  EXPECT_EQ(answered.text("status") + " " + answered.text("nextState"), "SUCCEEDED B") << answered.message();
}

TEST_F(TestState, StopsAfterAStateThatLeadsToItself) {
  Asked asked(R"({"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[)"
              R"({"Variable":"$.n","NumericGreaterThan":0,"Next":"C"}],"Default":"E"},"E":{"Type":"Succeed"}}})");
  const Answered answered = test(asked.set("stateName", "C").set("input", R"({"n":1})"));
  EXPECT_EQ(answered.text("status") + " " + answered.text("nextState"), "SUCCEEDED C") << answered.message();
}

TEST_F(TestState, GivesVariablesAndTellsThoseThatAreAssigned) {
  Asked asked(R"({"Type":"Pass","Parameters":{"was.$":"$old"},"Assign":{"new":2},"End":true})");
  const Answered answered = test(asked.set("variables", R"({"old":1})").set("inspectionLevel", "DEBUG"));
  EXPECT_EQ(answered.text("output"), R"({"was":1})") << answered.message();
  EXPECT_EQ(seen(answered, "variables"), R"({"old":1,"new":2})");
}

TEST_F(TestState, HasAContextObjectOfItsOwn) {
  Asked asked(R"({"Type":"Pass","Parameters":{"c.$":"$$"},"End":true})");
  const Value output = json::parse(test(asked.set("roleArn", kRole)).text("output")).value();
  const Value& context = *output.find("c");
  EXPECT_EQ(*context.find("State")->find("Name"), Value::string("StateName"));
  EXPECT_EQ(*context.find("Execution")->find("RoleArn"), Value::string(kRole));
  const std::string id(context.find("Execution")->find("Id")->as_string());
  const std::string machine(context.find("StateMachine")->find("Name")->as_string());
  const std::string name(context.find("Execution")->find("Name")->as_string());
  EXPECT_EQ(id, "arn:aws:states:us-east-1:000000000000:express:" + machine + ":" + name);
}

TEST_F(TestState, TakesPartsOfTheContextObjectFromTheRequest) {
  Asked asked(task(kLambda, R"("Parameters":{"i.$":"$$.Execution.Input","n.$":"$$.Execution.Name"},)"));
  asked.json("mock", R"({"result":"1"})").set("inspectionLevel", "DEBUG");
  const Answered answered = test(asked.set("context", R"({"Execution":{"Input":{"x":1},"Name":"mine"}})"));
  EXPECT_EQ(seen(answered, "afterParameters"), R"({"i":{"x":1},"n":"mine"})") << answered.message();
}

constexpr const char* kMap =
    R"({"Type":"Map","ItemsPath":"$.v","ItemSelector":{"n.$":"$$.Map.Item.Value"},"MaxConcurrency":2,)"
    R"("ToleratedFailurePercentage":50,"ItemProcessor":{"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}},)"
    R"("End":true})";

TEST_F(TestState, TellsWhatAMapWouldRunOver) {
  Asked asked(kMap);
  asked.set("input", R"({"v":[7,8]})").json("mock", R"({"result":"[1,2]"})").set("inspectionLevel", "DEBUG");
  const Answered answered = test(asked.json("stateConfiguration", R"({"mapIterationFailureCount":1})"));
  EXPECT_EQ(answered.text("output"), "[1,2]") << answered.message();
  EXPECT_EQ(seen(answered, "afterItemsPath"), "[7,8]");
  EXPECT_EQ(seen(answered, "afterItemSelector"), R"([{"n":7},{"n":8}])");
  EXPECT_EQ(seen(answered, "maxConcurrency") + " " + seen(answered, "toleratedFailurePercentage"), "2 50");
}

TEST_F(TestState, FailsAMapWhoseIterationsFailTooOften) {
  Asked asked(kMap);
  asked.set("input", R"({"v":[7,8]})").json("mock", R"({"result":"[1,2]"})");
  const Answered answered = test(asked.json("stateConfiguration", R"({"mapIterationFailureCount":2})"));
  EXPECT_EQ(answered.text("status") + " " + answered.text("error"), "FAILED States.ExceedToleratedFailureThreshold");
}

TEST_F(TestState, ReadsTheItemsThatAReaderWouldRead) {
  Asked asked(
      R"({"Type":"Map","ItemReader":{"Resource":"arn:aws:states:::s3:getObject","ReaderConfig":{"InputType":"JSONL"}},)"
      R"("ItemSelector":{"n.$":"$$.Map.Item.Value"},"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED",)"
      R"("ExecutionType":"STANDARD"},"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}},"End":true})");
  asked.json("mock", R"({"result":"[]"})").set("inspectionLevel", "DEBUG");
  const Answered answered = test(asked.json("stateConfiguration", R"({"mapItemReaderData":"{\"a\":1}\n2\n"})"));
  EXPECT_EQ(seen(answered, "afterItemSelector"), R"([{"n":{"a":1}},{"n":2}])") << answered.message();
}

TEST_F(TestState, TracesAnHttpTask) {
  Asked asked(task(
      "arn:aws:states:::http:invoke",
      R"("Parameters":{"ApiEndpoint":"https://x.test/a","Method":"POST","QueryParameters":{"q":1},)"
      R"("RequestBody":{"b":2},"Authentication":{"ConnectionArn":"arn:aws:events:us-east-1:0:connection/c/1"}},)"));
  asked.json("mock", R"({"result":"{\"StatusCode\":200,\"StatusText\":\"OK\",\"ResponseBody\":{\"r\":3}}"})");
  const Answered answered = test(asked.set("inspectionLevel", "TRACE").put("revealSecrets", Value::boolean(true)));
  EXPECT_EQ(seen(answered, "request"),
            R"({"protocol":"HTTP/1.1","method":"POST","url":"https://x.test/a?q=1","body":"{\"b\":2}"})")
      << answered.message();
  EXPECT_EQ(seen(answered, "response"),
            R"({"protocol":"HTTP/1.1","statusCode":"200","statusMessage":"OK","body":"{\"r\":3}"})");
}

TEST_F(TestState, TellsTheBatchesOfAMap) {
  Asked asked(
      R"({"Type":"Map","ItemBatcher":{"MaxItemsPerBatch":2},"ItemProcessor":{"ProcessorConfig":{"Mode":"DISTRIBUTED",)"
      R"("ExecutionType":"STANDARD"},"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}},"End":true})");
  asked.set("input", "[1,2,3]").json("mock", R"({"result":"[]"})").set("inspectionLevel", "DEBUG");
  const Answered answered = test(asked);
  EXPECT_EQ(seen(answered, "afterItemBatcher"), R"([{"Items":[1,2]},{"Items":[3]}])") << answered.message();
}

TEST_F(TestState, WaitsNoLongerThanTheStateSays) {
  Asked asked(R"({"Type":"Wait","Timestamp":"2020-01-01T00:00:00Z","Next":"There"})");
  const Answered answered = test(asked.set("input", "[1]").set("inspectionLevel", "DEBUG"));
  EXPECT_EQ(answered.text("output") + answered.text("nextState"), "[1]There") << answered.message();
  EXPECT_EQ(seen(answered, "afterInputPath"), "[1]");
}

TEST_F(TestState, FailsAChoiceThatHasNowhereToGo) {
  Asked asked(R"({"Type":"Choice","Choices":[{"Variable":"$.n","NumericEquals":1,"Next":"One"}]})");
  const Answered answered = test(asked.set("input", R"({"n":2})"));
  EXPECT_EQ(answered.text("status") + " " + answered.text("error"), "FAILED States.NoChoiceMatched");
}

TEST_F(TestState, DoesNotShowWhereAPathFailedInAHistory) {
  Asked asked(R"({"Type":"Pass","InputPath":"$.x","End":true})");
  EXPECT_EQ(test(asked).text("cause"), "Invalid path '$.x' : No results for path: $['x']");
}

// --- refusals

TEST_F(TestState, RefusesWhatDoesNotGoTogether) {
  constexpr const char* kMock = R"("mock":{"result":"1"})";
  const std::string pass = R"("definition":"{\"Type\":\"Pass\",\"End\":true}")";
  const std::string lambda =
      R"("definition":"{\"Type\":\"Task\",\"Resource\":\"arn:aws:lambda:us-east-1:0:function:f\",\"End\":true}")";
  const std::string callback =
      R"("definition":"{\"Type\":\"Task\",\"Resource\":\"arn:aws:states:::sqs:sendMessage.waitForTaskToken\",)"
      R"(\"End\":true}")";
  const std::string activity =
      R"("definition":"{\"Type\":\"Task\",\"Resource\":\"arn:aws:states:us-east-1:0:activity:a\",\"End\":true}")";
  const std::string role = std::string(R"(,"roleArn":")") + kRole + "\"";
  const std::vector<std::array<std::string, 3>> cases = {
      {"{}", "ValidationException", "1 validation error detected: Value null at 'definition'"},
      {R"({"definition":1})", "SerializationException", ""},
      {"{" + pass + R"(,"inspectionLevel":"ALL"})", "ValidationException",
       "1 validation error detected: Value 'ALL' at 'inspectionLevel'"},
      {"{" + pass + R"(,"mock":{"fieldValidationMode":"LAX"}})", "ValidationException",
       "1 validation error detected: Value 'LAX' at 'mock.fieldValidationMode'"},
      {"{" + pass + R"(,"mock":{"result":{}}})", "SerializationException", ""},
      {"{" + pass + R"(,"mock":{"errorOutput":{"error":5}}})", "SerializationException", ""},
      {"{" + pass + R"(,"stateConfiguration":{"retrierRetryCount":-1}})", "ValidationException",
       "1 validation error detected: Value '-1' at 'stateConfiguration.retrierRetryCount'"},
      {"{" + pass + R"(,"coffee":1})", "ValidationException", ""},
      {"{" + pass + R"(,"input":"{"})", "InvalidExecutionInput", ""},
      {"{" + pass + R"(,"variables":"[]"})", "ValidationException", "Variables must be"},
      {"{" + pass + "," + kMock + "}", "ValidationException", "State type 'Pass' is not supported when a mock"},
      {"{" + pass + R"(,"context":"{}"})", "ValidationException", "TestState does not support Context"},
      {R"({"definition":"{"})", "InvalidDefinition", "Invalid State Machine Definition: '"},
      {R"({"definition":"{\"Type\":\"Succeed\"},\"X\":{\"Type\":\"Succeed\"}"})", "InvalidDefinition", ""},
      {R"({"definition":"{\"Type\":\"Pass\"}"})", "InvalidDefinition", ""},
      {R"({"definition":"[]"})", "InvalidDefinition", ""},
      {R"({"definition":"{\"Type\":\"Pass\",\"QueryLanguage\":\"JSONata\",\"End\":true}"})", "InvalidDefinition", ""},
      {"{" + pass + R"(,"roleArn":"me"})", "InvalidArn", "Invalid Role Arn: 'me'"},
      {"{" + lambda + "}", "ValidationException", "RoleArn must be specified"},
      {"{" + lambda + R"(,"mock":{}})", "ValidationException", "A test mock should have one of"},
      {"{" + lambda + R"(,"mock":{"result":"{"}})", "ValidationException", "Mocked result must be valid JSON"},
      {"{" + lambda + "," + kMock + R"(,"context":"[]"})", "ValidationException", "Invalid Context object provided"},
      {"{" + lambda + "," + kMock + R"(,"stateConfiguration":{"mapIterationFailureCount":1}})", "ValidationException",
       "MapIterationFailureCount is only"},
      {"{" + lambda + "," + kMock + R"(,"stateConfiguration":{"errorCausedByState":"X"}})", "ValidationException",
       "ErrorCausedByState is only"},
      {"{" + callback + role + "}", "InvalidDefinition", "TestState API does not support the '.waitForTaskToken'"},
      {"{" + activity + role + "}", "InvalidDefinition", "TestState API does not support Activity"},
  };
  for (const auto& [body, type, message] : cases) {
    const Answered answered = call("TestState", body);
    EXPECT_EQ(answered.type(), type) << body << "\n" << answered.message();
    EXPECT_TRUE(answered.message().starts_with(message)) << body << "\n" << answered.message();
  }
}

TEST_F(TestState, KeepsNothing) {
  Asked asked(R"({"Type":"Pass","End":true})");
  ASSERT_EQ(test(asked).status, 200);
  EXPECT_EQ(call("ListStateMachines", "{}").size_of("stateMachines"), 0u);
}

}  // namespace
}  // namespace pawl::server
