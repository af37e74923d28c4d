// Child contexts, and the rules of using contexts.
#include <atomic>

#include <gtest/gtest.h>

#include "pawl/durable_testing.h"

namespace pawl::durable {
namespace {

using namespace std::chrono_literals;
using testing::RunStatus;
using testing::TestRunner;

// Spec: 4.8.2.1-2, 4.1.5
TEST(ChildContext, HoldsItsOperations) {
  TestRunner runner([](Context& ctx) -> Task<int> {
    co_return co_await ctx.run_in_child_context("outer", [](Context& outer) -> Task<int> {
      const int one = co_await outer.step("one", [] { return 1; });
      co_return one + co_await outer.run_in_child_context("inner", [](Context& inner) -> Task<int> {
        co_return co_await inner.step("two", [] { return 2; });
      });
    });
  });
  EXPECT_EQ(runner.run().value<int>(), 3);
  EXPECT_EQ(runner.operation("one").parent_id, runner.operation("outer").id);
  EXPECT_EQ(runner.operation("inner").parent_id, runner.operation("outer").id);
  EXPECT_EQ(runner.operation("two").parent_id, runner.operation("inner").id);
  EXPECT_EQ(runner.operation("outer").result, "3");
  EXPECT_EQ(runner.operation("outer").sub_type, "RunInChildContext");
}

// Spec: 4.8.2.3, 2.5.9: a context that has ended is not entered again.
TEST(ChildContext, IsNotRunAgainOnReplay) {
  int runs = 0;
  TestRunner runner([&runs](Context& ctx) -> Task<int> {
    const int value = co_await ctx.run_in_child_context("child", [&runs](Context&) -> Task<int> { co_return ++runs; });
    co_await ctx.wait(1s);
    co_return value;
  });
  EXPECT_EQ(runner.run().value<int>(), 1);
  EXPECT_EQ(runs, 1);
}

// Spec: 4.8.2.5, 8.3.2.1-2, B.6
TEST(ChildContext, FailsWithWhatItDidNotCatch) {
  std::vector<std::string> seen;
  TestRunner runner([&seen](Context& ctx) -> Task<std::string> {
    try {
      co_await ctx.run_in_child_context("risky", [](Context& child) -> Task<void> {
        co_await child.step("bad", [] { throw std::runtime_error("broken"); }, {.retry = retry::none()});
      });
    } catch (const ChildContextError& error) {
      seen.push_back(*error.cause().type + ": " + error.what());
    }
    co_await ctx.wait(1s);
    co_return co_await ctx.step("fallback", [] { return std::string("recovered"); });
  });
  EXPECT_EQ(runner.run().value<std::string>(), "recovered");
  EXPECT_EQ(seen, (std::vector<std::string>{"StepError: broken", "StepError: broken"}));
  EXPECT_EQ(runner.operation("risky").status, OperationStatus::Failed);
}

// Spec: 4.8.5.1, 4.8.2.4: a result over the limit is not recorded; the children are, and the body gives it again.
TEST(ChildContext, IsRunOverItsChildrenWhereItsResultIsTooLarge) {
  std::atomic<int> bodies = 0;
  std::atomic<int> steps = 0;
  TestRunner runner([&](Context& ctx) -> Task<std::size_t> {
    const std::string large = co_await ctx.run_in_child_context("big", [&](Context& child) -> Task<std::string> {
      ++bodies;
      const std::string half = co_await child.step("half", [&steps] {
        ++steps;
        return std::string(150'000, 'x');
      });
      co_return half + half;
    });
    co_await ctx.wait(1s);
    co_return large.size();
  });
  const auto run = runner.run();
  ASSERT_EQ(run.status, RunStatus::Succeeded) << run.error->message.value_or("");
  EXPECT_EQ(run.value<std::size_t>(), 300'000U);
  EXPECT_EQ(bodies, 2);
  EXPECT_EQ(steps, 1);
  EXPECT_TRUE(runner.operation("big").replay_children);
  EXPECT_EQ(runner.operation("big").result, "");
}

// Spec: 3.4.3, 4.3.2.3, 4.1.6, 5.7.2: an execution's result over the limit is recorded by a checkpoint.
TEST(Execution, RecordsAResultThatIsTooLargeForTheAnswer) {
  TestRunner runner([](Context&) -> Task<std::string> { co_return std::string(7'000'000, 'y'); });
  const auto run = runner.run();
  ASSERT_EQ(run.status, RunStatus::Succeeded);
  EXPECT_EQ(run.result->size(), 7'000'002U);
  ASSERT_EQ(runner.execution().checkpoints().size(), 1U);
  EXPECT_EQ(runner.execution().checkpoints()[0].updates.back().type, OperationType::Execution);
}

// Spec: 3.4.3: what counts is the answer as it travels, in which a quote of the result has two bytes.
TEST(Execution, CountsTheEscapesOfItsAnswer) {
  TestRunner runner([](Context&) -> Task<std::string> { co_return std::string(2'000'000, '"'); });
  const auto run = runner.run();
  ASSERT_EQ(run.status, RunStatus::Succeeded);
  EXPECT_EQ(run.result->size(), 4'000'002U);
  ASSERT_EQ(runner.execution().checkpoints().size(), 1U);
  EXPECT_EQ(runner.execution().checkpoints()[0].updates.back().type, OperationType::Execution);
}

// Notes 36: a branch uses its own context only.
TEST(Context, RefusesToBeUsedInsideAChild) {
  TestRunner runner([](Context& ctx) -> Task<void> {
    co_await ctx.run_in_child_context("child", [&ctx](Context&) -> Task<void> { co_await ctx.step("wrong", [] {}); });
  });
  const auto run = runner.run();
  ASSERT_EQ(run.status, RunStatus::Failed);
  EXPECT_NE(run.error->message->find("outside of its branch"), std::string::npos) << *run.error->message;
}

TEST(Context, RefusesToBeUsedInTheBodyOfAStep) {
  TestRunner runner([](Context& ctx) -> Task<void> {
    co_await ctx.step("outer", [&ctx] { static_cast<void>(ctx.step("inner", [] {})); });
  });
  const auto run = runner.run();
  ASSERT_EQ(run.status, RunStatus::Failed);
  EXPECT_NE(run.error->message->find("on another thread"), std::string::npos) << *run.error->message;
  EXPECT_EQ(run.invocations, 1);
}

TEST(ChildContext, UsesItsOwnSerializer) {
  const Serdes<std::string> wrapped{[](const std::string& text) { return "<" + text + ">"; },
                                    [](std::string_view text) { return std::string(text.substr(1, text.size() - 2)); }};
  TestRunner runner([&](Context& ctx) -> Task<std::string> {
    co_return co_await ctx.run_in_child_context("child", [](Context&) { return std::string("plain"); }, wrapped);
  });
  EXPECT_EQ(runner.run().value<std::string>(), "plain");
  EXPECT_EQ(runner.operation("child").result, "<plain>");
}

}  // namespace
}  // namespace pawl::durable
