// The engine on a disk that fails, driven by the test.
#include <optional>

#include <gtest/gtest.h>

#include "engine/toy_borders.h"
#include "store/sqlite/simulated_disk.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl::engine {
namespace {

using Survival = store::SimulatedDisk::Survival;

constexpr const char* kDatabase = "data/pawl.db";

struct Doubt {
  Error error;
};

class EngineDiskTest : public testing::Test {
 protected:
  EngineDiskTest() { open(); }

  void open() {
    const OnDoubt on_doubt = [](const Error& error) { throw Doubt{error}; };
    store::SqliteOptions disk_options;
    disk_options.vfs = disk.vfs();
    disk_options.on_doubt = on_doubt;
    store = store::SqliteStore::open("data", disk_options).value();
    EngineOptions options;
    options.threads = false;
    options.seed = 1;
    options.retention = kKeepForever;
    options.on_doubt = on_doubt;
    engine = Engine::open({*store, programs, tasks, offers, tokens, clock}, options).value();
  }

  void lose_power() {
    disk.lose_power();
    engine.reset();
    store.reset();
    disk.restore_power(Survival::kNothing);
    open();
  }

  void settle() {
    while (engine->run_ready() || engine->commit()) {
    }
  }

  void start(DefinitionId definition, size_t input_bytes = 1) {
    StartRequest request;
    request.definition = definition;
    request.input = Value::string(std::string(input_bytes, 'x'));
    engine->start(std::move(request), [&](Result<Started> answer) { started = std::move(answer); });
  }

  void complete(const ActivityOffer& offer) {
    completed.reset();
    engine->complete(offer.execution, offer.operation, offer.attempt, TaskAnswer::succeeded(Value::integer(1)),
                     [&](Result<void> answer) { completed = std::move(answer); });
  }

  kernel::Status status_of(ExecutionId id) {
    std::optional<kernel::Status> status;
    engine->describe(id, [&](Result<Description> answer) { status = answer.value().status; });
    settle();
    return status.value();
  }

  void pass(Duration time) { clock.advance_to(clock.now() + time); }

  store::SimulatedDisk disk{7};
  ToyPrograms programs;
  ToyTokens tokens;
  NoTasks tasks;
  Offers offers;
  VirtualClock clock{Timestamp(std::chrono::hours(24))};
  std::unique_ptr<store::SqliteStore> store;
  std::unique_ptr<Engine> engine;
  std::optional<Result<Started>> started;
  std::optional<Result<void>> completed;
};

TEST_F(EngineDiskTest, RefusesWhileTheDiskIsFullAndGoesOnWhenThereIsRoom) {
  start(kSleep);
  settle();
  const ExecutionId first = started->value().execution;
  disk.set_capacity(disk.used_bytes());
  start(kSleep, 200'000);
  settle();
  ASSERT_FALSE(started->has_value());
  EXPECT_EQ(started->error().code, "STORE_FULL_OR_BUSY");
  disk.set_capacity(std::nullopt);
  start(kSleep, 200'000);
  settle();
  ASSERT_TRUE(started->has_value());
  pass(std::chrono::minutes(2));
  settle();
  EXPECT_EQ(status_of(first), kernel::Status::kSucceeded);
  EXPECT_EQ(status_of(started->value().execution), kernel::Status::kSucceeded);
}

TEST_F(EngineDiskTest, StopsOnAFailedSyncAndLosesNothingItAcknowledged) {
  start(kSleep);
  settle();
  const ExecutionId first = started->value().execution;
  started.reset();
  disk.fail_sync_at(1);
  start(kSleep);
  EXPECT_THROW(settle(), Doubt);
  EXPECT_FALSE(started.has_value());
  lose_power();
  pass(std::chrono::minutes(2));
  settle();
  EXPECT_EQ(status_of(first), kernel::Status::kSucceeded);
}

TEST_F(EngineDiskTest, StopsWhereAHistoryIsBroken) {
  start(kSleep, 5'000);
  settle();
  engine.reset();
  store.reset();
  const std::string content = disk.content_of(kDatabase);
  disk.flip_bit(kDatabase, content.find("xxxxxxxxxxxxxxxx") + 8, 1);
  open();
  pass(std::chrono::minutes(2));
  try {
    settle();
    FAIL() << "it went on";
  } catch (const Doubt& doubt) {
    EXPECT_EQ(doubt.error.code, "CHUNK_CHECKSUM");
  }
}

// What is due goes before what arrives: the activity has timed out when its result comes.
TEST_F(EngineDiskTest, RefusesACompletionThatComesWithTheTimeout) {
  start(kActivity);
  settle();
  const ActivityOffer offer = offers.offered.front();
  engine->take_activity(offer, "worker", [](Result<ActivityTask> answer) { EXPECT_TRUE(answer.has_value()); });
  settle();
  pass(std::chrono::seconds(10));
  complete(offer);
  settle();
  ASSERT_FALSE(completed->has_value());
  EXPECT_EQ(completed->error().code, "OPERATION_NOT_OPEN");
  EXPECT_EQ(status_of(offer.execution), kernel::Status::kFailed);
}

// The refusal rests on a completion that was rolled back.
TEST_F(EngineDiskTest, DoesNotRefuseForWhatARollbackTookBack) {
  start(kActivity);
  settle();
  const ActivityOffer offer = offers.offered.front();
  complete(offer);
  complete(offer);
  disk.set_capacity(disk.used_bytes());
  settle();
  ASSERT_FALSE(completed->has_value());
  EXPECT_EQ(completed->error().code, "STORE_FULL_OR_BUSY");
  disk.set_capacity(std::nullopt);
  complete(offer);
  settle();
  EXPECT_TRUE(completed->has_value());
}

TEST_F(EngineDiskTest, KeepsTheBeatOfAnActivityWhoseCompletionWasRolledBack) {
  start(kActivity);
  settle();
  const ActivityOffer offer = offers.offered.front();
  engine->take_activity(offer, "worker", [](Result<ActivityTask>) {});
  settle();
  pass(std::chrono::seconds(9));
  engine->heartbeat(offer.execution, offer.operation, offer.attempt, [](Result<void>) {});
  complete(offer);
  disk.set_capacity(disk.used_bytes());
  settle();
  disk.set_capacity(std::nullopt);
  pass(std::chrono::seconds(5));
  settle();
  EXPECT_EQ(status_of(offer.execution), kernel::Status::kRunning);
}

// Its end was never stored, so nothing is reopened; its row changes all the same.
TEST_F(EngineDiskTest, StoresARedriveThatComesWithTheStop) {
  start(kActivity);
  settle();
  const ExecutionId id = started->value().execution;
  engine->stop(id, Value::empty_object(), [](Result<Timestamp> answer) { EXPECT_TRUE(answer.has_value()); });
  engine->redrive(id, "once", [](Result<Timestamp> answer) { EXPECT_TRUE(answer.has_value()); });
  settle();
  EXPECT_EQ(store->find_execution(id)->redrives, 1u);
  EXPECT_EQ(status_of(id), kernel::Status::kRunning);
}

TEST_F(EngineDiskTest, RemovesNothingWhereEverythingIsKept) {
  start(kActivity);
  settle();
  const ActivityOffer offer = offers.offered.front();
  engine->take_activity(offer, "worker", [](Result<ActivityTask>) {});
  settle();
  complete(offer);
  settle();
  pass(std::chrono::seconds(20));  // the timer of the timeout is still in memory
  settle();
  EXPECT_EQ(status_of(offer.execution), kernel::Status::kSucceeded);
}

}  // namespace
}  // namespace pawl::engine
