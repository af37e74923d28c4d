// What a server logs, and what it never does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/hmac.h"
#include "net/http_test_server.h"
#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

using testing::HasSubstr;
using testing::Not;

// Everything that must not be logged has this in it.
constexpr const char* kSecret = "swordfish";

class ServerLog : public ServerTest {
 protected:
  void restart_with_log() {
    server_.reset();
    testing::internal::CaptureStderr();
    ServerOptions options;
    options.directory = folder_.path();
    options.port = 0;
    options.tokens = {{"ops", Role::kRead, net::sha256("swordfish-swordfish")}};
    options.logging = {LogLevel::kDebug, LogFormat::kJson};
    auto server = Server::start(std::move(options));
    ASSERT_TRUE(server.has_value()) << to_string(server.error());
    server_ = std::move(*server);
  }
  std::string end_and_read() {
    server_.reset();
    return testing::internal::GetCapturedStderr();
  }
};

TEST_F(ServerLog, TellsWhatHappened) {
  restart_with_log();
  const std::string machine = create("failing", R"({"StartAt":"F","States":{"F":{"Type":"Fail","Error":"Bad"}}})");
  wait_for_end(start_execution(machine, "{}", "first").text("executionArn"));
  call("DescribeExecution", "executionArn", "arn:aws:states:us-east-1:000000000000:execution:failing:none");
  get("/metrics");
  const std::string log = end_and_read();
  EXPECT_THAT(log, HasSubstr(R"("event":"definition changed","operation":"CreateStateMachine","subject":"failing")"));
  EXPECT_THAT(log, HasSubstr(R"("name":"first","machine":"failing","status":"FAILED","error":"Bad")"));
  EXPECT_THAT(log, HasSubstr(R"("operation":"DescribeExecution","error":"ExecutionDoesNotExist")"));
  EXPECT_THAT(log, HasSubstr(R"("event":"request refused","route":"/metrics","status":"401")"));
}

TEST_F(ServerLog, TellsOfTasksThatFailed) {
  restart_with_log();
  net::HttpTestServer worker(
      [](const net::ReceivedRequest&) { return "HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nswordfish"; });
  const std::string url = "http://127.0.0.1:" + std::to_string(worker.port()) + "/work";
  const std::string machine = create("calling", R"({"StartAt":"T","States":{"T":{"Type":"Task","Resource":")" + url +
                                                    "?key=" + kSecret + R"(","End":true}}})");
  wait_for_end(start_execution(machine, R"({"password":"swordfish"})").text("executionArn"));
  const std::string log = end_and_read();
  EXPECT_THAT(log, HasSubstr(R"("event":"task failed")"));
  EXPECT_THAT(log, HasSubstr(R"("state":"T","resource":")" + url + R"(","error":"States.TaskFailed","attempt":"0")"));
  EXPECT_THAT(log, Not(HasSubstr(kSecret)));
}

TEST_F(ServerLog, TellsNoPayloadAndNoCredential) {
  restart_with_log();
  const std::string machine =
      create("m", R"({"StartAt":"F","States":{"F":{"Type":"Fail","Error":"E","CausePath":"$.password"}}})");
  wait_for_end(start_execution(machine, R"({"password":"swordfish"})").text("executionArn"));
  start_execution(machine, R"({"password": swordfish)");
  for (const char* header : {"Bearer swordfish-swordfish", "Bearer swordfish-and-more", "Basic swordfish"}) {
    net::HttpRequest request;
    request.method = "GET";
    request.url = server_->url() + "/metrics";
    request.headers.emplace_back("Authorization", header);
    EXPECT_TRUE(net::send(request));
  }
  const std::string log = end_and_read();
  EXPECT_THAT(log, HasSubstr("execution failed"));
  EXPECT_THAT(log, HasSubstr("InvalidExecutionInput"));
  EXPECT_THAT(log, Not(HasSubstr(kSecret)));
}

}  // namespace
}  // namespace pawl::server
