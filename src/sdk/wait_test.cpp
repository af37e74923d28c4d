// Waits and suspension.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "pawl/durable_testing.h"
#include "sdk/step_pace.h"

namespace pawl::durable {
namespace {

using namespace std::chrono_literals;
using testing::RunStatus;
using testing::TestRunner;

// Spec: 4.1.2, 4.5.2.3-5, 3.2.3, A.3
TEST(Wait, SuspendsTheFunctionUntilItsTimeHasCome) {
  TestRunner runner([](Context& ctx) -> Task<std::string> {
    co_await ctx.wait("nap", 60s);
    co_return "done";
  });
  const auto run = runner.run();
  EXPECT_EQ(run.value<std::string>(), "done");
  EXPECT_EQ(run.invocations, 2);
  EXPECT_EQ(runner.execution().checkpoints().size(), 1U);
  EXPECT_EQ(*runner.operation("nap").ended - runner.operation("nap").started, 60s);
}

std::int64_t seconds_for(Duration duration) {
  TestRunner runner([duration](Context& ctx) -> Task<void> { co_await ctx.wait(duration); });
  EXPECT_EQ(runner.run().status, RunStatus::Succeeded);
  return *runner.execution().checkpoints()[0].updates[0].wait_seconds;
}

// Spec: 4.5.2.1-2
TEST(Wait, TakesDurationsFromMillisecondsToAYear) {
  EXPECT_EQ(seconds_for(1ms), 1);
  EXPECT_EQ(seconds_for(0s), 1);
  EXPECT_EQ(seconds_for(1500ms), 2);
  EXPECT_EQ(seconds_for(2min), 120);
  EXPECT_EQ(seconds_for(1h), 3600);
  EXPECT_EQ(seconds_for(std::chrono::days(2)), 172800);
  EXPECT_EQ(seconds_for(std::chrono::weeks(1)), 604800);
  EXPECT_EQ(seconds_for(std::chrono::months(1)), 2629746);
  EXPECT_EQ(seconds_for(std::chrono::years(1)), 31556952);
}

// Spec: 14.1.6, 14.2.1
TEST(Wait, RefusesLessThanNothingAndMoreThanAYear) {
  for (const Duration wrong : {Duration(-1s), Duration(std::chrono::seconds(kWaitSecondsMax + 1))}) {
    TestRunner runner([wrong](Context& ctx) -> Task<void> { co_await ctx.wait(wrong); });
    const auto run = runner.run();
    ASSERT_EQ(run.status, RunStatus::Failed);
    EXPECT_EQ(run.error->type, "ValidationError");
  }
}

// Spec: 4.5.2.6
TEST(Wait, EndsWhenItIsCancelled) {
  const Handler handler([](Context& ctx) -> Task<std::string> {
    Wait nap = ctx.wait("nap", 24h);
    co_await ctx.step("decide", [] {});
    nap.cancel();
    co_await nap;
    co_await ctx.wait("short", 1s);
    co_return "early";
  });
  // Where the step runs on the handler's thread, no time is skipped beside it, however busy the machine is.
  for (int run = 0; run < detail::StepPace::kQuickRunsMin; ++run) handler.pace()->note("decide", {});
  TestRunner runner(handler);
  const auto run = runner.run();
  EXPECT_EQ(run.value<std::string>(), "early");
  EXPECT_EQ(runner.operation("nap").status, OperationStatus::Cancelled);
  EXPECT_LT(runner.execution().now() - runner.operation("nap").started, 1h);
}

// Whoever catches everything does not catch a suspension: it is not an exception.
TEST(Suspension, IsNotSeenByACatchAll) {
  std::vector<std::string> seen;
  TestRunner runner([&seen](Context& ctx) -> Task<void> {
    try {
      co_await ctx.wait(1h);
      seen.push_back("after");
    } catch (...) {
      seen.push_back("caught");
    }
  });
  ASSERT_EQ(runner.run().status, RunStatus::Succeeded);
  EXPECT_EQ(seen, std::vector<std::string>{"after"});
}

struct Guard {
  std::vector<std::string>* log;
  const char* name;
  ~Guard() { log->push_back(name); }
};

// Frames of a suspended function are destroyed after its answer, the inner ones first.
TEST(Suspension, DestroysFramesAfterTheAnswerAndInsideOut) {
  std::vector<std::string> log;
  const Handler handler([&log](Context& ctx) -> Task<void> {
    const Guard outer{&log, "outer"};
    co_await ctx.run_in_child_context("child", [&log](Context& child) -> Task<void> {
      const Guard inner{&log, "inner"};
      co_await child.wait(1h);
    });
  });
  testing::LocalExecution execution(std::nullopt);
  {
    const FinishedInvocation finished = run_invocation(handler, execution.begin_invocation(), execution);
    EXPECT_EQ(finished.answer().status, Answer::Status::Pending);
    EXPECT_TRUE(log.empty());
  }
  EXPECT_EQ(log, (std::vector<std::string>{"inner", "outer"}));
}

// Spec: 3.2.3: a suspension waits for bodies that run.
TEST(Suspension, WaitsForEveryBodyThatRuns) {
  std::atomic<bool> returned = false;
  const Handler handler([&returned](Context& ctx) -> Task<void> {
    auto slow = ctx.step("slow", [&returned] {
      std::this_thread::sleep_for(20ms);
      returned = true;
    });
    co_await ctx.wait(1h);
    co_await slow;
  });
  testing::LocalExecution execution(std::nullopt);
  const FinishedInvocation finished = run_invocation(handler, execution.begin_invocation(), execution);
  EXPECT_TRUE(returned);
}

// A body nobody awaits has returned before the answer leaves.
TEST(Suspension, StopsBodiesThatNobodyAwaitsBeforeTheAnswer) {
  std::atomic<bool> returned = false;
  const Handler handler([&returned](Context& ctx) -> Task<void> {
    auto forgotten = ctx.step("forgotten", [&returned](StepContext& step) {
      while (!step.stop_token().stop_requested()) std::this_thread::yield();
      returned = true;
    });
    static_cast<void>(forgotten);
    co_await ctx.step("kept", [] {});
  });
  testing::LocalExecution execution(std::nullopt);
  const FinishedInvocation finished = run_invocation(handler, execution.begin_invocation(), execution);
  EXPECT_EQ(finished.answer().status, Answer::Status::Succeeded);
  EXPECT_TRUE(returned);
}

struct Never {
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<>) const {}
  void await_resume() const {}
};

// Spec: 3.2.3: never PENDING with nothing pending.
TEST(Suspension, FailsWhereNothingCouldWakeTheFunction) {
  TestRunner runner([](Context&) -> Task<void> { co_await Never(); });
  const auto run = runner.run();
  ASSERT_EQ(run.status, RunStatus::Failed);
  EXPECT_EQ(run.error->type, "NothingToWaitFor");
}

// Spec: 5.1.3, 5.5.1-2: while a branch works, one that waits is asked for instead of suspended.
TEST(Wait, EndsWhileAnotherBranchIsStillBusy) {
  std::atomic<bool> waited = false;
  TestRunner runner([&waited](Context& ctx) -> Task<void> {
    auto busy = ctx.step("busy", [&waited](StepContext& step) {
      while (!waited && !step.stop_token().stop_requested()) std::this_thread::yield();
    });
    co_await ctx.wait("nap", 1h);
    waited = true;
    co_await busy;
  });
  const auto run = runner.run();
  EXPECT_EQ(run.status, RunStatus::Succeeded);
  EXPECT_EQ(run.invocations, 1);
}

}  // namespace
}  // namespace pawl::durable
