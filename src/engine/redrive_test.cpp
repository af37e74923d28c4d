// Redrives through the engine, driven step by step: what is stored, and what a restart finds.
#include <map>
#include <optional>

#include <gtest/gtest.h>

#include "engine/engine.h"
#include "kernel/toy_program.h"
#include "store/memory/memory_store.h"

namespace pawl::engine {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr DefinitionId kFork{1};
constexpr DefinitionId kTask{2};
constexpr DefinitionId kSleep{3};

class ToyPrograms final : public Programs {
 public:
  std::shared_ptr<const kernel::Program> find(DefinitionId definition) override {
    if (definition == kFork) return std::make_shared<kernel::ToyProgram>(kernel::kForkThree);
    return std::make_shared<kernel::ToyProgram>(definition == kTask ? kernel::kCallTask : kernel::kSleepMinute);
  }
  std::string family_of(DefinitionId definition) override { return std::to_string(definition.number); }
};

class Tokened final : public Tokens {
 public:
  std::string mint(ExecutionId, OperationId, uint32_t) override { return "token"; }
};

// Keeps what it is asked to do, by idempotency key, until the test answers.
class HeldTasks final : public TaskHandler {
 public:
  Expect start(const TaskRequest& request, AnswerTask answer) override {
    out[request.idempotency_key] = std::move(answer);
    return Expect::kAnswer;
  }
  void cancel(TaskId) override {}
  std::map<std::string, AnswerTask> out;
};

class NoActivities final : public Activities {
 public:
  bool exists(std::string_view) override { return true; }
  void offer(ActivityOffer) override {}
  void withdraw(ExecutionId, OperationId) override {}
};

class EngineRedrive : public testing::Test {
 protected:
  EngineRedrive() { reopen(); }

  void reopen() {
    engine.reset();
    tasks.out.clear();
    EngineOptions options;
    options.threads = false;
    options.seed = 1;
    options.retention = retention;
    options.on_closed = [this](const Closed& told) { closed.push_back(told.status); };
    engine = Engine::open({store, programs, tasks, activities, tokens, clock}, options).value();
    settle();
  }

  void settle() {
    while (engine->run_ready() || engine->commit()) {
    }
  }

  ExecutionId start(DefinitionId definition) {
    StartRequest request;
    request.definition = definition;
    std::optional<ExecutionId> started;
    engine->start(std::move(request), [&](Result<Started> answer) { started = answer.value().execution; });
    settle();
    return started.value();
  }

  void answer(ExecutionId id, uint32_t operation, TaskAnswer given) {
    const auto found = tasks.out.find(std::to_string(id.number) + "-" + std::to_string(operation));
    ASSERT_NE(found, tasks.out.end()) << operation;
    const AnswerTask answer_task = std::move(found->second);
    tasks.out.erase(found);
    answer_task(std::move(given));
    settle();
  }
  void succeed(ExecutionId id, uint32_t operation, int64_t result) {
    answer(id, operation, TaskAnswer::succeeded(Value::integer(result)));
  }
  void fail_task(ExecutionId id, uint32_t operation) { answer(id, operation, TaskAnswer::failed("Broken", "again")); }

  void stop(ExecutionId id) {
    engine->stop(id, Value::empty_object(), [](Result<Timestamp> stopped) { EXPECT_TRUE(stopped.has_value()); });
    settle();
  }

  Result<Timestamp> redrive(ExecutionId id, const std::string& token = "") {
    std::optional<Result<Timestamp>> redriven;
    engine->redrive(id, token, [&](Result<Timestamp> answer) { redriven = std::move(answer); });
    settle();
    return redriven.value();
  }

  Description describe(ExecutionId id) {
    std::optional<Description> description;
    engine->describe(id, [&](Result<Description> answer) { description = std::move(answer.value()); });
    settle();
    return std::move(description.value());
  }

  void advance(Duration duration) {
    clock.advance_to(clock.now() + duration);
    settle();
  }

  size_t wakes() const { return store.due(kNever, {}, 100).size(); }

  Duration retention = hours(24 * 90);
  std::vector<kernel::Status> closed;  // as it was told
  store::MemoryStore store;
  ToyPrograms programs;
  Tokened tokens;
  HeldTasks tasks;
  NoActivities activities;
  VirtualClock clock{Timestamp(hours(24))};
  std::unique_ptr<Engine> engine;
};

TEST_F(EngineRedrive, OpensAClosedExecutionAgainInTheStore) {
  const ExecutionId id = start(kSleep);
  stop(id);
  EXPECT_EQ(store.next_wake(), clock.now() + retention);
  advance(minutes(5));
  ASSERT_EQ(redrive(id).value(), clock.now());
  const auto row = store.find_execution(id).value();
  EXPECT_EQ(row.status, store::ExecutionStatus::kRunning);
  EXPECT_EQ(row.closed, kNever);
  EXPECT_EQ(row.redrives, 1u);
  EXPECT_EQ(row.redriven, clock.now());
  ASSERT_TRUE(store.find_live(id).has_value());
  EXPECT_EQ(wakes(), 1u);
  EXPECT_EQ(store.next_wake(), clock.now() + minutes(1));
  advance(minutes(1));
  EXPECT_EQ(describe(id).status, kernel::Status::kSucceeded);
  EXPECT_FALSE(store.find_live(id).has_value());
  EXPECT_EQ(wakes(), 1u);
  EXPECT_EQ(store.next_wake(), clock.now() + retention);
}

TEST_F(EngineRedrive, GoesOnOverARestartAfterEveryCommit) {
  const ExecutionId id = start(kFork);
  reopen();
  succeed(id, 1, 10);
  reopen();
  fail_task(id, 2);
  reopen();
  ASSERT_EQ(describe(id).status, kernel::Status::kFailed);
  EXPECT_TRUE(tasks.out.empty());
  ASSERT_TRUE(redrive(id).has_value());
  EXPECT_EQ(tasks.out.size(), 2u);
  reopen();
  EXPECT_EQ(tasks.out.size(), 2u);
  succeed(id, 5, 30);
  reopen();
  fail_task(id, 4);
  reopen();
  ASSERT_TRUE(redrive(id).has_value());
  reopen();
  succeed(id, 6, 20);
  const Description description = describe(id);
  ASSERT_EQ(description.status, kernel::Status::kSucceeded);
  EXPECT_EQ(description.row.redrives, 2u);
  EXPECT_TRUE(description.outcome.at(0) == Value::integer(10));
  EXPECT_TRUE(description.outcome.at(1) == Value::integer(20));
  EXPECT_TRUE(description.outcome.at(2) == Value::integer(30));
}

TEST_F(EngineRedrive, WritesOneThatClosesAgainBeforeTheCommitAsClosed) {
  const ExecutionId id = start(kTask);
  stop(id);
  engine->redrive(id, "", [](Result<Timestamp> answer) { EXPECT_TRUE(answer.has_value()); });
  engine->stop(id, Value::empty_object(), [](Result<Timestamp> answer) { EXPECT_TRUE(answer.has_value()); });
  advance(minutes(1));
  const auto row = store.find_execution(id).value();
  EXPECT_EQ(row.status, store::ExecutionStatus::kAborted);
  EXPECT_EQ(row.redrives, 1u);
  EXPECT_FALSE(store.find_live(id).has_value());
  EXPECT_EQ(wakes(), 1u);
  reopen();
  EXPECT_EQ(describe(id).status, kernel::Status::kAborted);
}

TEST_F(EngineRedrive, TellsNoEndOfOneThatRunsAgainBeforeTheCommit) {
  const ExecutionId id = start(kTask);
  engine->stop(id, Value::empty_object(), [](Result<Timestamp> answer) { EXPECT_TRUE(answer.has_value()); });
  engine->redrive(id, "", [](Result<Timestamp> answer) { EXPECT_TRUE(answer.has_value()); });
  settle();
  EXPECT_TRUE(closed.empty());
  stop(id);
  EXPECT_EQ(closed, std::vector{kernel::Status::kAborted});
}

TEST_F(EngineRedrive, RemovesARedrivenExecutionAfterItsLastEndOnly) {
  retention = hours(24);
  reopen();
  const ExecutionId id = start(kSleep);
  stop(id);
  advance(hours(20));
  ASSERT_TRUE(redrive(id).has_value());
  advance(minutes(1));
  advance(hours(23));
  EXPECT_TRUE(store.find_execution(id).has_value());
  advance(hours(1));
  EXPECT_FALSE(store.find_execution(id).has_value());
  EXPECT_EQ(wakes(), 0u);
}

TEST_F(EngineRedrive, DropsTheWakeOfAnEarlierEndThatAnotherRetentionLeft) {
  retention = hours(10);
  reopen();
  const ExecutionId id = start(kSleep);
  stop(id);
  retention = hours(24);
  reopen();
  ASSERT_TRUE(redrive(id).has_value());
  advance(minutes(1));
  EXPECT_EQ(wakes(), 2u);
  advance(hours(10));
  EXPECT_EQ(wakes(), 1u);
  EXPECT_TRUE(store.find_execution(id).has_value());
}

TEST_F(EngineRedrive, RefusesWithTheReason) {
  const ExecutionId id = start(kSleep);
  const auto running = redrive(id);
  ASSERT_FALSE(running.has_value());
  EXPECT_EQ(running.error().code, "EXECUTION_NOT_REDRIVABLE");
  EXPECT_EQ(running.error().what, "Execution is RUNNING and cannot be redriven");
  advance(minutes(1));
  EXPECT_EQ(redrive(id).error().what, "Execution is SUCCEEDED and cannot be redriven");
  EXPECT_EQ(describe(id).not_redrivable, kernel::RedriveObstacle::kSucceeded);
  EXPECT_EQ(redrive(ExecutionId(77)).error().code, "EXECUTION_NOT_FOUND");
}

TEST_F(EngineRedrive, RefusesOneWhoseRetentionIsOver) {
  retention = hours(24);
  reopen();
  const ExecutionId id = start(kSleep);
  stop(id);
  clock.advance_to(clock.now() + hours(24));
  EXPECT_EQ(redrive(id).error().what, "Execution redrivable period exceeded");
}

TEST_F(EngineRedrive, AnswersAKnownTokenWithoutRedrivingAgainEvenAfterARestart) {
  const ExecutionId id = start(kSleep);
  stop(id);
  const Timestamp first = redrive(id, "a").value();
  advance(Duration(1000));
  reopen();
  EXPECT_EQ(redrive(id, "a").value(), first);  // while it runs
  EXPECT_FALSE(redrive(id, "b").has_value());
  stop(id);
  EXPECT_EQ(redrive(id, "a").value(), first);  // and after it failed once more
  EXPECT_EQ(describe(id).status, kernel::Status::kAborted);
  EXPECT_EQ(redrive(id, "b").value(), clock.now());
  EXPECT_EQ(describe(id).row.redrives, 2u);
}

}  // namespace
}  // namespace pawl::engine
