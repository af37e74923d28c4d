// Tests of tasks: those that the server calls, and those that are answered by their token.
#include <gtest/gtest.h>

#include "net/http_test_server.h"
#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

constexpr const char* kResource = "arn:aws:states:::sqs:sendMessage.waitForTaskToken";

class Callbacks : public ServerTest {
 protected:
  // The server begins anew with the worker's address.
  Callbacks() : worker_([](const net::ReceivedRequest&) { return net::HttpTestServer::json_answer(200, "{}"); }) {
    connect::TaskTarget target;
    target.pattern = kResource;
    target.url = connect::Secretive{worker_.url(), worker_.url()};
    tasks_.push_back(std::move(target));
    restart();
    const std::string definition = std::string(R"({"StartAt":"T","States":{"T":{"Type":"Task","Resource":")") +
                                   kResource +
                                   R"(","Parameters":{"token.$":"$$.Task.Token"},"HeartbeatSeconds":600,"End":true}}})";
    execution_ = start_execution(create("m", definition)).text("executionArn");
  }

  // The token, once the worker has been asked.
  std::string token() const {
    while (worker_.received().empty()) std::this_thread::yield();
    const auto body = json::parse(worker_.received().front().body);
    return std::string(body->find("parameters")->find("token")->as_string());
  }
  Answered send(const std::string& operation, const std::string& more = "") const {
    return call(operation, "{\"taskToken\":\"" + token() + "\"" + more + "}");
  }

  net::HttpTestServer worker_;
  std::string execution_;
};

TEST_F(Callbacks, SucceedOnce) {
  EXPECT_EQ(send("SendTaskHeartbeat").status, 200);
  EXPECT_EQ(send("SendTaskSuccess", R"(,"output":"{\"done\":true}")").status, 200);
  EXPECT_EQ(wait_for_end(execution_).text("output"), R"({"done":true})");
  EXPECT_EQ(send("SendTaskSuccess", R"(,"output":"1")").message(),
            "Task Timed Out: 'Provided task does not exist anymore'");
  EXPECT_EQ(send("SendTaskHeartbeat").type(), "TaskTimedOut");
}

TEST_F(Callbacks, FailWithTheErrorGiven) {
  EXPECT_EQ(send("SendTaskFailure", R"(,"error":"Bad","cause":"so")").status, 200);
  const Answered ended = wait_for_end(execution_);
  EXPECT_EQ(ended.text("status") + " " + ended.text("error") + " " + ended.text("cause"), "FAILED Bad so");
}

TEST_F(Callbacks, KeepTheirTokensOverARestart) {
  const std::string before = token();
  restart();
  EXPECT_EQ(call("SendTaskSuccess", "{\"taskToken\":\"" + before + R"(","output":"7"})").status, 200);
  EXPECT_EQ(wait_for_end(execution_).text("output"), "7");
}

TEST_F(Callbacks, RefuseWhatIsNoTokenOrNoJson) {
  EXPECT_EQ(call("SendTaskSuccess", R"({"taskToken":"forged","output":"1"})").type(), "InvalidToken");
  EXPECT_EQ(send("SendTaskSuccess", R"(,"output":"{")").type(), "InvalidOutput");
  EXPECT_EQ(send("SendTaskSuccess").type(), "ValidationException");
  EXPECT_EQ(call("DescribeExecution", "executionArn", execution_).text("status"), "RUNNING");
}

using Tasks = ServerTest;

TEST_F(Tasks, ThatNothingAnswersFailWithoutBeingCaught) {
  const std::string machine =
      create("m", R"({"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::sns:publish",
      "Catch":[{"ErrorEquals":["States.ALL"],"Next":"C"}],"End":true},"C":{"Type":"Pass","End":true}}})");
  const Answered ended = wait_for_end(start_execution(machine).text("executionArn"));
  EXPECT_EQ(ended.text("error"), "States.Runtime");
  EXPECT_NE(ended.text("cause").find("TASK_NOT_MAPPED"), std::string::npos);
}

TEST_F(Tasks, AreNotFailedByTheEndOfTheServer) {
  net::HttpTestServer silent([](const net::ReceivedRequest&) { return std::nullopt; });
  const std::string machine =
      create("m", R"({"StartAt":"T","States":{"T":{"Type":"Task","Resource":")" + silent.url() + R"(","End":true}}})");
  const std::string arn = start_execution(machine).text("executionArn");
  while (silent.received().empty()) std::this_thread::yield();
  restart();
  while (silent.received().size() < 2) std::this_thread::yield();
  EXPECT_EQ(call("DescribeExecution", "executionArn", arn).text("status"), "RUNNING");
  EXPECT_EQ(silent.received()[0].header("Idempotency-Key"), silent.received()[1].header("Idempotency-Key"));
}

}  // namespace
}  // namespace pawl::server
