// Tests of service integrations against a real HTTP server on this machine: functions, requests that a state describes,
// and services that a target stands in for.
#include "connect/integration.h"

#include <future>

#include <gtest/gtest.h>

#include "connect/form_encoding.h"
#include "connect/lambda_invoke.h"
#include "connect/mapped_tasks.h"
#include "json/parse.h"
#include "json/print.h"
#include "net/http_test_server.h"

namespace pawl::connect {
namespace {

using net::HttpTestServer;
using net::ReceivedRequest;

constexpr const char* kInvoke = "arn:aws:states:::lambda:invoke";
constexpr const char* kHttp = "arn:aws:states:::http:invoke";

std::optional<std::string> environment(const std::string& name) {
  return name == "KEY" ? std::optional<std::string>("s3cret-key") : std::nullopt;
}

TaskTargets targets_of(const std::string& json) {
  return read_task_map(json::parse_document(json).value(), environment).value();
}

TaskRequest request_of(const std::string& resource, const std::string& parameters) {
  TaskRequest request;
  request.task = engine::TaskId(1);
  request.resource = resource;
  request.input = json::parse(parameters).value();
  request.idempotency_key = "run-1";
  return request;
}

std::string text_of(const TaskAnswer& answer) {
  constexpr const char* kKinds[] = {"submitted ", "succeeded ", "failed ", "timed out "};
  return kKinds[static_cast<int>(answer.kind)] + json::print(answer.value);
}

class Integrations : public testing::Test {
 protected:
  // What the server gives next, 200 without more.
  void answer_with(int status, const std::string& body) { answer_ = HttpTestServer::json_answer(status, body); }
  std::string mapped(const std::string& pattern) const {
    return "{\"" + pattern + R"(":{"http":")" + server_.url("/target") + "\"}}";
  }
  std::string call(const std::string& map, const TaskRequest& request) const {
    MappedTasks tasks(targets_of(map), {});
    if (!tasks.claims(request).value_or(false)) return "not mapped";
    std::promise<TaskAnswer> answer;
    tasks.start(request, [&](TaskAnswer given) { answer.set_value(std::move(given)); });
    return text_of(answer.get_future().get());
  }
  // http:invoke of this server with further Parameters.
  std::string invoke(const std::string& method, const std::string& more = "", const std::string& map = "{}") const {
    return call(map, request_of(kHttp, R"({"ApiEndpoint":")" + server_.url("/api") + R"(","Method":")" + method + "\"" +
                                           more + "}"));
  }
  ReceivedRequest received() const { return server_.received().at(0); }
  std::string request_line() const { return received().head.substr(0, received().head.find("\r\n")); }

  std::string answer_ = HttpTestServer::json_answer(200, R"({"done":true})");
  HttpTestServer server_{[this](const ReceivedRequest&) { return answer_; }};
};

TEST(ParseIntegration, TellsServiceAndAction) {
  const auto text = [](std::string_view resource) {
    const auto parsed = parse_integration(resource);
    return parsed ? std::string(parsed->service) + " " + std::string(parsed->action) : "none";
  };
  EXPECT_EQ(text("arn:aws:states:::sqs:sendMessage.waitForTaskToken"), "sqs sendMessage");
  EXPECT_EQ(text("arn:aws:states:::aws-sdk:sqs:sendMessage"), "aws-sdk:sqs sendMessage");
  EXPECT_EQ(text("arn:aws:states:::ecs:runTask.sync"), "ecs runTask");
  EXPECT_EQ(text("arn:aws:states:::states:startExecution.sync:2"), "states startExecution");
  EXPECT_EQ(text("arn:aws:lambda:us-east-1:000000000000:function:f"), "none");
  EXPECT_EQ(text("http://example.org"), "none");
}

TEST_F(Integrations, GoToWhoStandsInForTheService) {
  EXPECT_EQ(call(mapped("arn:aws:states:::dynamodb:*"),
                 request_of("arn:aws:states:::dynamodb:putItem", R"({"TableName":"t"})")),
            R"(succeeded {"done":true})");
  EXPECT_EQ(received().body,
            R"({"resource":"arn:aws:states:::dynamodb:putItem","action":"putItem","parameters":{"TableName":"t"}})");
  EXPECT_EQ(received().header("Idempotency-Key"), "run-1");
  EXPECT_EQ(call(mapped("arn:aws:states:::sqs:*"), request_of("arn:aws:states:::sns:publish", "{}")), "not mapped");
}

TEST_F(Integrations, GoToCommandsInTheSameForm) {
  EXPECT_EQ(call(R"({"arn:aws:states:::sns:publish":{"exec":["cat"]}})",
                 request_of("arn:aws:states:::sns:publish", R"({"Message":"m"})")),
            R"(succeeded {"resource":"arn:aws:states:::sns:publish","action":"publish","parameters":{"Message":"m"}})");
}

TEST_F(Integrations, ThatWaitForTheirTokenAreOnlySubmittedByTheAnswer) {
  for (const std::string resource : {"arn:aws:states:::ecs:runTask.waitForTaskToken", kHttp}) {
    TaskRequest request = request_of(resource, R"({"ApiEndpoint":")" + server_.url() + R"(","Method":"POST"})");
    request.waits_for_token = true;
    EXPECT_TRUE(call(mapped("arn:aws:states:::ecs:*"), request).starts_with("submitted")) << resource;
  }
}

// --- functions

TEST_F(Integrations, CallAFunctionWithItsPayloadAndWrapItsAnswer) {
  EXPECT_EQ(
      call(mapped("arn:aws:lambda:eu-west-1:111111111111:function:pay"),
           request_of(kInvoke, R"({"FunctionName":"pay","Payload":{"n":1}})")),
      R"(succeeded {"ExecutedVersion":"$LATEST","Payload":{"done":true},"SdkHttpMetadata":{"HttpStatusCode":200},)"
      R"("SdkResponseMetadata":{"RequestId":"run-1"},"StatusCode":200})");
  EXPECT_EQ(received().body, R"({"n":1})");
}

TEST_F(Integrations, FailWithTheErrorOfTheFunction) {
  answer_with(500, R"({"errorType":"Broke","errorMessage":"no money"})");
  const std::string map = mapped("arn:aws:lambda:*");
  EXPECT_EQ(call(map, request_of(kInvoke, R"({"FunctionName":"pay"})")),
            R"(failed {"Error":"Broke","Cause":"no money"})");
  EXPECT_TRUE(call(map, request_of(kInvoke, R"({"FunctionName":"pay","InvocationType":"Event"})"))
                  .ends_with(R"("StatusCode":202})"));
}

TEST_F(Integrations, GoToWhoStandsInForLambdaWhereTheFunctionIsNotMapped) {
  EXPECT_EQ(call(mapped(kInvoke), request_of(kInvoke, R"({"FunctionName":"pay"})")), R"(succeeded {"done":true})");
  EXPECT_EQ(received().body,
            R"({"resource":"arn:aws:states:::lambda:invoke","action":"invoke","parameters":{"FunctionName":"pay"}})");
  EXPECT_EQ(call("{}", request_of(kInvoke, R"({"FunctionName":"pay"})")), "not mapped");
}

TEST(FindFunction, KnowsNamesAndArnsWithAndWithoutAQualifier) {
  const TaskTargets targets = targets_of(
      R"({"arn:aws:lambda:eu-west-1:1:function:pay":{"http":"http://h/1"},
          "arn:aws:lambda:*:function:pay-*":{"http":"http://h/2"}})");
  const auto found = [&](std::string_view name) {
    const TaskTarget* target = find_function(targets, name);
    return target == nullptr ? "" : target->url->text;
  };
  for (const char* name : {"pay", "pay:7", "1:function:pay", "arn:aws:lambda:eu-west-1:1:function:pay",
                           "arn:aws:lambda:eu-west-1:1:function:pay:live"})
    EXPECT_EQ(found(name), "http://h/1") << name;
  EXPECT_EQ(found("pay-back"), "http://h/2");
  EXPECT_EQ(found("arn:aws:lambda:us-east-1:2:function:pay-back:7"), "http://h/2");
  EXPECT_EQ(found("repay"), "");
  EXPECT_EQ(found(""), "");
}

// --- requests that a state describes

TEST_F(Integrations, SendTheRequestThatTheStateDescribes) {
  EXPECT_EQ(
      invoke("GET", R"(,"Headers":{"X-A":"1","X-B":["2","3"]},"QueryParameters":{"q":"a b","n":7,"l":["x","y"]})"),
      R"(succeeded {"Headers":{"content-type":["application/json"],"content-length":["13"]},)"
      R"("ResponseBody":{"done":true},"StatusCode":200,"StatusText":"Reason"})");
  EXPECT_EQ(request_line(), "GET /api?q=a%20b&n=7&l=x&l=y HTTP/1.1");
  EXPECT_EQ(received().header("X-A") + " " + received().header("X-B"), "1 2, 3");
  EXPECT_EQ(received().header("Content-Type") + received().body, "");
}

TEST_F(Integrations, SendABodyAsJsonAsAFormOrAsItIs) {
  invoke("POST", R"(,"RequestBody":{"a":[1]})");
  invoke("PUT", R"(,"RequestBody":{"a":["x","y z"],"o":{"k":true}},"Transform":{"RequestBodyEncoding":"URL_ENCODED"})");
  invoke("PATCH", R"(,"RequestBody":"<a/>","Headers":{"content-type":"application/xml"})");
  const auto all = server_.received();
  EXPECT_EQ(all[0].header("Content-Type") + " " + all[0].body, R"(application/json {"a":[1]})");
  EXPECT_EQ(all[1].header("Content-Type") + " " + all[1].body,
            "application/x-www-form-urlencoded a%5B0%5D=x&a%5B1%5D=y%20z&o%5Bk%5D=true");
  EXPECT_EQ(all[2].body, "<a/>");
}

TEST(FormEncoding, NamesTheItemsOfAnArrayAsAsked) {
  const Value value = json::parse(R"({"a":["x","y"],"n":null})").value();
  EXPECT_EQ(form_encoded(value, ArrayFormat::kIndices), "a%5B0%5D=x&a%5B1%5D=y");
  EXPECT_EQ(form_encoded(value, ArrayFormat::kRepeat), "a=x&a=y");
  EXPECT_EQ(form_encoded(value, ArrayFormat::kCommas), "a=x,y");
  EXPECT_EQ(form_encoded(value, ArrayFormat::kBrackets), "a%5B%5D=x&a%5B%5D=y");
}

TEST_F(Integrations, BringTheHeadersOfAConnectionAndKeepThemSecret) {
  answer_with(401, R"({"message":"s3cret-key is wrong"})");
  const std::string arn = "arn:aws:events:us-east-1:000000000000:connection/shop/1";
  const std::string with = R"(,"Headers":{"Authorization":"mine"},"Authentication":{"ConnectionArn":")" + arn + "\"}";
  EXPECT_EQ(invoke("GET", with, R"({"arn:aws:events:*:connection/shop/*":{"headers":{"Authorization":"Key ${KEY}"}}})"),
            R"(failed {"Error":"States.Http.StatusCode.401","Cause":"{\"message\":\"*** is wrong\"}"})");
  EXPECT_EQ(received().header("Authorization"), "Key s3cret-key");
  EXPECT_EQ(invoke("GET", with), R"(failed {"Error":"States.Runtime","Cause":"TASK_NOT_MAPPED: The connection ')" +
                                     arn + R"(' is not in the file of --tasks."})");
}

TEST_F(Integrations, GiveTheBodyAsTextWhereItIsNotJson) {
  answer_ = "HTTP/1.1 202 Accepted\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 3\r\nConnection: close\r\n\r\n\xFFok";
  EXPECT_EQ(invoke("DELETE"), R"(succeeded {"Headers":{"x-a":["1","2"],"content-length":["3"],"connection":["close"]},)"
                              "\"ResponseBody\":\"\xEF\xBF\xBDok\",\"StatusCode\":202,\"StatusText\":\"Accepted\"}");
}

TEST_F(Integrations, SayWhyThereIsNoAnswer) {
  EXPECT_TRUE(call("{}", request_of(kHttp, R"({"ApiEndpoint":"http://127.0.0.1:1/","Method":"GET"})"))
                  .starts_with(R"(failed {"Error":"States.Http.Socket","Cause":"HTTP_CONNECT_FAILED)"));
  EXPECT_TRUE(call("{}", request_of(kHttp, R"({"ApiEndpoint":"nowhere","Method":"GET"})"))
                  .starts_with(R"(failed {"Error":"States.Runtime","Cause":"The request cannot be sent. ApiEndpoint)"));
  EXPECT_TRUE(invoke("GET / HTTP/1.1\\r\\nX: y").starts_with(R"(failed {"Error":"States.Runtime")"));
  EXPECT_TRUE(invoke("GET", R"(,"Headers":{"A":"b\r\nC: d"})").starts_with(R"(failed {"Error":"States.Http.Socket")"));
  EXPECT_TRUE(server_.received().empty());
}

TEST_F(Integrations, EndTheRequestOfATaskThatIsCancelled) {
  HttpTestServer silent([](const ReceivedRequest&) { return std::nullopt; });
  MappedTasks tasks({}, {});
  const TaskRequest request = request_of(kHttp, R"({"ApiEndpoint":")" + silent.url() + R"(","Method":"GET"})");
  std::atomic<bool> answered = false;
  tasks.start(request, [&](const TaskAnswer&) { answered = true; });
  while (silent.received().empty()) std::this_thread::yield();
  tasks.cancel(request.task);
  EXPECT_EQ(call("{}", request_of(kHttp, R"({"ApiEndpoint":")" + server_.url() + R"(","Method":"GET"})")).substr(0, 9),
            "succeeded");
  EXPECT_FALSE(answered);
}

TEST_F(Integrations, AreNotSentToTheWorldWhereThatIsNotAllowed) {
  MappedTasks tasks({}, {.call_urls = false});
  EXPECT_FALSE(*tasks.claims(request_of(kHttp, R"({"ApiEndpoint":"http://127.0.0.1/","Method":"GET"})")));
}

TEST(TaskMap, TakesConnectionsWithHeadersOnly) {
  const auto read = [](const std::string& text) {
    return read_task_map(json::parse_document(text).value(), environment);
  };
  EXPECT_TRUE(read(R"({"arn:aws:events:*:connection/a/*":{"headers":{"A":"b"}}})").has_value());
  EXPECT_EQ(read(R"({"arn:aws:events:*:connection/a/*":{"http":"http://h"}})").error().code, "TASKS_INVALID");
  EXPECT_EQ(read(R"({"arn:aws:events:*:connection/a/*":{}})").error().code, "TASKS_INVALID");
}

}  // namespace
}  // namespace pawl::connect
