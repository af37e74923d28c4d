// Operations of OpenAPI documents, called for real.
#include "connect/operation_call.h"

#include <future>

#include <gtest/gtest.h>

#include "connect/mapped_tasks.h"
#include "json/parse.h"
#include "json/print.h"
#include "net/http_test_server.h"
#include "openapi/operation.h"

namespace pawl::connect {
namespace {

using net::HttpTestServer;

std::optional<std::string> environment(const std::string& name) {
  return name == "TOKEN" ? std::optional<std::string>("s3cret-value") : std::nullopt;
}

class OperationCalls : public testing::Test {
 protected:
  TaskRequest request_for(std::string_view id, const std::string& arguments) const {
    const std::string document =
        R"({"openapi": "3.0.3", "servers": [{"url": ")" + server_.url("/v1") + R"("}], "paths": {
      "/pets/{petId}": {
        "get": {"operationId": "getPet", "parameters": [{"name": "petId", "in": "path"},
          {"name": "fields", "in": "query", "explode": false}, {"name": "X-Trace", "in": "header"}]},
        "put": {"operationId": "putPet", "parameters": [{"name": "petId", "in": "path"}],
          "requestBody": {"content": {"application/json": {}}}}}}})";
    TaskRequest request;
    request.task = engine::TaskId(1);
    request.state = "getPet";
    request.resource = "pets.json#" + std::string(id);
    request.input = json::parse(arguments).value();
    request.endpoint = openapi::to_value(openapi::find_operation(json::parse(document).value(), id).value());
    request.idempotency_key = "run-1";
    return request;
  }

  // What the task ends with: "KIND JSON".
  std::string call(const TaskRequest& request, const std::string& map = "{}") {
    constexpr const char* kKinds[] = {"submitted ", "succeeded ", "failed ", "timed out "};
    MappedTasks tasks(read_task_map(json::parse_document(map).value(), environment).value(), {});
    std::promise<TaskAnswer> promise;
    if (!tasks.claims(request).value_or(false)) return "not mapped";
    tasks.start(request, [&](TaskAnswer given) { promise.set_value(std::move(given)); });
    const TaskAnswer answer = promise.get_future().get();
    return kKinds[static_cast<int>(answer.kind)] + json::print(answer.value);
  }

  std::string request_line() const {
    const std::string head = server_.received().back().head;
    return head.substr(0, head.find("\r\n"));
  }

  std::string answer_ = HttpTestServer::json_answer(200, R"({"name":"Rex"})");
  HttpTestServer server_{[this](const net::ReceivedRequest&) { return std::optional(answer_); }};
};

TEST_F(OperationCalls, PutTheArgumentsWhereTheDocumentWantsThem) {
  EXPECT_EQ(call(request_for("getPet", R"({"petId":"a/7","fields":["name","age"],"X-Trace":"t 1"})")),
            R"(succeeded {"name":"Rex"})");
  EXPECT_EQ(request_line(), "GET /v1/pets/a%2F7?fields=name,age HTTP/1.1");
  EXPECT_EQ(server_.received().back().header("X-Trace"), "t 1");
  EXPECT_EQ(server_.received().back().header("Idempotency-Key"), "run-1");
  EXPECT_EQ(server_.received().back().body, "");
}

TEST_F(OperationCalls, SendTheRestAsTheBody) {
  EXPECT_EQ(call(request_for("putPet", R"({"petId":7,"name":"Rex"})")), R"(succeeded {"name":"Rex"})");
  EXPECT_EQ(request_line(), "PUT /v1/pets/7 HTTP/1.1");
  EXPECT_EQ(server_.received().back().header("Content-Type"), "application/json");
  EXPECT_EQ(server_.received().back().body, R"({"name":"Rex"})");
}

TEST_F(OperationCalls, FailWithoutARequestWhereTheArgumentsDoNotFit) {
  EXPECT_EQ(
      call(request_for("getPet", "{}")),
      R"(failed {"Error":"States.TaskFailed","Cause":"OPENAPI_MISSING_ARGUMENT: The operation 'getPet' needs the )"
      R"_(argument 'petId'. (Give it where the function is called.)"})_");
  EXPECT_TRUE(call(request_for("getPet", R"({"petId":1,"pet":2})")).contains("OPENAPI_UNKNOWN_ARGUMENT"));
  EXPECT_TRUE(server_.received().empty());
}

TEST_F(OperationCalls, TakeTextForTextAndNothingForNull) {
  const TaskRequest request = request_for("getPet", R"({"petId":7})");
  answer_ = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n17";
  EXPECT_EQ(call(request), R"(succeeded "17")");
  answer_ = "HTTP/1.1 204 No Content\r\n\r\n";
  EXPECT_EQ(call(request), "succeeded null");
}

TEST_F(OperationCalls, SayWhatWasCalledWhereItIsRefused) {
  answer_ = HttpTestServer::json_answer(404, R"({"message":"no such pet"})");
  const std::string answer = call(request_for("getPet", R"({"petId":7})"));
  EXPECT_TRUE(answer.contains("GET " + server_.url("/v1/pets/{petId}") + " answered 404")) << answer;
}

TEST_F(OperationCalls, BringTheHeadersOfTheirConnectionAndKeepThemSecret) {
  answer_ = HttpTestServer::json_answer(401, R"("s3cret-value is wrong")");
  const std::string answer = call(request_for("getPet", R"({"petId":7})"),
                                  R"({"pets.json#*":{"headers":{"Authorization":"Bearer ${TOKEN}"}}})");
  EXPECT_EQ(server_.received().back().header("Authorization"), "Bearer s3cret-value");
  EXPECT_TRUE(answer.contains("States.Permissions") && !answer.contains("s3cret")) << answer;
}

TEST_F(OperationCalls, GoToWhoStandsInForThem) {
  EXPECT_EQ(
      call(request_for("getPet", R"({"petId":7})"), R"({"pets.json#getPet":{"http":")" + server_.url("/x") + "\"}}"),
      R"(succeeded {"name":"Rex"})");
  EXPECT_EQ(request_line(), "POST /x HTTP/1.1");
  EXPECT_EQ(server_.received().back().body, R"({"petId":7})");
}

}  // namespace
}  // namespace pawl::connect
