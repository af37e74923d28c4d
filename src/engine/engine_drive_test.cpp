// An engine without threads: the test decides what happens next, under a clock of its own.
#include <future>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "engine/toy_borders.h"
#include "store/memory/memory_store.h"

namespace pawl::engine {
namespace {

class DriveTest : public testing::Test {
 protected:
  DriveTest() { reopen(); }

  void reopen() {
    engine.reset();
    offers.offered.clear();
    EngineOptions options;
    options.threads = false;
    options.seed = 1;
    engine = Engine::open({store, programs, tasks, offers, tokens, clock}, options).value();
  }

  void settle() {
    while (engine->run_ready() || engine->commit()) {
    }
  }

  Started start(DefinitionId definition) {
    std::optional<Started> started;
    engine->start(request_of(definition), [&](Result<Started> answer) { started = answer.value(); });
    settle();
    return started.value();
  }

  Result<ActivityTask> take(const ActivityOffer& offer) {
    std::optional<Result<ActivityTask>> taken;
    engine->take_activity(offer, "worker-1", [&](Result<ActivityTask> answer) { taken = std::move(answer); });
    settle();
    return taken.value();
  }

  kernel::Status status_of(ExecutionId id) {
    std::optional<kernel::Status> status;
    engine->describe(id, [&](Result<Description> answer) { status = answer.value().status; });
    settle();
    return status.value();
  }

  store::MemoryStore store;
  ToyPrograms programs;
  ToyTokens tokens;
  NoTasks tasks;
  Offers offers;
  VirtualClock clock{Timestamp(std::chrono::hours(24))};
  std::unique_ptr<Engine> engine;
};

TEST_F(DriveTest, AnswersNothingBeforeTheCommit) {
  bool answered = false;
  engine->start(request_of(kSleep), [&](Result<Started>) { answered = true; });
  while (engine->run_ready()) {
  }
  EXPECT_FALSE(answered);
  EXPECT_TRUE(engine->commit());
  while (engine->run_ready()) {
  }
  EXPECT_TRUE(answered);
}

TEST_F(DriveTest, WakesASleeperWhenItIsDueAndNotBefore) {
  const ExecutionId id = start(kSleep).execution;
  clock.advance_to(clock.now() + std::chrono::milliseconds(59'999));
  settle();
  EXPECT_EQ(status_of(id), kernel::Status::kRunning);
  clock.advance_to(clock.now() + std::chrono::milliseconds(1));
  settle();
  EXPECT_EQ(status_of(id), kernel::Status::kSucceeded);
}

TEST_F(DriveTest, HandsAnActivityToOneWorkerOnly) {
  start(kActivity);
  ASSERT_EQ(offers.offered.size(), 1u);
  const auto first = take(offers.offered.front());
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->token, "token");
  const auto second = take(offers.offered.front());
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, "OPERATION_NOT_OPEN");
}

TEST_F(DriveTest, OffersAgainAfterARestartWhatNoWorkerTook) {
  start(kActivity);
  start(kActivity);
  ASSERT_TRUE(take(offers.offered.front()).has_value());
  reopen();
  settle();
  ASSERT_EQ(offers.offered.size(), 1u);
  EXPECT_TRUE(take(offers.offered.front()).has_value());
}

TEST_F(DriveTest, LooksAgainAtABeatingActivityOnlyWhenTheBeatRunsOut) {
  const ExecutionId id = start(kActivity).execution;
  const ActivityOffer offer = offers.offered.front();
  ASSERT_TRUE(take(offer).has_value());
  clock.advance_to(clock.now() + std::chrono::seconds(6));
  engine->heartbeat(id, offer.operation, offer.attempt, [](Result<void> answer) { EXPECT_TRUE(answer.has_value()); });
  settle();
  clock.advance_to(clock.now() + std::chrono::seconds(6));
  settle();  // would never end where the same due time is looked at again and again
  EXPECT_EQ(status_of(id), kernel::Status::kRunning);
  clock.advance_to(clock.now() + std::chrono::seconds(4));
  settle();
  EXPECT_EQ(status_of(id), kernel::Status::kFailed);
  EXPECT_EQ(offers.withdrawn, 1);
}

TEST_F(DriveTest, TakesTheAnswerOfAnActivityThatBeatPastItsFirstDueTime) {
  const ExecutionId id = start(kActivity).execution;
  const ActivityOffer offer = offers.offered.front();
  ASSERT_TRUE(take(offer).has_value());
  clock.advance_to(clock.now() + std::chrono::seconds(6));
  engine->heartbeat(id, offer.operation, offer.attempt, [](Result<void> answer) { EXPECT_TRUE(answer.has_value()); });
  settle();
  clock.advance_to(clock.now() + std::chrono::seconds(6));
  engine->complete(id, offer.operation, offer.attempt, TaskAnswer::succeeded(Value::integer(1)),
                   [](Result<void> answer) { EXPECT_TRUE(answer.has_value()); });
  settle();
  EXPECT_EQ(status_of(id), kernel::Status::kSucceeded);
}

TEST_F(DriveTest, KeepsTheLabelsOfAStart) {
  StartRequest request = request_of(kSleep);
  request.labels = Value::string("mine");
  ExecutionId id;
  engine->start(std::move(request), [&](Result<Started> answer) { id = answer.value().execution; });
  settle();
  reopen();
  std::optional<Description> description;
  engine->describe(id, [&](Result<Description> answer) { description = std::move(answer).value(); });
  settle();
  EXPECT_EQ(description.value().labels, Value::string("mine"));
}

TEST_F(DriveTest, BeginsTheIntervalOfABeatAnewAfterARestart) {
  const ExecutionId id = start(kActivity).execution;
  ASSERT_TRUE(take(offers.offered.front()).has_value());
  clock.advance_to(clock.now() + std::chrono::seconds(9));
  reopen();
  clock.advance_to(clock.now() + std::chrono::milliseconds(9'999));
  settle();
  EXPECT_EQ(status_of(id), kernel::Status::kRunning);
  clock.advance_to(clock.now() + std::chrono::milliseconds(1));
  settle();
  EXPECT_EQ(status_of(id), kernel::Status::kFailed);
}

TEST_F(DriveTest, TellsWatchersOfEachCommitUntilTheyLeave) {
  const ExecutionId id = start(kSleep).execution;
  int notices = 0;
  const WatchId watch = engine->watch(id, [&] { ++notices; });
  start(kSleep);
  EXPECT_EQ(notices, 0);
  clock.advance_to(clock.now() + std::chrono::minutes(1));
  settle();
  EXPECT_EQ(notices, 1);
  engine->unwatch(watch);
  start(kSleep);
  EXPECT_EQ(notices, 1);
}

TEST_F(DriveTest, AdvancesAVirtualClockOnlyWhenNothingElseCanHappen) {
  engine.reset();
  EngineOptions options;
  options.retention = kKeepForever;
  options.advance_clock = [&](Timestamp to) { clock.advance_to(to); };
  engine = Engine::open({store, programs, tasks, offers, tokens, clock}, options).value();
  const Timestamp before = clock.now();
  std::promise<ExecutionId> started;
  engine->start(request_of(kSleep), [&](Result<Started> answer) { started.set_value(answer.value().execution); });
  const ExecutionId id = started.get_future().get();
  for (;;) {
    std::promise<kernel::Status> status;
    engine->describe(id, [&](Result<Description> answer) { status.set_value(answer.value().status); });
    if (status.get_future().get() != kernel::Status::kRunning) break;
    std::this_thread::yield();
  }
  engine.reset();
  EXPECT_EQ(clock.now(), before + std::chrono::minutes(1));
}

}  // namespace
}  // namespace pawl::engine
