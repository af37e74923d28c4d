// The examples of the appendices of the specification, line by line; A.2 and A.4 with what AWS's own SDKs do.
#include <gtest/gtest.h>

#include "pawl/durable_testing.h"

namespace pawl::durable {
namespace {

using namespace std::chrono_literals;
using testing::LocalExecution;
using testing::Reply;
using testing::RunStatus;
using testing::TestRunner;

// An execution whose invocations are made one by one.
class Script {
 public:
  explicit Script(Handler handler) : handler_(std::move(handler)), execution_("null") {
    config_.start_linger = 0ms;  // a START is sent by itself where its step takes its time
  }

  Answer invoke() {
    const std::size_t before = execution_.checkpoints().size();
    const auto finished = run_invocation(handler_, execution_.begin_invocation(), execution_, config_);
    execution_.end_invocation();
    for (std::size_t call = before; call < execution_.checkpoints().size(); ++call)
      note(execution_.checkpoints()[call]);
    sent_ += "| ";
    return finished.answer();
  }
  LocalExecution& execution() { return execution_; }
  // "START step1 SUCCEED step1 | " and so on; a bar for the end of each invocation.
  const std::string& sent() const { return sent_; }

 private:
  void note(const CheckpointRequest& call) {
    for (const OperationUpdate& update : call.updates)
      sent_ += std::string(to_string(update.action)) + " " + update.name + " ";
  }

  Handler handler_;
  LocalExecution execution_;
  Config config_;
  std::string sent_;
};

using Status = Answer::Status;

// Spec: A.1, 4.1.1, 5.1.1-2
TEST(AppendixA, SimpleStep) {
  Script script([](Context& ctx) -> Task<std::string> {
    co_return co_await ctx.step("step1", [] { return std::string("result"); });
  });
  const Answer answer = script.invoke();
  EXPECT_EQ(answer.status, Status::Succeeded);
  EXPECT_EQ(answer.result, "\"result\"");
  EXPECT_EQ(script.sent(), "START step1 SUCCEED step1 | ");
}

// Spec: A.2, 4.4.5.3-4, 5.2.1-2: on READY a START is sent again, as the diagram of 4.4.4 has it and AWS's SDKs do; one
// attempt has ended.
TEST(AppendixA, StepWithRetry) {
  Script script([](Context& ctx) -> Task<std::string> {
    co_return co_await ctx.step("step1",
                                [](StepContext& step) {
                                  if (step.attempt() == 1) throw std::runtime_error("fails");
                                  return std::string("result");
                                },
                                {.retry = retry::fixed(2, 5s)});
  });
  EXPECT_EQ(script.invoke().status, Status::Pending);
  EXPECT_EQ(script.sent(), "START step1 RETRY step1 | ");
  EXPECT_EQ(script.execution().checkpoints().back().updates.back().retry_delay_seconds, 5);

  ASSERT_TRUE(script.execution().advance());
  const OperationRecord ready = script.execution().operations().back();
  EXPECT_EQ(ready.status, OperationStatus::Ready);
  EXPECT_EQ(ready.attempts, 1);
  const Answer answer = script.invoke();
  EXPECT_EQ(answer.status, Status::Succeeded);
  EXPECT_EQ(answer.result, "\"result\"");
  EXPECT_EQ(script.sent(), "START step1 RETRY step1 | START step1 SUCCEED step1 | ");
}

// Spec: A.3, 4.1.2, 4.5.2.3-5
TEST(AppendixA, WaitOperation) {
  Script script([](Context& ctx) -> Task<std::string> {
    co_await ctx.wait("wait1", 60s);
    co_return "done";
  });
  EXPECT_EQ(script.invoke().status, Status::Pending);
  EXPECT_EQ(script.execution().checkpoints().back().updates.back().wait_seconds, 60);

  ASSERT_TRUE(script.execution().advance());
  EXPECT_EQ(script.execution().operations().back().status, OperationStatus::Succeeded);
  const Answer answer = script.invoke();
  EXPECT_EQ(answer.status, Status::Succeeded);
  EXPECT_EQ(answer.result, "\"done\"");
  EXPECT_EQ(script.sent(), "START wait1 | | ");
}

// Spec: A.4, 3.3.2.1-3, 4.4.2.2-4: the interrupted step runs again; its START is not sent twice, which the service
// refuses.
TEST(AppendixA, ReplayAfterATimeout) {
  int first_runs = 0;
  Script script([&first_runs](Context& ctx) -> Task<std::string> {
    co_await ctx.step("step1", [&first_runs] {
      ++first_runs;
      return std::string("result1");
    });
    co_return co_await ctx.step("step2", [] { return std::string("result2"); });
  });
  OperationRecord first;
  first.id = "c4ca4238a0b92382";
  first.name = "step1";
  first.sub_type = "Step";
  first.status = OperationStatus::Succeeded;
  first.result = "\"result1\"";
  first.attempts = 1;
  OperationRecord second;
  second.id = "c81e728d9d4c2f63";
  second.name = "step2";
  second.sub_type = "Step";
  second.status = OperationStatus::Started;
  script.execution().seed(first);
  script.execution().seed(second);

  const Answer answer = script.invoke();
  EXPECT_EQ(answer.status, Status::Succeeded);
  EXPECT_EQ(answer.result, "\"result2\"");
  EXPECT_EQ(first_runs, 0);
  EXPECT_EQ(script.sent(), "SUCCEED step2 | ");
}

// Spec: B.1, 2.5.8
TEST(AppendixB, SequentialSteps) {
  TestRunner runner([](Context& ctx) -> Task<int> {
    const int one = co_await ctx.step("step1", [] { return 1; });
    const int two = co_await ctx.step("step2", [&] { return 10 * one + 2; });
    co_return co_await ctx.step("step3", [&] { return 10 * two + 3; });
  });
  EXPECT_EQ(runner.run().value<int>(), 123);
}

struct Approval {
  bool approved = false;
};
PAWL_DURABLE_FIELDS(Approval, approved)

Task<std::string> human_in_the_loop(Context& ctx) {
  const auto approval = co_await ctx.create_callback<Approval>("approval");
  co_await ctx.step("send-email", [&] { EXPECT_NE(approval.id(), ""); });
  const Approval answer = co_await approval.result();
  if (!answer.approved) co_return "rejected";
  co_return co_await ctx.step("process", [] { return std::string("processed"); });
}

// Spec: B.2, 4.1.3, 4.6.2.1-2, 7.2.1.1-4
TEST(AppendixB, HumanInTheLoop) {
  TestRunner runner(human_in_the_loop);
  runner.on_callback("approval", Reply::success(R"({"approved":true})"));
  EXPECT_EQ(runner.run().value<std::string>(), "processed");
  TestRunner other(human_in_the_loop);
  other.on_callback("approval", Reply::success(R"({"approved":false})"));
  EXPECT_EQ(other.run().value<std::string>(), "rejected");
  EXPECT_EQ(other.count("process"), 0U);
}

struct Job {
  std::string job_id;
  std::string status;
};
PAWL_DURABLE_FIELDS(Job, job_id, status)

// Spec: B.3, 7.1.2.1-6
TEST(AppendixB, ExternalSystemPolling) {
  int checks = 0;
  TestRunner runner([&checks](Context& ctx) -> Task<Job> {
    const Job submitted{"job-7", "pending"};
    co_await ctx.step("submit-job", [] {});
    const auto check = [&checks](Job job) {
      if (++checks == 3) job.status = "complete";
      return job;
    };
    const WaitStrategy<Job> strategy = [](const Job& job, int) -> std::optional<Duration> {
      if (job.status == "complete") return std::nullopt;
      return 10s;
    };
    co_return co_await ctx.wait_for_condition("poll", check, submitted, strategy);
  });
  const auto run = runner.run();
  EXPECT_EQ(run.value<Job>().status, "complete");
  EXPECT_EQ(run.value<Job>().job_id, "job-7");
  EXPECT_EQ(run.invocations, 3);
  EXPECT_EQ(runner.execution().operations().size(), 3U) << "the execution, the step and one for all checks";
  EXPECT_EQ(runner.execution().now() - runner.execution().operations().front().started, 20s);
}

// Spec: B.4, 6.2.2.1-4, 6.2.3.1-2
TEST(AppendixB, ParallelProcessing) {
  TestRunner runner([](Context& ctx) -> Task<std::vector<int>> {
    const auto task = [](int number) {
      return [number](Context& branch) -> Task<int> {
        co_return co_await branch.step("task" + std::to_string(number), [number] { return number; });
      };
    };
    const auto results = co_await ctx.parallel("", branches(task(1), task(2), task(3)));
    std::vector<int> processed;
    for (const auto& item : results.succeeded()) processed.push_back(*item.result);
    co_return processed;
  });
  EXPECT_EQ(runner.run().value<std::vector<int>>(), (std::vector<int>{1, 2, 3}));
}

Task<Json> map_with_concurrency(Context& ctx) {
  std::vector<std::string> items;
  for (int number = 1; number <= 5; ++number) items.push_back("item" + std::to_string(number));
  const auto process = [](Context& child, const std::string& item, std::size_t index) -> Task<std::string> {
    co_return co_await child.step("process-" + std::to_string(index),
                                  [&] {
                                    if (item == "item2") throw std::runtime_error("cannot process " + item);
                                    return item;
                                  },
                                  {.retry = retry::none()});
  };
  const BatchOptions options{.max_concurrency = 2, .completion = {.min_successful = 4, .tolerated_failures = 1}};
  const auto results = co_await ctx.map("", items, process, options);
  co_return Json::object(
      {{"total", results.total_count()}, {"succeeded", results.success_count()}, {"failed", results.failure_count()}});
}

// Spec: B.5, 6.1.3.3-4, 6.1.4.1-2
TEST(AppendixB, MapWithConcurrencyControl) {
  TestRunner runner(map_with_concurrency);
  EXPECT_EQ(runner.run().result, R"({"total":5,"succeeded":4,"failed":1})");
}

// Spec: B.6, 4.8.2.5, 8.3.2.1-2
TEST(AppendixB, ErrorRecoveryInAContext) {
  TestRunner runner([](Context& ctx) -> Task<std::string> {
    bool has_failed = false;
    try {
      co_return co_await ctx.run_in_child_context("risky-operation", [](Context& child) -> Task<std::string> {
        const int one = co_await child.step("step1", [] { return 1; });
        co_return co_await child.step("step2",
                                      [&]() -> std::string { throw std::runtime_error("risk " + std::to_string(one)); },
                                      {.retry = retry::none()});
      });
    } catch (const ChildContextError&) {
      has_failed = true;
    }
    co_return co_await ctx.step("fallback", [&] { return std::string(has_failed ? "recovered" : "never"); });
  });
  EXPECT_EQ(runner.run().value<std::string>(), "recovered");
  EXPECT_EQ(runner.operation("risky-operation").status, OperationStatus::Failed);
}

// --- what the text asks for and the other tests do not show

// Spec: 12.3.2, 4.4.5.2
TEST(Config, SetsTheRetriesOfStepsThatNameNone) {
  Config config;
  config.retry = retry::fixed(2, 1s);
  TestRunner runner(
      [](Context& ctx) -> Task<int> {
        co_return co_await ctx.step("s", [](StepContext& step) {
          if (step.attempt() < 2) throw std::runtime_error("again");
          return step.attempt();
        });
      },
      config);
  EXPECT_EQ(runner.run().value<int>(), 2);
  EXPECT_EQ(runner.execution().now() - runner.execution().operations().front().started, 1s);
}

// Spec: 10.1.3-4, 12.3.3
TEST(Config, SetsWhereLogsGoAndFromWhichLevelOn) {
  std::vector<std::string> lines;
  Config config;
  config.log_level = LogLevel::Warn;
  config.log = [&lines](const LogRecord& record) {
    lines.push_back(std::string(to_string(record.level)) + " " + record.message);
  };
  TestRunner runner(
      [](Context& ctx) -> Task<void> {
        ctx.logger().debug("a");
        ctx.logger().info("b");
        ctx.logger().warn("c");
        ctx.logger().error("d");
        co_return;
      },
      config);
  ASSERT_EQ(runner.run().status, RunStatus::Succeeded);
  EXPECT_EQ(lines, (std::vector<std::string>{"WARN c", "ERROR d"}));
}

// Spec: 12.3.4, 9.2.1
TEST(Handler, TakesSerializersOfItsOwn) {
  const Serdes<int> words([](const int& value) { return "number " + std::to_string(value); },
                          [](std::string_view text) { return static_cast<int>(text.size()); });
  TestRunner runner(Handler([](Context&, int letters) -> Task<int> { co_return letters + 1; }, words, words));
  EXPECT_EQ(runner.run_text("four").result, "number 5");
}

// Spec: 3.2.2, 8.2.1.2, 8.3.3.1-2, 8.3.3.4
TEST(Execution, FailsWithWhatTheHandlerThrew) {
  TestRunner runner([](Context&) -> Task<void> {
    throw ApplicationError("OutOfStock", "no more of A-1", R"({"sku":"A-1"})");
    co_return;
  });
  const auto run = runner.run();
  ASSERT_EQ(run.status, RunStatus::Failed);
  EXPECT_EQ(run.error->type, "OutOfStock");
  EXPECT_EQ(run.error->message, "no more of A-1");
  EXPECT_EQ(run.error->data, R"({"sku":"A-1"})");
}

}  // namespace
}  // namespace pawl::durable
