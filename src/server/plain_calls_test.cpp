// Calls of functions that are not durable and for which nobody waits: accepted once, made until they succeed.
#include "server/functions_test_fixture.h"

namespace pawl::server {
namespace {

class PlainCalls : public Functions {
 protected:
  void call_later(const std::string& payload) const {
    const Spoken accepted = invoke("plain", payload, {{"X-Amz-Invocation-Type", "Event"}});
    EXPECT_EQ(accepted.status, 202) << accepted.body;
    EXPECT_TRUE(accepted.body.empty());
  }
  // The statuses of all such calls, newest first, once none runs any more.
  std::string ends() const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (;;) {
      std::string all;
      const Value executions = ask("GET", "/2025-12-01/functions/plain/durable-executions").member("DurableExecutions");
      for (const Value& execution : executions.items()) all += std::string(execution.find("Status")->as_string()) + " ";
      if (!all.contains("RUNNING") || std::chrono::steady_clock::now() > deadline) return all;
      std::this_thread::yield();
    }
  }
};

TEST_F(PlainCalls, AreMadeAgainWhereTheServerEndedBeforeTheirAnswer) {
  call_later(R"({"taken": 1})");
  call_later(R"({"waiting": 2})");
  EXPECT_EQ(json::print(take("plain").event), R"({"taken":1})");
  restart();
  std::vector<std::string> seen;
  for (int i = 0; i < 2; ++i) {
    const Taken call = take("plain");
    seen.push_back(json::print(call.event));
    EXPECT_EQ(answer(call, "done", "plain").status, 202);
  }
  std::ranges::sort(seen);
  EXPECT_EQ(seen, (std::vector<std::string>{R"({"taken":1})", R"({"waiting":2})"}));
  EXPECT_EQ(ends(), "SUCCEEDED SUCCEEDED ");
}

TEST_F(PlainCalls, AreTriedThreeTimesAsAwsDoes) {
  server_.reset();
  virtual_now_ = SystemClock().now();
  start_server();
  call_later("1");
  call_later("2");
  for (int i = 0; i < 5; ++i) {
    const Taken call = take("plain");
    const bool is_last_of_second = i == 4;
    if (is_last_of_second)
      answer(call, "null", "plain");
    else
      fail_call(call, R"({"errorType":"E","errorMessage":"m"})", "plain");
  }
  const Taken last = take("plain");
  fail_call(last, R"({"errorType":"E","errorMessage":"m"})", "plain");
  const std::string all = ends();
  EXPECT_TRUE(all == "SUCCEEDED FAILED " || all == "FAILED SUCCEEDED ") << all;
}

// The tenant of a start is told to the code in each call, and the one of a chained invoke to what it calls.
TEST_F(PlainCalls, AndOthersTellForWhomTheyAre) {
  const auto tenant_of = [this](const std::string& function) {
    const Spoken next = ask("GET", runtime(function) + "invocation/next");
    const Taken call{next.header("Lambda-Runtime-Aws-Request-Id"), next.json()};
    if (function == "order")
      checkpoint(call.arn(), call.token(),
                 R"([{"Id":"c","Type":"CHAINED_INVOKE","Action":"START",)"
                 R"("ChainedInvokeOptions":{"FunctionName":"plain","TenantId":"red"}}])");
    answer(call, function == "order" ? R"({"Status":"PENDING"})" : "1", function);
    return next.header("Lambda-Runtime-Aws-Tenant-Id");
  };
  for (const char* kind : {"Event", "RequestResponse"}) {
    auto invoked = invoke_later("plain", "1", {{"X-Amz-Invocation-Type", kind}, {"X-Amz-Tenant-Id", "blue"}});
    EXPECT_EQ(tenant_of("plain"), "blue") << kind;
    invoked.get();
  }
  EXPECT_EQ(invoke("order", "1", {{"X-Amz-Invocation-Type", "Event"}, {"X-Amz-Tenant-Id", "green"}}).status, 202);
  EXPECT_EQ(tenant_of("order"), "green");
  EXPECT_EQ(tenant_of("plain"), "red");
  EXPECT_EQ(invoke("plain", "1", {{"X-Amz-Tenant-Id", "a?"}}).error(), "400 ValidationException");
}

TEST_F(PlainCalls, RunTheVersionThatWasAskedFor) {
  ask("POST", "/2015-03-31/functions/plain/versions", "{}");
  EXPECT_EQ(invoke("plain:1", "7", {{"X-Amz-Invocation-Type", "Event"}}).status, 202);
  const Spoken next = ask("GET", runtime("plain") + "invocation/next");
  EXPECT_TRUE(next.header("Lambda-Runtime-Invoked-Function-Arn").ends_with(":function:plain:1"));
  EXPECT_EQ(next.body, "7");
}

}  // namespace
}  // namespace pawl::server
