// Checkpoints: tokens, batches, modes, pages, and the service's refusals.
#include <atomic>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "pawl/durable_testing.h"
#include "sdk/checkpoint_queue.h"

namespace pawl::durable {
namespace {

using namespace std::chrono_literals;
using detail::CheckpointQueue;
using detail::Urgency;
using testing::LocalExecution;
using testing::RunStatus;
using testing::TestRunner;

OperationUpdate update_of(const std::string& id, OperationType type, OperationAction action, std::size_t payload = 0) {
  OperationUpdate update;
  update.id = id;
  update.type = type;
  update.action = action;
  if (payload != 0) update.payload = std::string(payload, 'x');
  return update;
}

std::vector<std::size_t> batches_of(const std::vector<OperationUpdate>& updates) {
  CheckpointQueue queue;
  for (const OperationUpdate& update : updates) queue.push({update, {}}, Urgency::Now, {});
  std::vector<std::size_t> sizes;
  while (!queue.empty()) sizes.push_back(queue.take_batch().size());
  return sizes;
}

// Spec: 5.7.1, 5.7.3-4
TEST(CheckpointQueue, PutsAStartAndItsEndIntoOneBatch) {
  using enum OperationAction;
  EXPECT_EQ(batches_of({update_of("1", OperationType::Step, Start), update_of("1", OperationType::Step, Succeed),
                        update_of("2", OperationType::Context, Start), update_of("2", OperationType::Context, Fail)}),
            std::vector<std::size_t>{4});
}

// Spec: 5.7.4: one update an operation, but for that.
TEST(CheckpointQueue, SplitsWhatMayNotGoTogether) {
  using enum OperationAction;
  EXPECT_EQ(batches_of({update_of("1", OperationType::Wait, Start), update_of("1", OperationType::Wait, Cancel)}),
            (std::vector<std::size_t>{1, 1}));
  EXPECT_EQ(batches_of({update_of("1", OperationType::Step, Start), update_of("1", OperationType::Step, Retry),
                        update_of("1", OperationType::Step, Start)}),
            (std::vector<std::size_t>{2, 1}));
}

TEST(CheckpointQueue, BoundsABatchInNumberAndBytes) {
  std::vector<OperationUpdate> many;
  for (int index = 0; index < 600; ++index)
    many.push_back(update_of(std::to_string(index), OperationType::Step, OperationAction::Start));
  EXPECT_EQ(batches_of(many), (std::vector<std::size_t>{250, 250, 100}));
  std::vector<OperationUpdate> large;
  for (int index = 0; index < 5; ++index)
    large.push_back(update_of(std::to_string(index), OperationType::Step, OperationAction::Succeed, 250'000));
  EXPECT_EQ(batches_of(large), (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(batches_of({update_of("1", OperationType::Execution, OperationAction::Succeed, 7'000'000)}),
            std::vector<std::size_t>{1});
}

Task<int> ten_steps(Context& ctx) {
  int sum = 0;
  for (int index = 0; index < 10; ++index)
    sum += co_await ctx.step("s" + std::to_string(index), [index] { return index; });
  co_return sum;
}

std::size_t calls_in(CheckpointMode mode) {
  Config config;
  config.mode = mode;
  config.start_linger = 1h;
  TestRunner runner(ten_steps, config);
  EXPECT_EQ(runner.run().value<int>(), 45);
  return runner.execution().checkpoints().size();
}

// Spec: 16.4.1, 16.3.1
TEST(CheckpointMode, DecidesHowManyCallsAreMade) {
  EXPECT_EQ(calls_in(CheckpointMode::Eager), 10U);
  EXPECT_EQ(calls_in(CheckpointMode::Optimistic), 1U);
  EXPECT_LE(calls_in(CheckpointMode::Batched), 3U);
}

// Spec: 5.2.1-2, 5.2.4: each token once, in their order.
TEST(Checkpoint, UsesEachTokenOnce) {
  TestRunner runner(ten_steps);
  ASSERT_EQ(runner.run().status, RunStatus::Succeeded);
  std::set<std::string> tokens;
  std::set<std::string> client_tokens;
  for (const CheckpointRequest& call : runner.execution().checkpoints()) {
    EXPECT_TRUE(tokens.insert(call.token).second);
    EXPECT_TRUE(client_tokens.insert(call.client_token).second);
  }
}

// Spec: 5.2.3, 8.2.1.1: after a stale token the function is invoked again and goes on.
TEST(Checkpoint, GoesOnInANewInvocationAfterAStaleToken) {
  TestRunner runner(ten_steps);
  runner.prepare([](LocalExecution& execution) {
    execution.fail_checkpoint(3, ApiError(400, "InvalidParameterValueException", "invalid checkpoint token"));
  });
  const auto run = runner.run();
  EXPECT_EQ(run.value<int>(), 45);
  EXPECT_EQ(run.invocations, 2);
}

// Spec: 15.2.1, 15.2.3-4, 8.2.1.1, 8.2.1.6: what throttles or breaks is the invocation's problem, what refuses the
// execution's.
TEST(Checkpoint, TellsTransientRefusalsFromFinalOnes) {
  for (const ApiError& transient : {ApiError(429, "TooManyRequestsException", "slow"),
                                    ApiError(500, "ServiceException", "broken"), ApiError(0, "NotReached", "gone")}) {
    TestRunner runner(ten_steps);
    runner.prepare([transient](LocalExecution& execution) { execution.fail_checkpoint(2, transient); });
    EXPECT_EQ(runner.run().status, RunStatus::Succeeded);
  }
  for (const ApiError& final :
       {ApiError(404, "ResourceNotFoundException", "no such"), ApiError(502, "KMSDisabledException", "no key"),
        ApiError(413, "RequestTooLargeException", "large")}) {
    TestRunner runner(ten_steps);
    runner.prepare([final](LocalExecution& execution) { execution.fail_checkpoint(2, final); });
    const auto run = runner.run();
    ASSERT_EQ(run.status, RunStatus::Failed);
    EXPECT_EQ(run.invocations, 1);
    EXPECT_NE(run.error->message->find(final.code()), std::string::npos);
  }
}

// Answers the end of everything: without a token.
class LastAnswer final : public DurableService {
 public:
  CheckpointAnswer checkpoint(const CheckpointRequest&, Deadline) override {
    ++calls;
    return {};
  }
  StatePage state(const std::string&, const std::string&, const std::string&, Deadline) override { return {}; }

  int calls = 0;
};

// Notes 3: such an answer is the last that the service gives to this invocation.
TEST(Checkpoint, IsNotMadeAgainWhereTheServiceGaveNoToken) {
  InvocationEvent event;
  event.operations.emplace_back();
  event.operations[0].id = "execution";
  event.operations[0].type = OperationType::Execution;
  LastAnswer service;
  const FinishedInvocation finished = run_invocation(Handler(ten_steps), event, service);
  EXPECT_EQ(finished.answer().status, Answer::Status::Retry);
  EXPECT_EQ(service.calls, 1);
}

// Spec: 3.1.1.2-4, 3.3.1.1-2, 13.1.1: the state in pages.
TEST(Checkpoint, ReadsAStateOfManyPages) {
  TestRunner runner([](Context& ctx) -> Task<int> {
    const int sum = co_await ten_steps(ctx);
    co_await ctx.wait(1s);
    co_return sum;
  });
  runner.prepare([](LocalExecution& execution) { execution.page_by(1); });
  const auto run = runner.run();
  EXPECT_EQ(run.value<int>(), 45);
  EXPECT_EQ(run.invocations, 2);
}

// Counts the calls of another thread.
class CountingService final : public DurableService {
 public:
  explicit CountingService(LocalExecution& execution) : execution_(execution) {}
  CheckpointAnswer checkpoint(const CheckpointRequest& request, Deadline deadline) override {
    CheckpointAnswer answer = execution_.checkpoint(request, deadline);
    ++calls;
    return answer;
  }
  StatePage state(const std::string& arn, const std::string& token, const std::string& marker,
                  Deadline deadline) override {
    return execution_.state(arn, token, marker, deadline);
  }

  std::atomic<int> calls = 0;

 private:
  LocalExecution& execution_;
};

// Gives the operations of every answer in pages of their own.
class PagedAnswers final : public DurableService {
 public:
  explicit PagedAnswers(testing::LocalExecution& execution) : execution_(execution) {}

  CheckpointAnswer checkpoint(const CheckpointRequest& request, Deadline deadline) override {
    CheckpointAnswer answer = execution_.checkpoint(request, deadline);
    kept_ = std::exchange(answer.operations, {});
    answer.next_marker = "0";
    return answer;
  }
  StatePage state(const std::string&, const std::string&, const std::string& marker, Deadline) override {
    const std::size_t at = std::stoul(marker);
    StatePage page;
    if (at < kept_.size()) page.operations.push_back(kept_[at]);
    if (at + 1 < kept_.size()) page.next_marker = std::to_string(at + 1);
    return page;
  }

 private:
  testing::LocalExecution& execution_;
  std::vector<OperationRecord> kept_;
};

// Spec: 5.5.1-3
TEST(Checkpoint, FollowsThePagesOfAnAnswer) {
  testing::LocalExecution execution(std::nullopt);
  PagedAnswers service(execution);
  std::string ids;
  const Handler handler([&ids](Context& ctx) -> Task<void> {
    auto first = ctx.create_callback("first");
    auto second = ctx.create_callback("second");
    ids = (co_await first).id() + (co_await second).id();
  });
  EXPECT_EQ(run_invocation(handler, execution.begin_invocation(), service).answer().status, Answer::Status::Succeeded);
  EXPECT_EQ(ids, execution.operations()[1].callback_id + execution.operations()[2].callback_id);
}

// Spec: 5.6.3: what waits for company is sent when the deadline is near.
TEST(Checkpoint, IsMadeWhenTheDeadlineIsNear) {
  Config config;
  config.mode = CheckpointMode::Optimistic;
  config.deadline_margin = 10s;
  LocalExecution execution(std::nullopt);
  CountingService service(execution);
  const Handler handler([&service](Context& ctx) -> Task<bool> {
    co_await ctx.step("first", [] {});
    co_return co_await ctx.step("second",
                                [&service](StepContext& step) {
                                  while (service.calls == 0 && !step.stop_token().stop_requested())
                                    std::this_thread::yield();
                                  return service.calls > 0;
                                },
                                {.timeout = 4s});
  });
  InvocationEvent event = execution.begin_invocation();
  event.deadline = std::chrono::steady_clock::now() + 5s;
  const FinishedInvocation finished = run_invocation(handler, event, service, config);
  EXPECT_EQ(finished.answer().result, "true");
}

// Spec: 3.2.1-3, 12.1.5: the three forms of the answer.
TEST(Answer, HasTheFormOfTheApi) {
  EXPECT_EQ((Answer{Answer::Status::Succeeded, "\"x\"", {}}.to_text()), R"({"Status":"SUCCEEDED","Result":"\"x\""})");
  EXPECT_EQ((Answer{Answer::Status::Succeeded, {}, {}}.to_text()), R"({"Status":"SUCCEEDED"})");
  EXPECT_EQ((Answer{Answer::Status::Pending, {}, {}}.to_text()), R"({"Status":"PENDING"})");
  EXPECT_EQ((Answer{Answer::Status::Failed, {}, ErrorObject{"T", "m", "d", {"f"}}}.to_text()),
            R"({"Status":"FAILED","Error":{"ErrorMessage":"m","ErrorType":"T","ErrorData":"d","StackTrace":["f"]}})");
}

// Spec: 3.1.1.1-2, 4.2.1, 4.3.2.1-2, 12.1.2: milliseconds in the event; unknown members are passed over; what is
// missing is said.
TEST(Event, IsRead) {
  const InvocationEvent event =
      read_event(R"({"DurableExecutionArn":"arn","CheckpointToken":"t","UpdatedOperationIds":[],"InitialExecutionState":
    {"Operations":[{"Id":"e","Type":"EXECUTION","Status":"STARTED","StartTimestamp":1794768562819,"ExecutionDetails":{"InputPayload":"{}"}}],"NextMarker":"m"}})");
  EXPECT_EQ(event.operations[0].started.time_since_epoch().count(), 1794768562819);
  EXPECT_EQ(event.operations[0].input, "{}");
  EXPECT_EQ(event.next_marker, "m");
  EXPECT_THROW(read_event(R"({"n":1})"), SerializationError);
}

// Spec: 9.3.3, 8.2.1.5
TEST(Execution, FailsWhereItsInputDoesNotRead) {
  TestRunner runner([](Context&, int) -> Task<void> { co_return; });
  const auto run = runner.run(std::string("seven"));
  ASSERT_EQ(run.status, RunStatus::Failed);
  EXPECT_EQ(run.error->type, "SerializationError");
}

// Spec: 9.3.3: terminal, whatever the code does with the exception.
TEST(Execution, FailsWhereARecordedValueDoesNotReadBack) {
  TestRunner runner([](Context& ctx) -> Task<void> {
    try {
      co_await ctx.step("s", [] { return 1; });
    } catch (const std::exception&) {
    }
    co_await ctx.wait(1s);
  });
  runner.prepare([](LocalExecution& execution) {
    OperationRecord record;
    record.id = "c4ca4238a0b92382";
    record.status = OperationStatus::Succeeded;
    record.name = "s";
    record.sub_type = "Step";
    record.result = "\"not a number\"";
    execution.seed(record);
  });
  EXPECT_EQ(runner.run().error->type, "SerializationError");
}

}  // namespace
}  // namespace pawl::durable
