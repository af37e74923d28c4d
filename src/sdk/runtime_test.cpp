#include "sdk/runtime.h"

#include <gtest/gtest.h>

#include "sdk/api_client.h"
#include "sdk/runtime_test_server.h"

namespace pawl::durable::detail {
namespace {

using namespace std::chrono_literals;
using testing::LocalExecution;
using testing::ServedAnswer;
using testing::ServedRequest;
using testing::TestServer;

// A runtime with one execution behind it; `faults` may answer a call of the function in the service's place.
class RuntimeTest : public ::testing::Test {
 protected:
  ServedAnswer serve(const ServedRequest& request) {
    if (request.path.ends_with("/invocation/next")) {
      const InvocationEvent event = execution_.begin_invocation();
      return {200,
              testing::event_text(event),
              {{"Lambda-Runtime-Aws-Request-Id", event.request_id}, {"Lambda-Runtime-Deadline-Ms", "0"}}};
    }
    if (request.path.starts_with("/2018-06-01/runtime/")) {
      execution_.end_invocation();
      return {202, "{}"};
    }
    if (!faults_.empty()) {
      const auto fault = faults_.front();
      faults_.erase(faults_.begin());
      if (auto answer = fault(request)) return *answer;
    }
    return testing::serve_durable(execution_, request);
  }

  ApiSettings settings() const {
    return {Endpoint::parse("http://" + server_.authority()), "us-east-1", {"AKIAFAKE", "fake", ""}};
  }

  // Runs one invocation and gives what was posted for it.
  ServedRequest invoke(const Handler& handler) {
    Config config;
    config.start_linger = 1h;
    config.service = [this] { return std::make_unique<HttpService>(settings()); };
    RuntimeSlot slot(handler, config, Endpoint::parse("http://" + server_.authority()));
    slot.run_one();
    return server_.requests().back();
  }

  LocalExecution execution_{R"({"n":20})"};
  std::vector<std::function<std::optional<ServedAnswer>(const ServedRequest&)>> faults_;
  TestServer server_{[this](const ServedRequest& request) { return serve(request); }};
};

Task<Json> three_steps(Context& ctx, Json event) {
  const int a = co_await ctx.step("one", [&] { return static_cast<int>(event.at("n").as_integer()) + 1; });
  const int b = co_await ctx.step("two", [&] { return a * 2; });
  Json c = co_await ctx.step("three", [&] { return Json::object({{"a", a}, {"b", b}, {"sum", a + b}}); });
  co_return c;
}

// Spec: 3.1.1.1, 12.1.1-5, 12.3.1, 15.1.1
TEST_F(RuntimeTest, RunsAFunctionOverTheRuntimeApi) {
  const ServedRequest posted = invoke(three_steps);
  EXPECT_EQ(posted.path, "/2018-06-01/runtime/invocation/request-1/response");
  EXPECT_EQ(posted.body, R"({"Status":"SUCCEEDED","Result":"{\"a\":21,\"b\":42,\"sum\":63}"})");
  EXPECT_EQ(execution_.checkpoints().size(), 3U);
}

// Spec: 13.2.3
TEST_F(RuntimeTest, UsesItsConnectionsAgain) {
  Config config;
  config.service = [this] { return std::make_unique<HttpService>(settings()); };
  const Handler handler([](Context& ctx, Json) -> Task<void> { co_await ctx.wait("nap", 1h); });
  RuntimeSlot slot(handler, config, Endpoint::parse("http://" + server_.authority()));
  slot.run_one();
  const std::size_t before = server_.connections();
  ASSERT_TRUE(execution_.advance());
  slot.run_one();
  EXPECT_EQ(server_.connections(), before);
}

// Spec: 5.3.1-3, 5.4.1-3: the requests are AWS's own, but for the tokens and the agent.
TEST_F(RuntimeTest, SendsWhatAwsClientSends) {
  invoke(three_steps);
  const ServedRequest call = server_.requests()[1];
  EXPECT_EQ(call.method, "POST");
  EXPECT_TRUE(call.path.starts_with(
      "/2025-12-01/durable-executions/"
      "arn%3Aaws%3Alambda%3Aus-east-1%3A123456789012%3Afunction%3Atest%3A%24LATEST%2Fdurable-execution%2F"))
      << call.path;
  EXPECT_EQ(call.headers.at("content-type"), "application/json");
  EXPECT_TRUE(call.headers.at("authorization").starts_with("AWS4-HMAC-SHA256 Credential=AKIAFAKE/"));
  EXPECT_TRUE(call.headers.at("user-agent").starts_with("aws-durable-execution-sdk-cpp/"));
  EXPECT_NE(
      call.body.find(
          R"("Updates":[{"Id":"c4ca4238a0b92382","Type":"STEP","Action":"START","Name":"one","SubType":"Step"},)"
          R"({"Id":"c4ca4238a0b92382","Type":"STEP","Action":"SUCCEED","Name":"one","SubType":"Step","Payload":"21"}],"ClientToken":")"),
      std::string::npos)
      << call.body;
}

Task<std::string> nap(Context& ctx) {
  co_await ctx.step("a", [] { return 1; });
  co_await ctx.wait("nap", 1s);
  co_await ctx.step("b", [] { return 2; });
  co_return "ok";
}

// Spec: 3.2.3, 3.3.1.4, 12.1.3
TEST_F(RuntimeTest, AnswersPendingAndGoesOnInTheNextInvocation) {
  EXPECT_EQ(invoke(nap).body, R"({"Status":"PENDING"})");
  execution_.advance();
  EXPECT_EQ(invoke(nap).body, R"({"Status":"SUCCEEDED","Result":"\"ok\""})");
}

// Spec: 3.1.1.3, 15.1.2: all pages of the state.
TEST_F(RuntimeTest, ReadsAllPagesOfTheState) {
  execution_.page_by(1);
  invoke(nap);
  execution_.advance();
  EXPECT_EQ(invoke(nap).body, R"({"Status":"SUCCEEDED","Result":"\"ok\""})");
  int states = 0;
  for (const ServedRequest& request : server_.requests()) states += request.path.ends_with("/state");
  EXPECT_EQ(states, 2);
}

// Spec: 15.3.1: a lost answer is asked for again with the same ClientToken, and nothing is recorded twice.
TEST_F(RuntimeTest, AsksAgainForALostAnswer) {
  faults_.push_back([this](const ServedRequest& request) -> std::optional<ServedAnswer> {
    testing::serve_durable(execution_, request);
    return ServedAnswer{200, "{}", {}, true};
  });
  EXPECT_EQ(invoke(three_steps).body, R"({"Status":"SUCCEEDED","Result":"{\"a\":21,\"b\":42,\"sum\":63}"})");
  EXPECT_EQ(server_.requests()[1].body, server_.requests()[2].body);
  EXPECT_EQ(execution_.checkpoints().size(), 3U);
}

// Spec: 15.2.3-4, 15.3.1: throttled and failed calls are made again.
TEST_F(RuntimeTest, TriesAgainWhereTheServiceIsBusy) {
  for (const int status : {429, 500}) {
    faults_.push_back([status](const ServedRequest&) {
      return ServedAnswer{status, R"({"message":"later"})", {{"x-amzn-ErrorType", "TooManyRequestsException"}}};
    });
  }
  EXPECT_EQ(invoke(three_steps).body, R"({"Status":"SUCCEEDED","Result":"{\"a\":21,\"b\":42,\"sum\":63}"})");
}

// Spec: 3.4.2, 5.2.3, 8.2.1.1, 15.2.1: a stale token fails the invocation, not the execution; AWS's casing, and
// another.
TEST_F(RuntimeTest, FailsTheInvocationForAStaleToken) {
  for (const char* message : {"Invalid checkpoint token", "Invalid Checkpoint Token: expired"}) {
    faults_.push_back([message](const ServedRequest&) {
      return ServedAnswer{400,
                          Json::object({{"Type", "User"}, {"message", message}}).dump(),
                          {{"x-amzn-ErrorType", "InvalidParameterValueException"}}};
    });
    const ServedRequest posted = invoke(three_steps);
    EXPECT_TRUE(posted.path.ends_with("/error")) << posted.path;
    EXPECT_EQ(posted.headers.at("lambda-runtime-function-error-type"), "CheckpointError");
  }
}

// Spec: 8.2.1.6, 15.3.2: a refusal that no retry changes fails the execution.
TEST_F(RuntimeTest, FailsTheExecutionForARefusal) {
  faults_.push_back([](const ServedRequest&) {
    return ServedAnswer{
        400,
        R"({"Type":"User","Message":"STEP output payload size must be less than or equal to 262144 bytes."})",
        {{"x-amzn-ErrorType", "InvalidParameterValueException"}}};
  });
  const ServedRequest posted = invoke(three_steps);
  EXPECT_TRUE(posted.path.ends_with("/response"));
  const Json answer = Json::parse(posted.body);
  EXPECT_EQ(answer.at("Status").as_string(), "FAILED");
  EXPECT_NE(answer.at("Error").at("ErrorMessage").as_string().find("payload size"), std::string::npos);
}

TEST(Endpoint, ReadsAddresses) {
  const Endpoint plain = Endpoint::parse("http://127.0.0.1:9000/base/");
  EXPECT_EQ(plain.authority(), "127.0.0.1:9000");
  EXPECT_EQ(plain.base_path, "/base");
  const Endpoint tls = Endpoint::parse("https://lambda.eu-north-1.amazonaws.com");
  EXPECT_TRUE(tls.tls);
  EXPECT_EQ(tls.port, 443);
  EXPECT_EQ(tls.authority(), "lambda.eu-north-1.amazonaws.com");
  EXPECT_EQ(Endpoint::parse("http://[::1]:80").host, "::1");
  EXPECT_THROW(Endpoint::parse("ftp://x"), std::invalid_argument);
  EXPECT_THROW(Endpoint::parse("http://:80"), std::invalid_argument);
  EXPECT_THROW(Endpoint::parse("http://h:port"), std::invalid_argument);
}

}  // namespace
}  // namespace pawl::durable::detail
