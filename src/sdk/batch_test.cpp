// map, parallel and the combinators.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "pawl/durable_testing.h"

namespace pawl::durable {
namespace {

using namespace std::chrono_literals;
using testing::RunStatus;
using testing::TestRunner;

std::string shape(TestRunner& runner) {
  std::string text;
  for (const OperationRecord& record : runner.execution().operations()) {
    if (record.type == OperationType::Execution) continue;
    text += (text.empty() ? "" : " ") + record.name + ":" + std::string(to_string(record.status));
  }
  return text;
}

Task<int> doubled(Context& ctx, int item) {
  co_return co_await ctx.step("double", [&] { return item * 2; });
}

// Spec: 6.1.2.1-4, 6.1.3.1-2, 6.3.1.1-5, 4.1.5
TEST(Map, RunsAFunctionForEachItem) {
  TestRunner runner([](Context& ctx) -> Task<std::vector<int>> {
    const std::vector<int> items = {1, 2, 3};
    const BatchResult<int> result = co_await ctx.map("m", items, doubled, {.max_concurrency = 2});
    EXPECT_EQ(result.completion_reason(), CompletionReason::AllCompleted);
    EXPECT_EQ(result.total_count(), 3U);
    EXPECT_EQ(result.success_count(), 3U);
    EXPECT_FALSE(result.has_failure());
    co_return result.results();
  });
  EXPECT_EQ(runner.run().value<std::vector<int>>(), (std::vector<int>{2, 4, 6}));
  EXPECT_EQ(runner.operation("m").sub_type, "Map");
  EXPECT_EQ(runner.operation("map-item-2").sub_type, "MapIteration");
  EXPECT_EQ(runner.operation("map-item-2").parent_id, runner.operation("m").id);
  EXPECT_EQ(runner.operation("map-item-1").id, "98c6f2c2287f4c73");
  EXPECT_EQ(
      runner.operation("m").result,
      R"({"all":[{"result":2,"index":0,"status":"SUCCEEDED"},{"result":4,"index":1,"status":"SUCCEEDED"},{"result":6,"index":2,"status":"SUCCEEDED"}],"completionReason":"ALL_COMPLETED"})");
}

// Spec: 6.1.3.3: no more than the concurrency at once.
TEST(Map, KeepsToItsConcurrency) {
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  TestRunner runner([&](Context& ctx) -> Task<void> {
    co_await ctx.map("m", std::vector<int>(8, 0),
                     [&](Context& child, int) -> Task<void> {
                       co_await child.step("s", [&] {
                         most = std::max<int>(most, ++running);
                         std::this_thread::sleep_for(1ms);
                         --running;
                       });
                     },
                     {.max_concurrency = 2});
  });
  ASSERT_EQ(runner.run().status, RunStatus::Succeeded);
  EXPECT_LE(most, 2);
}

// Spec: 8.2.1.5
TEST(Map, RefusesAConcurrencyOfNothing) {
  TestRunner runner(
      [](Context& ctx) -> Task<void> { co_await ctx.map("m", std::vector<int>(1), doubled, {.max_concurrency = 0}); });
  EXPECT_EQ(runner.run().error->type, "ValidationError");
  EXPECT_TRUE(runner.execution().checkpoints().empty());
}

struct Outcome {
  std::string reason;
  std::size_t succeeded = 0;
  std::size_t failed = 0;
  std::size_t total = 0;
};
PAWL_DURABLE_FIELDS(Outcome, reason, succeeded, failed, total)

// Items of "ok" succeed, those of "no" fail, one after the other.
Outcome outcome_of(std::vector<std::string> items, Completion completion) {
  TestRunner runner([items, completion](Context& ctx) -> Task<Outcome> {
    auto running = ctx.map("m", items,
                           [](Context&, const std::string& item) {
                             if (item == "no") throw std::runtime_error("failed");
                             return item;
                           },
                           {.max_concurrency = 1, .completion = completion});
    const BatchResult<std::string> result = co_await running;
    co_return Outcome{std::string(to_string(result.completion_reason())), result.success_count(),
                      result.failure_count(), result.total_count()};
  });
  return runner.run().value<Outcome>();
}

std::string text(const Outcome& outcome) { return to_text(outcome); }

// Spec: 6.1.3.4, 6.1.4.1-3, 6.3.1.5; the cases 8-6 to 8-22.
TEST(Map, EndsAsItsCompletionPolicySays) {
  EXPECT_EQ(text(outcome_of({"ok", "no", "ok"}, {})),
            R"({"reason":"FAILURE_TOLERANCE_EXCEEDED","succeeded":1,"failed":1,"total":2})");
  EXPECT_EQ(text(outcome_of({"ok", "no", "ok"}, {.tolerated_failures = 0})),
            R"({"reason":"FAILURE_TOLERANCE_EXCEEDED","succeeded":1,"failed":1,"total":2})");
  EXPECT_EQ(text(outcome_of({"ok", "ok", "ok", "ok"}, {.min_successful = 2})),
            R"({"reason":"MIN_SUCCESSFUL_REACHED","succeeded":2,"failed":0,"total":2})");
  EXPECT_EQ(text(outcome_of({"ok", "no", "ok"}, {.tolerated_failures = 1})),
            R"({"reason":"ALL_COMPLETED","succeeded":2,"failed":1,"total":3})");
  EXPECT_EQ(text(outcome_of({"no", "no", "ok"}, {.tolerated_failures = 1})),
            R"({"reason":"FAILURE_TOLERANCE_EXCEEDED","succeeded":0,"failed":2,"total":2})");
  EXPECT_EQ(text(outcome_of({"no", "no", "ok", "ok"}, {.tolerated_failure_percentage = 25})),
            R"({"reason":"FAILURE_TOLERANCE_EXCEEDED","succeeded":0,"failed":2,"total":2})");
  EXPECT_EQ(text(outcome_of({"no", "ok", "ok", "ok"}, {.tolerated_failure_percentage = 25})),
            R"({"reason":"ALL_COMPLETED","succeeded":3,"failed":1,"total":4})");
  EXPECT_EQ(text(outcome_of({"ok", "no", "ok"}, {.min_successful = 3})),
            R"({"reason":"ALL_COMPLETED","succeeded":2,"failed":1,"total":3})");
  EXPECT_EQ(text(outcome_of({"no", "no", "ok", "ok"}, {.min_successful = 3, .tolerated_failures = 1})),
            R"({"reason":"FAILURE_TOLERANCE_EXCEEDED","succeeded":0,"failed":2,"total":2})");
  EXPECT_EQ(text(outcome_of({}, {})), R"({"reason":"ALL_COMPLETED","succeeded":0,"failed":0,"total":0})");
}

// Spec: 6.3.2.1-5
TEST(BatchResult, GivesItsFailuresAndThrowsTheFirst) {
  TestRunner runner([](Context& ctx) -> Task<std::string> {
    auto running = ctx.map("m", std::vector<int>{1, 2},
                           [](Context&, int item) {
                             if (item == 2) throw std::runtime_error("two is wrong");
                             return item;
                           },
                           {.completion = Completion::all_items()});
    const BatchResult<int> result = co_await running;
    EXPECT_EQ(result.status(), "FAILED");
    EXPECT_EQ(result.failed().size(), 1U);
    EXPECT_EQ(result.failed()[0].index, 1U);
    EXPECT_EQ(result.errors()[0].message, "two is wrong");
    try {
      result.throw_if_error();
    } catch (const ChildContextError& error) {
      co_return error.what();
    }
    co_return "none";
  });
  EXPECT_EQ(runner.run().value<std::string>(), "two is wrong");
}

// Notes 35, spec 6.1.3: an item that waits when the policy is met stays STARTED, and nothing of it is recorded any
// more.
TEST(Map, CutsOffWhatRunsWhenItHasEnough) {
  TestRunner runner([](Context& ctx) -> Task<std::size_t> {
    auto running = ctx.map("m", std::vector<int>{0, 1},
                           [](Context& child, int item) -> Task<int> {
                             if (item == 1) co_await child.wait("forever", 24h);
                             co_return co_await child.step("s", [item] { return item; });
                           },
                           {.completion = {.min_successful = 1}});
    const BatchResult<int> result = co_await running;
    co_await ctx.wait("after", std::chrono::days(3));
    co_return result.started_count();
  });
  EXPECT_EQ(runner.run().value<std::size_t>(), 1U);
  EXPECT_EQ(runner.operation("map-item-1").status, OperationStatus::Started);
  EXPECT_EQ(runner.count("s"), 1U);
}

// The body of a step that nobody needs any more is asked to stop.
TEST(Map, StopsTheStepsThatItCutsOff) {
  TestRunner runner([](Context& ctx) -> Task<void> {
    const std::vector<int> items = {0, 1};
    auto running = ctx.map("m", items,
                           [](Context& child, int item) -> Task<void> {
                             co_await child.step("s", [item](StepContext& step) {
                               while (item == 1 && !step.stop_token().stop_requested()) std::this_thread::yield();
                             });
                           },
                           {.completion = {.min_successful = 1}});
    co_await running;
    co_await ctx.step("after", [] {});
  });
  EXPECT_EQ(runner.run().status, RunStatus::Succeeded);
  EXPECT_EQ(runner.operation("map-item-1").status, OperationStatus::Started);
}

// Spec: 4.8.5.1, 4.8.2.4, notes 35: the result is walked again over the items, those that were begun and no others.
TEST(Map, IsWalkedAgainWhereItsResultIsTooLarge) {
  std::atomic<int> bodies = 0;
  TestRunner runner([&bodies](Context& ctx) -> Task<std::string> {
    auto running = ctx.map("m", std::vector<int>{0, 1, 2, 3, 4},
                           [&bodies](Context& child, int item) -> Task<std::string> {
                             co_return co_await child.step("s",
                                                           [&bodies, item] {
                                                             ++bodies;
                                                             if (item == 2) throw std::runtime_error("two");
                                                             return std::string(100'000, static_cast<char>('a' + item));
                                                           },
                                                           {.retry = retry::none()});
                           },
                           {.max_concurrency = 1, .completion = {.min_successful = 3, .tolerated_failures = 1}});
    const BatchResult<std::string> result = co_await running;
    co_await ctx.wait(1s);
    co_return std::to_string(result.success_count()) + std::to_string(result.failure_count()) +
        result.results().back().substr(0, 1);
  });
  const auto run = runner.run();
  ASSERT_EQ(run.status, RunStatus::Succeeded) << run.error->message.value_or("");
  EXPECT_EQ(run.value<std::string>(), "31d");
  EXPECT_EQ(bodies, 4);
  EXPECT_TRUE(runner.operation("m").replay_children);
  EXPECT_EQ(Json::parse(*runner.operation("m").result).at("itemStatuses").as_string(), "SSFS-");
}

TEST(Map, HasNoContextsForItemsWhereItIsFlat) {
  TestRunner runner([](Context& ctx) -> Task<std::vector<int>> {
    auto running = ctx.map("m", std::vector<int>{1, 2}, doubled, {.max_concurrency = 1, .nesting = Nesting::Flat});
    co_return (co_await running).results();
  });
  EXPECT_EQ(runner.run().value<std::vector<int>>(), (std::vector<int>{2, 4}));
  EXPECT_EQ(shape(runner), "m:SUCCEEDED double:SUCCEEDED double:SUCCEEDED");
  EXPECT_EQ(runner.execution().operations()[2].id, "2f221a18eb863803");
  EXPECT_EQ(runner.execution().operations()[3].id, "6151f5ab282d90e4");
}

TEST(Map, NamesItemsAsAsked) {
  TestRunner runner([](Context& ctx) -> Task<void> {
    co_await ctx.map("m", std::vector<int>(1), doubled,
                     {.name_of = [](std::size_t index) { return "line-" + std::to_string(index); }});
  });
  ASSERT_EQ(runner.run().status, RunStatus::Succeeded);
  EXPECT_EQ(runner.count("line-0"), 1U);
}

// Spec: 9.2.1: a serializer for items and one for the whole.
TEST(Map, UsesItsOwnSerializers) {
  const Serdes<std::string> item{[](const std::string& text) { return "wrapped:" + text; },
                                 [](std::string_view text) { return std::string(text.substr(8)); }};
  const Serdes<BatchResult<std::string>> whole{
      [](const BatchResult<std::string>& result) { return "ALL:" + result.results().at(0); },
      [](std::string_view text) {
        return BatchResult<std::string>({{0, ItemStatus::Succeeded, std::string(text.substr(4)), {}}},
                                        CompletionReason::AllCompleted);
      }};
  TestRunner runner([&](Context& ctx) -> Task<std::string> {
    auto running = ctx.map("m", std::vector<int>{1}, [](Context&, int) { return std::string("X"); }, {}, item, whole);
    const auto result = co_await running;
    co_await ctx.wait(1s);
    co_return result.results().at(0);
  });
  EXPECT_EQ(runner.run().value<std::string>(), "X");
  EXPECT_EQ(runner.operation("map-item-0").result, "wrapped:X");
  EXPECT_EQ(runner.operation("m").result, "ALL:X");
}

// Spec: 6.2.2.1-4, 6.2.3.1-4, B.4: named and unnamed branches, with waits of their own.
TEST(Parallel, RunsBranchesTogether) {
  TestRunner runner([](Context& ctx) -> Task<std::vector<std::string>> {
    auto running = ctx.parallel("p", branches(
                                         [](Context& child) -> Task<std::string> {
                                           co_await child.wait(1h);
                                           co_return "slept";
                                         },
                                         branch("quick", [](Context&) { return std::string("at once"); })));
    co_return (co_await running).results();
  });
  const auto run = runner.run();
  EXPECT_EQ(run.value<std::vector<std::string>>(), (std::vector<std::string>{"slept", "at once"}));
  EXPECT_EQ(runner.operation("parallel-branch-0").sub_type, "ParallelBranch");
  EXPECT_EQ(runner.operation("quick").sub_type, "ParallelBranch");
  EXPECT_EQ(runner.operation("p").sub_type, "Parallel");
}

// Spec: 7.3.2.1, 7.3.3.3-5: the outcome is one STEP, started and closed in one call.
TEST(All, GivesEveryValueAndRecordsOneStep) {
  TestRunner runner([](Context& ctx) -> Task<int> {
    auto one = ctx.step("one", [] { return 1; });
    auto nap = ctx.wait("nap", 1h);
    auto [first, nothing] = co_await ctx.all("both", one, static_cast<Future<void>>(nap));
    static_cast<void>(nothing);
    co_await ctx.wait(1s);
    co_return first;
  });
  const auto run = runner.run();
  EXPECT_EQ(run.value<int>(), 1);
  EXPECT_EQ(runner.operation("both").type, OperationType::Step);
  EXPECT_EQ(runner.operation("both").sub_type, "All");
  EXPECT_EQ(runner.operation("both").status, OperationStatus::Succeeded);
}

TEST(All, ThrowsTheErrorOfTheFirstThatFailsOnEachReplay) {
  std::vector<std::string> seen;
  TestRunner runner([&seen](Context& ctx) -> Task<void> {
    std::vector<Future<int>> futures;
    futures.push_back(ctx.step("good", [] { return 1; }));
    futures.push_back(ctx.step("bad", []() -> int { throw std::runtime_error("no"); }, {.retry = retry::none()}));
    try {
      co_await ctx.all("both", futures);
    } catch (const StepError& error) {
      seen.push_back(error.what());
    }
    co_await ctx.wait(1s);
  });
  ASSERT_EQ(runner.run().status, RunStatus::Succeeded);
  EXPECT_EQ(seen, (std::vector<std::string>{"no", "no"}));
}

// Spec: 7.3.2.2, 7.3.3.4
TEST(AllSettled, GivesValuesAndErrors) {
  TestRunner runner([](Context& ctx) -> Task<std::string> {
    std::vector<Future<int>> futures;
    futures.push_back(ctx.step("good", [] { return 1; }));
    futures.push_back(ctx.step("bad", []() -> int { throw std::runtime_error("no"); }, {.retry = retry::none()}));
    const auto outcomes = co_await ctx.all_settled("both", futures);
    co_return std::to_string(*outcomes.at(0).value) + describe(outcomes.at(1).error).message.value_or("");
  });
  EXPECT_EQ(runner.run().value<std::string>(), "1no");
}

// Spec: 7.3.2.3: The winner is the same on each replay, though by then both have ended.
TEST(Race, KeepsItsWinner) {
  TestRunner runner([](Context& ctx) -> Task<std::string> {
    std::vector<Future<std::string>> futures;
    futures.push_back(ctx.run_in_child_context("slow", [](Context& child) -> Task<std::string> {
      co_await child.wait(2h);
      co_return "slow";
    }));
    futures.push_back(ctx.run_in_child_context("fast", [](Context& child) -> Task<std::string> {
      co_await child.wait(1h);
      co_return "fast";
    }));
    const std::string winner = co_await ctx.race("first", futures);
    co_await ctx.wait(24h);
    co_return winner;
  });
  EXPECT_EQ(runner.run().value<std::string>(), "fast");
  EXPECT_EQ(runner.operation("first").result, "1");
}

// Spec: 7.3.2.4, 7.3.3.4
TEST(Any, GivesTheFirstSuccessOrAnAggregate) {
  const auto run_with = [](bool second_fails) {
    TestRunner runner([second_fails](Context& ctx) -> Task<std::string> {
      std::vector<Future<int>> futures;
      futures.push_back(ctx.step("bad", []() -> int { throw std::runtime_error("no"); }, {.retry = retry::none()}));
      futures.push_back(ctx.step("good", [second_fails] { return second_fails ? throw std::runtime_error("no") : 2; },
                                 {.retry = retry::none()}));
      try {
        co_return std::to_string(co_await ctx.any("any", futures));
      } catch (const AggregateError& error) {
        co_return error.what();
      }
    });
    return runner.run().value<std::string>();
  };
  EXPECT_EQ(run_with(false), "2");
  EXPECT_EQ(run_with(true), "None of the 2 operations succeeded.");
}

}  // namespace
}  // namespace pawl::durable
