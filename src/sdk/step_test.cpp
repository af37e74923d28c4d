// Steps: attempts, retries, results and errors, seen through the updates that they send.
#include <atomic>

#include <gtest/gtest.h>

#include "pawl/durable_testing.h"

namespace pawl::durable {
namespace {

using namespace std::chrono_literals;
using testing::RunStatus;
using testing::TestRunner;

// The updates of a run, a word for each: "STEP START|STEP SUCCEED" of one call, "; " between calls.
std::string calls_of(TestRunner& runner) {
  std::string text;
  for (const CheckpointRequest& call : runner.execution().checkpoints()) {
    text += text.empty() ? "" : "; ";
    for (std::size_t index = 0; index < call.updates.size(); ++index) {
      text += index == 0 ? "" : "|";
      text +=
          std::string(to_string(call.updates[index].type)) + " " + std::string(to_string(call.updates[index].action));
    }
  }
  return text;
}

Task<std::string> greet(Context& ctx, std::string name) {
  co_return co_await ctx.step("greet", [&] { return "Hello, " + name + "!"; });
}

// Spec: 4.4.2.4-5, 5.6.1-2, A.1
TEST(Step, RecordsItsStartAndItsResultInOneCall) {
  Config config;
  config.start_linger = 1h;
  TestRunner runner(greet, config);
  const auto run = runner.run(std::string("World"));
  ASSERT_EQ(run.status, RunStatus::Succeeded);
  EXPECT_EQ(run.value<std::string>(), "Hello, World!");
  EXPECT_EQ(calls_of(runner), "STEP START|STEP SUCCEED");
  EXPECT_EQ(runner.operation("greet").result, "\"Hello, World!\"");
  EXPECT_EQ(runner.operation("greet").sub_type, "Step");
}

// Spec: 4.4.2.1, 3.3.2.1, 3.3.1.3, 2.5.8: the id is the place of the call, hashed as AWS's JavaScript SDK does it.
TEST(Step, IsKnownByItsPlace) {
  TestRunner runner([](Context& ctx) -> Task<void> {
    co_await ctx.step("one", [] {});
    co_await ctx.step("two", [] {});
  });
  ASSERT_EQ(runner.run().status, RunStatus::Succeeded);
  EXPECT_EQ(runner.operation("one").id, "c4ca4238a0b92382");
  EXPECT_EQ(runner.operation("two").id, "c81e728d9d4c2f63");
}

// Spec: 2.3.1-2, 2.5.7, 2.5.9, 4.4.2.2-3, 3.3.2.2-3, 9.3.1: a completed step gives its recorded result and does not run
// again.
TEST(Step, DoesNotRunAgainOnReplay) {
  std::atomic<int> runs = 0;
  TestRunner runner([&runs](Context& ctx) -> Task<int> {
    const int value = co_await ctx.step("count", [&runs] { return ++runs; });
    co_await ctx.wait(1h);
    co_return value;
  });
  const auto run = runner.run();
  EXPECT_EQ(run.invocations, 2);
  EXPECT_EQ(run.value<int>(), 1);
  EXPECT_EQ(runs, 1);
}

// Spec: 4.4.2.6, 4.4.5.2-4, 8.3.1.1-2, A.2: START again when READY; the attempt that the code sees is one more than
// those that
// ended.
TEST(Step, RetriesAfterTheDelayOfItsStrategy) {
  Config config;
  config.start_linger = 1h;
  TestRunner runner(
      [](Context& ctx) -> Task<int> {
        co_return co_await ctx.step("flaky",
                                    [](StepContext& step) {
                                      if (step.attempt() < 3) throw std::runtime_error("boom");
                                      return step.attempt();
                                    },
                                    {.retry = retry::fixed(5, 7s)});
      },
      config);
  const auto run = runner.run();
  EXPECT_EQ(run.value<int>(), 3);
  EXPECT_EQ(run.invocations, 3);
  EXPECT_EQ(calls_of(runner), "STEP START|STEP RETRY; STEP START|STEP RETRY; STEP START|STEP SUCCEED");
  EXPECT_EQ(runner.execution().checkpoints()[0].updates[1].retry_delay_seconds, 7);
  EXPECT_EQ(runner.operation("flaky").attempts, 3);
}

// Spec: 8.2.1.3, 8.3.1.3: exhausted retries fail the step, and the execution where nobody catches it.
TEST(Step, FailsWhenItsRetriesAreExhausted) {
  TestRunner runner([](Context& ctx) -> Task<void> {
    co_await ctx.step("bad", []() -> int { throw std::range_error("nope"); }, {.retry = retry::fixed(2, 1s)});
  });
  const auto run = runner.run();
  ASSERT_EQ(run.status, RunStatus::Failed);
  EXPECT_EQ(run.error->type, "StepError");
  EXPECT_EQ(run.error->message, "nope");
  EXPECT_EQ(runner.operation("bad").status, OperationStatus::Failed);
  EXPECT_EQ(runner.operation("bad").error->type, "std::range_error");
  EXPECT_EQ(runner.operation("bad").attempts, 2);
}

// Spec: 2.5.7, 8.3.3.1-2, 8.3.3.4, 11.3.1: the same type and content on the first run and on the replay.
TEST(Step, ThrowsTheSameErrorOnEachReplay) {
  std::vector<std::string> seen;
  TestRunner runner([&seen](Context& ctx) -> Task<void> {
    try {
      co_await ctx.step("bad", []() -> int { throw ApplicationError("OutOfStock", "none left", R"({"sku":"A"})"); },
                        {.retry = retry::none()});
    } catch (const StepError& error) {
      seen.push_back(*error.cause().type + " " + error.what() + " " + *error.cause().data);
    }
    co_await ctx.wait(1s);
  });
  ASSERT_EQ(runner.run().status, RunStatus::Succeeded);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0], "OutOfStock none left {\"sku\":\"A\"}");
  EXPECT_EQ(seen[0], seen[1]);
}

struct TransientError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Spec: 4.4.5.1: strategies may look at the error.
TEST(Step, LetsAStrategyLookAtTheErrorsType) {
  const auto only_transient =
      retry::backoff({.attempts = 3, .first = 1s, .jitter = Jitter::None, .only_if = [](const Failure& failure) {
                        return failure.is<TransientError>();
                      }});
  TestRunner runner([&](Context& ctx) -> Task<void> {
    co_await ctx.step("flaky",
                      [](StepContext& step) {
                        if (step.attempt() == 1) throw TransientError("later");
                        throw std::logic_error("never");
                      },
                      {.retry = only_transient});
  });
  EXPECT_EQ(runner.run().status, RunStatus::Failed);
  EXPECT_EQ(runner.operation("flaky").attempts, 2);
  EXPECT_EQ(runner.operation("flaky").error->type, "std::logic_error");
}

TEST(Step, WaitsAsTheStandardStrategySays) {
  TestRunner runner(
      [](Context& ctx) -> Task<void> { co_await ctx.step("bad", []() { throw std::runtime_error("x"); }); });
  EXPECT_EQ(runner.run().status, RunStatus::Failed);
  EXPECT_EQ(runner.operation("bad").attempts, 6);
  const Timestamp begin = runner.operation("bad").started;
  EXPECT_LE(*runner.operation("bad").ended - begin, 5s + 10s + 20s + 40s + 60s);
}

// Spec: 5.6.1: at most once, the start is durable before the body runs.
TEST(AtMostOnceStep, IsRecordedAsStartedBeforeItRuns) {
  TestRunner runner([](Context& ctx) -> Task<std::string> {
    co_return co_await ctx.step("charge", [] { return std::string("paid"); }, {.semantics = StepSemantics::AtMostOnce});
  });
  EXPECT_EQ(runner.run().value<std::string>(), "paid");
  EXPECT_EQ(calls_of(runner), "STEP START; STEP SUCCEED");
}

OperationRecord interrupted(const std::string& name) {
  OperationRecord record;
  record.id = "c4ca4238a0b92382";
  record.type = OperationType::Step;
  record.status = OperationStatus::Started;
  record.name = name;
  record.sub_type = "Step";
  return record;
}

// Spec: 2.5.9: a step that may have run is not run again.
TEST(AtMostOnceStep, FailsWhereItWasInterruptedAndHasNoRetry) {
  int runs = 0;
  TestRunner runner([&runs](Context& ctx) -> Task<void> {
    co_await ctx.step("charge", [&runs] { ++runs; }, {.retry = retry::none(), .semantics = StepSemantics::AtMostOnce});
  });
  runner.prepare([](testing::LocalExecution& execution) { execution.seed(interrupted("charge")); });
  const auto run = runner.run();
  ASSERT_EQ(run.status, RunStatus::Failed);
  EXPECT_EQ(runner.operation("charge").error->type, "StepInterruptedError");
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(calls_of(runner), "STEP FAIL");
}

// Spec: A.4: as the notes correct it, an interrupted step runs again without a second START.
TEST(Step, RunsAgainWithoutASecondStartWhereItWasInterrupted) {
  TestRunner runner(greet);
  runner.prepare([](testing::LocalExecution& execution) { execution.seed(interrupted("greet")); });
  EXPECT_EQ(runner.run(std::string("Ada")).value<std::string>(), "Hello, Ada!");
  EXPECT_EQ(calls_of(runner), "STEP SUCCEED");
}

// Spec: 3.4.1, 8.2.1.6, 14.1.6: counted in bytes, and terminal.
TEST(Step, FailsWhereItsResultIsOverTheLimit) {
  TestRunner runner([](Context& ctx) -> Task<void> {
    co_await ctx.step("large", [] { return std::string(kPayloadBytesMax, 'x'); });
  });
  const auto run = runner.run();
  ASSERT_EQ(run.status, RunStatus::Failed);
  EXPECT_EQ(run.invocations, 1);
  EXPECT_NE(run.error->message->find("262146 bytes; the most is 262144"), std::string::npos) << *run.error->message;
}

// Spec: 9.1.2: nothing, null and empty are three results.
TEST(Step, KeepsNothingApartFromNull) {
  TestRunner runner([](Context& ctx) -> Task<void> {
    co_await ctx.step("nothing", [] {});
    const Json null = co_await ctx.step("null", [] { return Json(); });
    const std::string empty = co_await ctx.step("empty", [] { return std::string(); });
    EXPECT_TRUE(null.is_null());
    EXPECT_EQ(empty, "");
  });
  ASSERT_EQ(runner.run().status, RunStatus::Succeeded);
  EXPECT_EQ(runner.operation("nothing").result, std::nullopt);
  EXPECT_EQ(runner.operation("null").result, "null");
  EXPECT_EQ(runner.operation("empty").result, "\"\"");
}

// Spec: 9.2.1: what the serializer gives is what is recorded, and what the code gets is what was read back.
TEST(Step, UsesItsOwnSerializer) {
  const Serdes<std::string> shouting{[](const std::string& text) {
                                       std::string out;
                                       for (const char c : text) out += static_cast<char>(std::toupper(c));
                                       return out;
                                     },
                                     [](std::string_view text) { return std::string(text); }};
  TestRunner runner([&](Context& ctx) -> Task<std::string> {
    co_return co_await ctx.step("shout", [] { return std::string("hello"); }, {}, shouting);
  });
  EXPECT_EQ(runner.run().value<std::string>(), "HELLO");
  EXPECT_EQ(runner.operation("shout").result, "HELLO");
}

// A body that outruns its time is asked to stop; the attempt counts as failed.
TEST(Step, FailsAnAttemptThatOutrunsItsTimeout) {
  Config config;
  config.start_linger = 1h;
  TestRunner runner(
      [](Context& ctx) -> Task<int> {
        co_return co_await ctx.step("slow",
                                    [](StepContext& step) {
                                      while (step.attempt() == 1 && !step.stop_token().stop_requested())
                                        std::this_thread::yield();
                                      return step.attempt();
                                    },
                                    {.retry = retry::fixed(2, 1s), .timeout = 20ms});
      },
      config);
  EXPECT_EQ(runner.run().value<int>(), 2);
  const OperationUpdate& recorded = runner.execution().checkpoints().at(0).updates.back();
  ASSERT_EQ(recorded.action, OperationAction::Retry);
  EXPECT_EQ(recorded.error->type, "StepTimeoutError");
}

// Spec: 11.2.1: bodies overlap.
TEST(Step, RunsBesideOthersThatWereStarted) {
  std::atomic<int> here = 0;
  TestRunner runner([&here](Context& ctx) -> Task<int> {
    const auto meet = [&here] {
      ++here;
      while (here < 2) std::this_thread::yield();
      return 1;
    };
    auto left = ctx.step("left", meet);
    auto right = ctx.step("right", meet);
    const int first = co_await left;
    co_return first + co_await right;
  });
  EXPECT_EQ(runner.run().value<int>(), 2);
}

// Spec: 8.2.1.5, 14.1.6: refused before the service does it.
TEST(Step, RefusesANameThatTheServiceWouldRefuse) {
  TestRunner runner([](Context& ctx) -> Task<void> { co_await ctx.step("grüße", [] {}); });
  const auto run = runner.run();
  ASSERT_EQ(run.status, RunStatus::Failed);
  EXPECT_EQ(run.error->type, "ValidationError");
  EXPECT_TRUE(runner.execution().checkpoints().empty());
}

}  // namespace
}  // namespace pawl::durable
