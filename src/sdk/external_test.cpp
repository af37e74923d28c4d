// Callbacks, invoked functions and conditions: what something outside completes.
#include <gtest/gtest.h>

#include "pawl/durable_testing.h"

namespace pawl::durable {
namespace {

using namespace std::chrono_literals;
using testing::LocalExecution;
using testing::Reply;
using testing::RunStatus;
using testing::TestRunner;

struct Approval {
  bool approved = false;
};
PAWL_DURABLE_FIELDS(Approval, approved)

// Spec: 4.6.2.1-3, 7.2.1.1-4, B.2
TEST(Callback, GivesItsIdAndThenItsAnswer) {
  std::string asked;
  TestRunner runner([&asked](Context& ctx) -> Task<std::string> {
    auto approval = co_await ctx.create_callback<Approval>("approval", {.timeout = 48h});
    co_await ctx.step("ask", [&] { asked = approval.id(); });
    const Approval answer = co_await approval.result();
    co_return answer.approved ? "approved" : "rejected";
  });
  runner.on_callback("approval", Reply::success(R"({"approved":true})"), 3h);
  const auto run = runner.run();
  EXPECT_EQ(run.value<std::string>(), "approved");
  EXPECT_EQ(asked, runner.operation("approval").callback_id);
  EXPECT_EQ(runner.execution().checkpoints()[0].updates[0].timeout_seconds, 48 * 3600);
}

// Spec: 4.6.2.4: the raw bytes, as AWS's other SDKs give them.
TEST(Callback, GivesAStringAsItCame) {
  TestRunner runner([](Context& ctx) -> Task<std::vector<std::string>> {
    auto first = co_await ctx.create_callback("first");
    auto second = co_await ctx.create_callback<std::optional<std::string>>("second");
    std::vector<std::string> answers;
    answers.push_back(co_await first.result());
    answers.push_back((co_await second.result()).value_or("nothing"));
    co_return answers;
  });
  runner.on_callback("first", Reply::success("not JSON"));
  runner.on_callback("second", Reply::success());
  EXPECT_EQ(runner.run().value<std::vector<std::string>>(), (std::vector<std::string>{"not JSON", "nothing"}));
}

// Spec: 4.6.2.4
TEST(Callback, ThrowsWhatItWasFailedWith) {
  TestRunner runner([](Context& ctx) -> Task<std::string> {
    auto callback = co_await ctx.create_callback("approval");
    try {
      co_await callback.result();
    } catch (const CallbackTimeoutError&) {
      co_return "timeout";
    } catch (const CallbackError& error) {
      co_return *error.cause().type + ": " + error.what();
    }
    co_return "none";
  });
  runner.on_callback("approval", Reply::failure("RejectedError", "not approved"));
  EXPECT_EQ(runner.run().value<std::string>(), "RejectedError: not approved");
}

// Spec: 4.6.2.3, 4.6.5.1-2
TEST(Callback, TimesOutWithoutAnAnswerAndWithoutAHeartbeat) {
  for (const CallbackOptions options : {CallbackOptions{.timeout = 5s}, CallbackOptions{.heartbeat_timeout = 5s}}) {
    TestRunner runner([options](Context& ctx) -> Task<std::string> {
      auto callback = co_await ctx.create_callback("approval", options);
      try {
        co_await callback.result();
      } catch (const CallbackTimeoutError& error) {
        co_return *error.cause().type;
      }
      co_return "answered";
    });
    const std::string expected = options.timeout.seconds() > 0 ? "Callback.Timeout" : "Callback.Heartbeat";
    EXPECT_EQ(runner.run().value<std::string>(), expected);
  }
}

// Notes 16: an answer that comes before the invocation that asked has returned is not lost.
TEST(Callback, MayBeAnsweredWhileItsInvocationRuns) {
  TestRunner* world = nullptr;
  TestRunner runner([&world](Context& ctx) -> Task<std::string> {
    auto callback = co_await ctx.create_callback("approval");
    co_await ctx.step("answer", [&] { world->execution().complete_callback(callback.id(), Reply::success("early")); });
    co_return co_await callback.result();
  });
  world = &runner;
  const auto run = runner.run();
  EXPECT_EQ(run.value<std::string>(), "early");
  EXPECT_EQ(run.invocations, 1);
}

// Spec: 7.2.2.1-5
TEST(WaitForCallback, HandsTheIdOutInAStepAndWaits) {
  std::string submitted;
  TestRunner runner([&submitted](Context& ctx) -> Task<Approval> {
    co_return co_await ctx.wait_for_callback<Approval>(
        "approve", [&submitted](const std::string& id) { submitted = id; }, {.timeout = 60s, .heartbeat_timeout = 30s});
  });
  runner.on_callback("*", Reply::success(R"({"approved":true})"));
  const auto run = runner.run();
  EXPECT_TRUE(run.value<Approval>().approved);
  const auto& operations = runner.execution().operations();
  ASSERT_EQ(operations.size(), 4U);
  EXPECT_EQ(operations[1].sub_type, "WaitForCallback");
  EXPECT_EQ(operations[2].type, OperationType::Callback);
  EXPECT_EQ(operations[2].parent_id, operations[1].id);
  EXPECT_EQ(operations[2].callback_id, submitted);
  EXPECT_EQ(operations[3].type, OperationType::Step);
}

template <typename E>
Task<std::string> name_of_error(Context& ctx, bool submit_fails) {
  try {
    co_await ctx.wait_for_callback("approve",
                                   [submit_fails](const std::string&) {
                                     if (submit_fails) throw std::runtime_error("no mail");
                                   },
                                   {.timeout = 3s, .retry = retry::fixed(2, 1s)});
  } catch (const E& error) {
    co_return std::string(error.type()) + ": " + error.what();
  }
  co_return "none";
}

// Spec: 8.2.1.4: the error's type survives the context that it passed.
TEST(WaitForCallback, ThrowsAsTheCallbackDid) {
  TestRunner late([](Context& ctx) { return name_of_error<CallbackTimeoutError>(ctx, false); });
  EXPECT_EQ(late.run().value<std::string>(), "CallbackTimeoutError: The callback was not answered in time");
  TestRunner unsent([](Context& ctx) { return name_of_error<CallbackSubmitterError>(ctx, true); });
  EXPECT_EQ(unsent.run().value<std::string>(), "CallbackSubmitterError: no mail");
  TestRunner rejected([](Context& ctx) { return name_of_error<CallbackError>(ctx, false); });
  rejected.on_callback("*", Reply::failure("RejectedError", "not approved"));
  EXPECT_EQ(rejected.run().value<std::string>(), "CallbackError: not approved");
}

// Spec: 4.1.4, 4.7.2.1-4, 4.7.2.6, 4.7.5.1
TEST(Invoke, GivesTheResultOfTheFunction) {
  TestRunner runner([](Context& ctx) -> Task<int> {
    const std::map<std::string, int> input = {{"x", 21}};
    const auto result =
        co_await ctx.invoke<std::map<std::string, int>>("call", "double:$LATEST", input, {.tenant_id = "t1"});
    co_return result.at("y");
  });
  std::string given;
  runner.on_invoke("double:$LATEST", [&given](const std::string& payload) {
    given = payload;
    return Reply::success(R"({"y":42})");
  });
  EXPECT_EQ(runner.run().value<int>(), 42);
  EXPECT_EQ(given, R"({"x":21})");
  EXPECT_EQ(runner.execution().checkpoints()[0].updates[0].tenant_id, "t1");
}

// Spec: 4.7.2.5
TEST(Invoke, ThrowsAsTheFunctionEnded) {
  const auto run_with = [](const Reply& reply) {
    TestRunner runner([](Context& ctx) -> Task<std::string> {
      try {
        co_await ctx.invoke("call", "f", 1);
      } catch (const InvokeError& error) {
        co_return std::string(error.type()) + ": " + error.what();
      }
      co_return "none";
    });
    runner.on_invoke("f", [reply](const std::string&) { return reply; });
    return runner.run().value<std::string>();
  };
  EXPECT_EQ(run_with(Reply::failure("Boom", "it broke")), "InvokeError: it broke");
  EXPECT_EQ(run_with(Reply::timed_out("too late")), "InvokeTimeoutError: too late");
  EXPECT_EQ(run_with(Reply::stopped("by hand")), "InvokeStoppedError: by hand");
}

TEST(Invoke, RefusesAnInputOverTheLimit) {
  TestRunner runner(
      [](Context& ctx) -> Task<void> { co_await ctx.invoke("call", "f", std::string(kInvokePayloadBytesMax, 'x')); });
  EXPECT_EQ(runner.run().error->type, "ValidationError");
}

// Spec: 7.1.2.1-6, B.3: one STEP, RETRY with the state, the delay of the strategy.
TEST(WaitForCondition, ChecksUntilTheStateIsFinal) {
  Config config;
  config.start_linger = 1h;
  TestRunner runner(
      [](Context& ctx) -> Task<int> {
        co_return co_await ctx.wait_for_condition(
            "poll", [](int n) { return n + 1; }, 0,
            WaitStrategy<int>([](const int& n, int) { return n < 3 ? std::optional(Duration(2s)) : std::nullopt; }));
      },
      config);
  const auto run = runner.run();
  EXPECT_EQ(run.value<int>(), 3);
  EXPECT_EQ(run.invocations, 3);
  EXPECT_EQ(runner.operation("poll").sub_type, "WaitForCondition");
  const OperationUpdate& retry = runner.execution().checkpoints()[0].updates[1];
  EXPECT_EQ(retry.action, OperationAction::Retry);
  EXPECT_EQ(retry.payload, "1");
  EXPECT_EQ(retry.error, std::nullopt);
  EXPECT_EQ(retry.retry_delay_seconds, 2);
}

// Spec: 8.2.1.4: a check that throws, and a strategy that gives up, fail the operation at once.
TEST(WaitForCondition, FailsWithoutARetry) {
  TestRunner throwing([](Context& ctx) -> Task<int> {
    co_return co_await ctx.wait_for_condition(
        "poll", [](int) -> int { throw std::runtime_error("no answer"); }, 0,
        poll_while<int>([](int) { return true; }));
  });
  const auto run = throwing.run();
  EXPECT_EQ(run.error->type, "WaitConditionError");
  EXPECT_EQ(throwing.operation("poll").attempts, 1);

  TestRunner endless([](Context& ctx) -> Task<int> {
    co_return co_await ctx.wait_for_condition(
        "poll", [](int n) { return n + 1; }, 0,
        poll_while<int>([](int) { return true; }, {.attempts = 3, .first = 1s, .jitter = Jitter::None}));
  });
  const auto gave_up = endless.run();
  EXPECT_EQ(gave_up.status, RunStatus::Failed);
  EXPECT_EQ(endless.operation("poll").error->type, "MaxAttemptsExceeded");
  EXPECT_EQ(endless.operation("poll").attempts, 3);
}

}  // namespace
}  // namespace pawl::durable
