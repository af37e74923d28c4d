// Replay: what must be the same, what is said where it is not, and what helps.
#include <gtest/gtest.h>

#include "pawl/durable_testing.h"

namespace pawl::durable {
namespace {

using namespace std::chrono_literals;
using testing::LocalExecution;
using testing::RunStatus;
using testing::TestRunner;

// A handler that does something else on its second run.
TestRunner changing(std::function<Task<void>(Context&, int run)> body) {
  auto runs = std::make_shared<int>(0);
  return TestRunner([body, runs](Context& ctx) -> Task<void> { co_await body(ctx, ++*runs); });
}

// Spec: 3.3.3.1-3: the type.
TEST(Determinism, FailsWhereAnOperationHasAnotherType) {
  TestRunner runner = changing([](Context& ctx, int run) -> Task<void> {
    if (run == 1) {
      co_await ctx.step("s", [] {});
    } else {
      co_await ctx.wait("s", 1s);
    }
    co_await ctx.wait("later", 1s);
  });
  const auto run = runner.run();
  ASSERT_EQ(run.status, RunStatus::Failed);
  EXPECT_EQ(run.error->type, "NonDeterministicExecutionError");
  EXPECT_NE(run.error->message->find(
                "Operation 1 was recorded as STEP (Step) \"s\", and the code now asks for WAIT (Wait) \"s\""),
            std::string::npos)
      << *run.error->message;
}

// Spec: 3.3.3.3, with the notes' name and subtype. Nothing can catch it.
TEST(Determinism, FailsWhereAnOperationHasAnotherName) {
  TestRunner runner = changing([](Context& ctx, int run) -> Task<void> {
    try {
      co_await ctx.step(run == 1 ? "first" : "second", [] {});
    } catch (...) {
      ADD_FAILURE() << "it was caught";
    }
    co_await ctx.wait("later", 1s);
  });
  EXPECT_EQ(runner.run().error->type, "NonDeterministicExecutionError");
}

// Spec: 14.3.7: a warning where the run can still end.
TEST(Determinism, WarnsOfRecordedOperationsThatWereNotReached) {
  TestRunner runner = changing([](Context& ctx, int run) -> Task<void> {
    co_await ctx.step("kept", [] {});
    if (run == 1) co_await ctx.wait("dropped", 1s);
  });
  ASSERT_EQ(runner.run().status, RunStatus::Succeeded);
  bool warned = false;
  for (const LogRecord& record : runner.logs())
    warned = warned || (record.level == LogLevel::Warn && record.operation_name == "dropped");
  EXPECT_TRUE(warned);
}

// Spec: 2.5.7: the helpers give the same on each replay.
TEST(Determinism, HelpersGiveTheSameOnEachReplay) {
  std::vector<std::string> seen;
  TestRunner runner([&seen](Context& ctx) -> Task<void> {
    std::string line =
        ctx.uuid() + " " + std::to_string(ctx.random()) + " " + std::to_string(ctx.now().time_since_epoch().count());
    co_await ctx.step("s", [] {});
    line += " " + std::to_string(ctx.now().time_since_epoch().count()) + " " + ctx.uuid();
    co_await ctx.wait(1h);
    line += " " + std::to_string(ctx.now().time_since_epoch().count());
    co_await ctx.wait(1h);
    seen.push_back(line);
    co_await ctx.wait(1h);
  });
  ASSERT_EQ(runner.run().status, RunStatus::Succeeded);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0].substr(14, 1), "4");
}

TEST(Determinism, ClocksMoveWithTheOperations) {
  TestRunner runner([](Context& ctx) -> Task<std::int64_t> {
    const Timestamp before = ctx.now();
    co_await ctx.wait(90min);
    co_return std::chrono::duration_cast<std::chrono::minutes>(ctx.now() - before).count();
  });
  EXPECT_EQ(runner.run().value<std::int64_t>(), 90);
}

// Spec: 10.1.2, 10.2.1-3, 10.3.1-2
TEST(Logger, IsSilentInReplayAndKnowsWhereItIs) {
  TestRunner runner([](Context& ctx) -> Task<void> {
    ctx.logger().info("begin");
    co_await ctx.step("work", [](StepContext& step) { step.logger().warn("working", Json::object({{"n", 1}})); });
    ctx.logger().info("middle");
    co_await ctx.wait(1s);
    ctx.logger().info("end");
    ctx.logger().debug("too fine");
  });
  ASSERT_EQ(runner.run().status, RunStatus::Succeeded);
  std::string messages;
  for (const LogRecord& record : runner.logs()) messages += record.message + " ";
  EXPECT_EQ(messages, "begin working middle end ");
  const LogRecord working = runner.logs().at(1);
  EXPECT_EQ(working.operation_name, "work");
  EXPECT_EQ(working.attempt, 1);
  EXPECT_EQ(working.operation_id, runner.operation("work").id);
  EXPECT_EQ(working.request_id, "request-1");
  EXPECT_EQ(working.execution_arn, runner.execution().arn());
}

// Spec: 10.3.3
TEST(Logger, SpeaksInReplayWhereAsked) {
  TestRunner runner([](Context& ctx) -> Task<void> {
    ctx.log_in_replay(true);
    ctx.logger().info("begin");
    co_await ctx.wait(1s);
  });
  ASSERT_EQ(runner.run().status, RunStatus::Succeeded);
  EXPECT_EQ(runner.logs().size(), 2U);
}

constexpr const char* kHistory = R"({"Events":[
  {"EventType":"ExecutionStarted","EventId":1,"ExecutionStartedDetails":{"Input":{"Payload":"\"Ada\""}}},
  {"EventType":"StepStarted","EventId":2,"Id":"c4ca4238a0b92382","Name":"greet","SubType":"Step","StepStartedDetails":{}},
  {"EventType":"StepSucceeded","EventId":3,"Id":"c4ca4238a0b92382","Name":"greet","SubType":"Step","StepSucceededDetails":{"Result":{"Payload":"\"Hello, Ada\""}}},
  {"EventType":"WaitStarted","EventId":4,"Id":"c81e728d9d4c2f63","Name":"nap","SubType":"Wait","WaitStartedDetails":{"Duration":1}},
  {"EventType":"InvocationCompleted","EventId":5},
  {"EventType":"WaitSucceeded","EventId":6,"Id":"c81e728d9d4c2f63","Name":"nap","SubType":"Wait","WaitSucceededDetails":{"Duration":1}},
  {"EventType":"ExecutionSucceeded","EventId":7,"ExecutionSucceededDetails":{}}]})";

Task<std::string> recorded(Context& ctx, std::string name) {
  std::string text = co_await ctx.step("greet", [&] { return "never run for " + name; });
  co_await ctx.wait("nap", 1s);
  co_return text;
}

// Spec: 2.5.6, 14.3.6: testing utilities that help to validate determinism.
TEST(ReplayHistory, AcceptsTheCodeThatMadeIt) {
  const auto divergence = testing::replay_history(recorded, kHistory);
  EXPECT_FALSE(divergence) << divergence->message;
}

TEST(ReplayHistory, NamesTheFirstOperationThatDiffers) {
  const auto renamed = testing::replay_history(
      [](Context& ctx, std::string) -> Task<void> {
        co_await ctx.step("greet", [] { return std::string(); });
        co_await ctx.wait("sleep", 1s);
      },
      kHistory);
  ASSERT_TRUE(renamed);
  EXPECT_NE(renamed->message.find("WAIT (Wait) \"nap\", and the code now asks for WAIT (Wait) \"sleep\""),
            std::string::npos)
      << renamed->message;
}

TEST(ReplayHistory, RunsNoStepThatTheHistoryDoesNotHold) {
  bool ran = false;
  const auto longer = testing::replay_history(
      [&ran](Context& ctx, std::string name) -> Task<void> {
        co_await recorded(ctx, name);
        co_await ctx.step("new", [&ran] { ran = true; });
      },
      kHistory);
  ASSERT_TRUE(longer);
  EXPECT_NE(longer->message.find("asks for STEP (Step) \"new\", which the history does not hold"), std::string::npos)
      << longer->message;
  EXPECT_FALSE(ran);
  const auto shorter = testing::replay_history(
      [](Context& ctx, std::string) -> Task<void> { co_await ctx.step("greet", [] { return std::string(); }); },
      kHistory);
  ASSERT_TRUE(shorter);
  EXPECT_NE(shorter->message.find("nap"), std::string::npos);
}

}  // namespace
}  // namespace pawl::durable
