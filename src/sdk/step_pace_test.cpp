#include "sdk/step_pace.h"

#include <thread>

#include <gtest/gtest.h>

#include "pawl/durable.h"
#include "pawl/durable_testing.h"

namespace pawl::durable {
namespace {

using detail::StepPace;

constexpr std::chrono::microseconds kQuick(10);

void note_quick_runs(StepPace& pace, const std::string& step, int runs) {
  for (int run = 0; run < runs; ++run) pace.note(step, kQuick);
}

TEST(StepPace, KnowsABodyAsQuickAfterSomeQuickRuns) {
  StepPace pace;
  note_quick_runs(pace, "charge", StepPace::kQuickRunsMin - 1);
  EXPECT_FALSE(pace.is_quick("charge"));
  note_quick_runs(pace, "charge", 1);
  EXPECT_TRUE(pace.is_quick("charge"));
  EXPECT_FALSE(pace.is_quick("ship"));
}

TEST(StepPace, ForgivesOneRunOnABusyMachineButNoSlowOne) {
  StepPace pace;
  note_quick_runs(pace, "charge", StepPace::kQuickRunsMax);
  pace.note("charge", StepPace::kBusyMax);
  EXPECT_TRUE(pace.is_quick("charge"));
  pace.note("charge", StepPace::kBusyMax + kQuick);
  EXPECT_FALSE(pace.is_quick("charge"));
}

TEST(StepPace, RemembersABoundedNumberOfSteps) {
  StepPace pace;
  note_quick_runs(pace, "charge", StepPace::kQuickRunsMin);
  for (std::size_t step = 0; step < StepPace::kStepsMax; ++step) pace.note(std::to_string(step), kQuick);
  EXPECT_FALSE(pace.is_quick("charge"));
}

// The ids of the threads that a handler and the bodies of its steps ran on.
struct Threads {
  std::thread::id handler, step;
};

Threads run_step_named_charge(int quick_runs_before, StepOptions options = {}) {
  Threads threads;
  const Handler handler([&](Context& ctx) -> Task<int> {
    threads.handler = std::this_thread::get_id();
    co_return co_await ctx.step(
        "charge",
        [&] {
          threads.step = std::this_thread::get_id();
          return 1;
        },
        std::move(options));
  });
  note_quick_runs(*handler.pace(), "charge", quick_runs_before);
  testing::TestRunner runner(handler);
  EXPECT_EQ(runner.run().status, testing::RunStatus::Succeeded);
  return threads;
}

TEST(Step, RunsAQuickBodyWithoutAThreadOfItsOwn) {
  const Threads threads = run_step_named_charge(StepPace::kQuickRunsMin);
  EXPECT_EQ(threads.step, threads.handler);
}

TEST(Step, RunsABodyOfUnknownPaceOnAnotherThread) {
  const Threads threads = run_step_named_charge(0);
  EXPECT_NE(threads.step, threads.handler);
}

TEST(Step, RunsAQuickBodyThatHasATimeoutOnAnotherThread) {
  const Threads threads = run_step_named_charge(StepPace::kQuickRunsMin, {.timeout = std::chrono::seconds(10)});
  EXPECT_NE(threads.step, threads.handler);
}

}  // namespace
}  // namespace pawl::durable
