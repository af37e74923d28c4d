// The public library, as a program that embeds it sees it.
#include "pawl/engine.h"

#include <atomic>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

namespace pawl {
namespace {

using Status = RunResult::Status;

constexpr std::string_view kOneTask =
    R"({"StartAt":"Call","States":{"Call":{"Type":"Task","Resource":"local:greet","End":true}}})";

Workflow compiled(std::string_view definition) {
  const Compilation compilation = Engine().compile(definition);
  for (const Problem& problem : compilation.problems) ADD_FAILURE() << problem.code << " " << problem.cause;
  return compilation.workflow.value();
}

RunResult run_with(const TaskFunction& function, const RunSettings& settings = {}) {
  Engine engine;
  engine.handle("local:*", function);
  return engine.run(compiled(kOneTask), R"({"name":"Ada"})", settings);
}

TEST(Engine, RunsADefinitionWithoutTasks) {
  const RunResult result =
      Engine().run(compiled(R"({"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}})"), "[1.0]");
  EXPECT_EQ(result.status, Status::kSucceeded);
  EXPECT_EQ(result.output, "[1.0]");
}

TEST(Engine, TakesAnEmptyInputAsAnEmptyObject) {
  EXPECT_EQ(Engine().run(compiled(R"({"StartAt":"A","States":{"A":{"Type":"Succeed"}}})")).output, "{}");
}

TEST(Engine, CallsTheHandlerOfTheResource) {
  TaskCall seen;
  const RunResult result = run_with([&](const TaskCall& call) {
    seen = call;
    return TaskResult::success(R"("Hello Ada")");
  });
  EXPECT_EQ(result.output, R"("Hello Ada")");
  EXPECT_EQ(seen.state, "Call");
  EXPECT_EQ(seen.resource, "local:greet");
  EXPECT_EQ(seen.input, R"({"name":"Ada"})");
  EXPECT_FALSE(seen.idempotency_key.empty());
}

TEST(Engine, ReportsTheErrorOfAHandler) {
  const RunResult result = run_with([](const TaskCall&) { return TaskResult::failure("Bank.Busy", "later"); });
  EXPECT_EQ(result.status, Status::kFailed);
  EXPECT_EQ(result.error, "Bank.Busy");
  EXPECT_EQ(result.cause, "later");
}

TEST(Engine, TurnsExceptionsAndBadOutputIntoTaskFailures) {
  EXPECT_EQ(run_with([](const TaskCall&) -> TaskResult { throw std::runtime_error("oops"); }).cause, "oops");
  EXPECT_EQ(run_with([](const TaskCall&) -> TaskResult { throw 7; }).error, "States.TaskFailed");
  EXPECT_EQ(run_with([](const TaskCall&) { return TaskResult::success("{"); }).error, "States.TaskFailed");
}

TEST(Engine, RefusesToRunATaskWithoutAHandler) {
  const RunResult result = Engine().run(compiled(kOneTask));
  EXPECT_EQ(result.status, Status::kRefused);
  ASSERT_TRUE(result.problem);
  EXPECT_EQ(result.problem->code, "TASK_NOT_MAPPED");
}

TEST(Engine, RefusesAWrongInput) {
  EXPECT_EQ(Engine().run(compiled(kOneTask), "{").problem->code, "JSON_UNEXPECTED_END");
  RunSettings settings;
  settings.payload_bytes_max = 3;
  EXPECT_EQ(Engine().run(compiled(kOneTask), "[1,2]", settings).problem->code, "INPUT_TOO_LARGE");
  settings.context = "[]";
  EXPECT_EQ(Engine().run(compiled(kOneTask), "1", settings).problem->code, "CONTEXT_INVALID");
}

TEST(Engine, SaysWhatIsWrongWithADefinition) {
  const Compilation compilation =
      Engine().compile(R"({"StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"}}})", "flow.json");
  EXPECT_FALSE(compilation.workflow);
  ASSERT_FALSE(compilation.problems.empty());
  EXPECT_TRUE(compilation.problems[0].is_error);
  EXPECT_TRUE(compilation.problems[0].where.starts_with("flow.json:1:")) << compilation.problems[0].where;
  EXPECT_FALSE(Engine().compile(kOneTask, "x", {"no=option"}).workflow);
}

TEST(Engine, PassesNoRealTimeInVirtualTime) {
  RunSettings settings;
  settings.virtual_time = true;
  settings.now = std::chrono::sys_days(std::chrono::year(2020) / 1 / 1);
  settings.keep_history = true;
  const auto started = std::chrono::steady_clock::now();
  const RunResult result = Engine().run(
      compiled(R"({"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":31536000,"End":true}}})"), "", settings);
  EXPECT_TRUE(result.succeeded());
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::minutes(1));
  ASSERT_EQ(result.history.size(), 4u);
  EXPECT_NE(result.history[3].find("2020-12-31T00:00:00"), std::string::npos) << result.history[3];
}

TEST(Engine, ShowsEventsAsTheyHappen) {
  std::string seen;
  RunSettings settings;
  settings.on_event = [&](std::string_view event) { seen += event; };
  run_with([](const TaskCall&) { return TaskResult::success("1"); }, settings);
  EXPECT_NE(seen.find("ExecutionStarted"), std::string::npos);
  EXPECT_NE(seen.find("ExecutionSucceeded"), std::string::npos);
}

TEST(Engine, StopsWhenItIsAsked) {
  std::stop_source stop;
  RunSettings settings;
  settings.stop = stop.get_token();
  const RunResult result = run_with(
      [&](const TaskCall&) {
        stop.request_stop();
        return TaskResult::success("1");
      },
      settings);
  EXPECT_EQ(result.status, Status::kAborted);
}

TEST(Engine, RunsOnManyThreadsAtOnce) {
  Engine engine;
  engine.handle("local:greet", [](const TaskCall& call) { return TaskResult::success(call.input); });
  const Workflow workflow = compiled(kOneTask);
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&, i] {
        if (engine.run(workflow, std::to_string(i)).output == std::to_string(i)) ++right;
      });
  }
  EXPECT_EQ(right, 8);
}

}  // namespace
}  // namespace pawl
