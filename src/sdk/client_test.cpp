// The client of other programs, over real sockets; also types of nlohmann::json.
#include <gtest/gtest.h>

#include "pawl/durable.h"
#include "pawl/durable_client.h"
#include "pawl/durable_nlohmann.h"
#include "sdk/runtime_test_server.h"

namespace pawl::durable {
namespace {

using testing::ServedAnswer;
using testing::ServedRequest;
using testing::TestServer;

class ClientTest : public ::testing::Test {
 protected:
  Client client() {
    ClientOptions options;
    options.endpoint = "http://" + server_.authority();
    options.access_key = "AKIAFAKE";
    options.secret_key = "fake";
    return Client(options);
  }
  ServedRequest last() const { return server_.requests().back(); }

  ServedAnswer answer_;
  TestServer server_{[this](const ServedRequest&) { return answer_; }};
};

const std::string kArn = "arn:aws:lambda:us-east-1:1:function:f:$LATEST/durable-execution/n/i";
const std::string kPath =
    "/2025-12-01/durable-executions/"
    "arn%3Aaws%3Alambda%3Aus-east-1%3A1%3Afunction%3Af%3A%24LATEST%2Fdurable-execution%2Fn%2Fi";

// Spec: 15.1.3-5
TEST_F(ClientTest, AnswersCallbacks) {
  client().succeed_callback("ab/c+=", R"({"ok":true})");
  EXPECT_EQ(last().path, "/2025-12-01/durable-execution-callbacks/ab%2Fc%2B%3D/succeed");
  EXPECT_EQ(last().body, R"({"ok":true})");
  EXPECT_EQ(last().headers.at("content-type"), "application/octet-stream");
  client().fail_callback("id", {.type = "Rejected", .message = "no"});
  EXPECT_EQ(last().path, "/2025-12-01/durable-execution-callbacks/id/fail");
  EXPECT_EQ(last().body, R"({"ErrorMessage":"no","ErrorType":"Rejected"})");
  client().heartbeat_callback("id");
  EXPECT_EQ(last().path, "/2025-12-01/durable-execution-callbacks/id/heartbeat");
}

TEST_F(ClientTest, InvokesFunctions) {
  answer_ = {202, "", {{"X-Amz-Durable-Execution-Arn", kArn}, {"X-Amz-Executed-Version", "7"}}};
  const InvokeResult result =
      client().invoke("order:$LATEST", "{}", {.execution_name = "order-42", .asynchronous = true});
  EXPECT_EQ(last().path, "/2015-03-31/functions/order%3A%24LATEST/invocations");
  EXPECT_EQ(last().headers.at("x-amz-invocation-type"), "Event");
  EXPECT_EQ(last().headers.at("x-amz-durable-execution-name"), "order-42");
  EXPECT_EQ(result.status, 202);
  EXPECT_EQ(result.execution_arn, kArn);
  EXPECT_EQ(result.version, "7");
}

TEST_F(ClientTest, ReadsExecutions) {
  answer_.body =
      R"({"DurableExecutionArn":"a","DurableExecutionName":"n","FunctionArn":"f","Status":"FAILED","StartTimestamp":1794768563.251,"EndTimestamp":1794768564,"Error":{"ErrorType":"T"}})";
  const ExecutionDescription description = client().get(kArn);
  EXPECT_EQ(last().path, kPath);
  EXPECT_EQ(last().query, "IncludeExecutionData=true");
  EXPECT_EQ(description.status, "FAILED");
  EXPECT_EQ(description.started.time_since_epoch().count(), 1794768563251);
  EXPECT_EQ(description.error->type, "T");
  answer_.body = R"({"Events":[{"EventId":1}],"NextMarker":"m"})";
  EXPECT_EQ(client().history(kArn, {.reverse = true}).next_marker, "m");
  EXPECT_EQ(last().path, kPath + "/history");
  EXPECT_EQ(last().query, "IncludeExecutionData=true&ReverseOrder=true");
  answer_.body = R"({"DurableExecutions":[{"DurableExecutionArn":"a","Status":"RUNNING"}]})";
  EXPECT_EQ(client().list("order", {.status = "RUNNING"}).executions.at(0).status, "RUNNING");
  EXPECT_EQ(last().path, "/2025-12-01/functions/order/durable-executions");
  answer_.body = R"({"StopTimestamp":1794768563.5})";
  EXPECT_EQ(client().stop(kArn).time_since_epoch().count(), 1794768563500);
}

// Spec: 15.2.2, 15.3.2
TEST_F(ClientTest, ThrowsWhatTheServiceSays) {
  answer_ = {400,
             R"({"Type":"User","Message":"The callback has been closed"})",
             {{"x-amzn-ErrorType", "CallbackTimeoutException"}}};
  try {
    client().heartbeat_callback("id");
    FAIL();
  } catch (const ApiError& error) {
    EXPECT_EQ(error.code(), "CallbackTimeoutException");
    EXPECT_STREQ(error.what(), "The callback has been closed");
    EXPECT_FALSE(error.is_transient());
  }
}

// Spec: 15.3.3
TEST_F(ClientTest, DoesNotTryAgainWhenItsTimeIsOver) {
  answer_ = {503, "{}", {{"x-amzn-ErrorType", "ServiceException"}}};
  ClientOptions options;
  options.endpoint = "http://" + server_.authority();
  options.timeout = std::chrono::milliseconds(20);
  EXPECT_THROW(Client(options).heartbeat_callback("id"), ApiError);
  EXPECT_EQ(server_.requests().size(), 1U);
}

struct Point {
  int x = 0;
  int y = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Point, x, y)
PAWL_DURABLE_NLOHMANN(Point)

// Spec: 9.2.2
TEST(Nlohmann, WritesAndReadsItsTypes) {
  EXPECT_EQ(to_text(std::vector<Point>{{1, 2}}), R"([{"x":1,"y":2}])");
  EXPECT_EQ(from_text<Point>(R"({"x":3,"y":4})").y, 4);
  EXPECT_THROW(from_text<Point>(R"({"x":3})"), SerializationError);
}

}  // namespace
}  // namespace pawl::durable
