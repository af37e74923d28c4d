// The durable engine on a store in memory and on SQLite, with the kernel's toy language.
#include "engine/engine.h"

#include <filesystem>
#include <future>
#include <map>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "engine/failing_store.h"
#include "engine/lending.h"
#include "engine/shard.h"
#include "kernel/toy_program.h"
#include "store/memory/memory_store.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl::engine {
namespace {

using kernel::ToyProgram;

constexpr DefinitionId kTask{1};
constexpr DefinitionId kSleep{2};
constexpr DefinitionId kFork{3};
constexpr DefinitionId kLoop{4};

class ToyPrograms final : public Programs {
 public:
  std::shared_ptr<const kernel::Program> find(DefinitionId definition) override {
    static const std::map<DefinitionId, StateOrdinal> firsts = {{kTask, kernel::kCallTask},
                                                                {kSleep, kernel::kSleepMinute},
                                                                {kFork, kernel::kForkThree},
                                                                {kLoop, kernel::kLoopForever}};
    const auto found = firsts.find(definition);
    return found == firsts.end() ? nullptr : std::make_shared<ToyProgram>(found->second);
  }
  std::string family_of(DefinitionId definition) override { return std::to_string(definition.number); }
  std::optional<Duration> retention_of(DefinitionId) override { return own_retention; }

  std::optional<Duration> own_retention;
};

class ToyTokens final : public Tokens {
 public:
  std::string mint(ExecutionId, OperationId, uint32_t) override { return "token"; }
};

// Answers each task with its number of calls so far, or keeps it for ever.
class ToyTasks final : public TaskHandler {
 public:
  Expect start(const TaskRequest& request, AnswerTask answer) override {
    const std::lock_guard lock(mutex_);
    ++calls_;
    keys_.push_back(request.idempotency_key);
    if (!answers_) return Expect::kNothing;
    answer(TaskAnswer::succeeded(Value::integer(calls_)));
    return Expect::kAnswer;
  }
  void cancel(TaskId) override {}
  void set_answers(bool answers) {
    const std::lock_guard lock(mutex_);
    answers_ = answers;
  }
  std::vector<std::string> keys() {
    const std::lock_guard lock(mutex_);
    return keys_;
  }

 private:
  std::mutex mutex_;  // guards all
  int64_t calls_ = 0;
  bool answers_ = true;
  std::vector<std::string> keys_;
};

class NoActivities final : public Activities {
 public:
  bool exists(std::string_view) override { return false; }
  void offer(ActivityOffer) override {}
  void withdraw(ExecutionId, OperationId) override {}
};

class ShiftedClock final : public Clock {
 public:
  Timestamp now() const override { return SystemClock().now() + shift.load(); }
  std::atomic<Duration> shift{Duration(0)};
};

class EngineTest : public testing::Test {
 protected:
  void open(store::Store& used, uint32_t shards = 2, bool commits_apart = false) {
    EngineOptions options;
    options.shards = shards;
    options.commits_apart = commits_apart;
    engine = Engine::open({used, programs, tasks, activities, tokens, clock}, options).value();
  }

  Result<Started> start(DefinitionId definition, std::string name = "", int64_t input = 7) {
    auto promise = std::make_shared<std::promise<Result<Started>>>();
    StartRequest request;
    request.definition = definition;
    request.name = std::move(name);
    request.input = Value::integer(input);
    engine->start(std::move(request), [promise](Result<Started> answer) { promise->set_value(std::move(answer)); });
    return promise->get_future().get();
  }

  // Does not wait for the answer.
  std::future<Result<Started>> begin(DefinitionId definition) {
    auto promise = std::make_shared<std::promise<Result<Started>>>();
    StartRequest request;
    request.definition = definition;
    request.name = "order-1";
    engine->start(std::move(request), [promise](Result<Started> answer) { promise->set_value(std::move(answer)); });
    return promise->get_future();
  }

  static bool is_seen_in_time(const std::function<bool()>& look) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (std::chrono::steady_clock::now() < end) {
      if (look()) return true;
      std::this_thread::yield();
    }
    return false;
  }

  // The threads that were answered on.
  std::vector<std::future<std::thread::id>> start_and_help(int count) {
    std::vector<std::future<std::thread::id>> answered;
    {
      const Lending lending;
      for (int i = 0; i < count; ++i) {
        const auto promise = std::make_shared<std::promise<std::thread::id>>();
        answered.push_back(promise->get_future());
        StartRequest request;
        request.definition = kSleep;
        engine->start(std::move(request),
                      [promise](const Result<Started>&) { promise->set_value(std::this_thread::get_id()); });
      }
    }
    engine->help();
    return answered;
  }

  Result<Description> describe(ExecutionId id) {
    auto promise = std::make_shared<std::promise<Result<Description>>>();
    engine->describe(id, [promise](Result<Description> answer) { promise->set_value(std::move(answer)); });
    return promise->get_future().get();
  }

  // Asks again until the execution is closed; each question waits for a commit, so this ends as soon as it can.
  kernel::Status wait_until_closed(ExecutionId id) {
    for (;;) {
      const auto description = describe(id);
      if (!description) return kernel::Status::kNotStarted;
      if (description->status != kernel::Status::kRunning) return description->status;
      std::this_thread::yield();
    }
  }

  ToyPrograms programs;
  ToyTokens tokens;
  ToyTasks tasks;
  NoActivities activities;
  ShiftedClock clock;
  store::MemoryStore store;
  FailingStore failing{store};
  std::unique_ptr<Engine> engine;
};

// Data directories hold it.
TEST(HashName, IsTheSameInEveryVersion) {
  EXPECT_EQ(hash_name("1", "order-1"), 667922665616504873u);
  EXPECT_NE(hash_name("1", "order-1"), hash_name("1order", "-1"));
}

TEST_F(EngineTest, RunsATaskToItsEnd) {
  open(store);
  const auto started = start(kTask);
  ASSERT_TRUE(started.has_value());
  EXPECT_EQ(wait_until_closed(started->execution), kernel::Status::kSucceeded);
  EXPECT_TRUE(describe(started->execution)->outcome == Value::integer(1));
  EXPECT_EQ(store.find_execution(started->execution)->status, store::ExecutionStatus::kSucceeded);
  EXPECT_FALSE(store.find_live(started->execution).has_value());
}

TEST_F(EngineTest, AnswersAStartOnlyWhenItIsStored) {
  open(store);
  tasks.set_answers(false);
  for (int i = 0; i < 100; ++i) {
    const auto started = start(kTask);
    ASSERT_TRUE(started.has_value());
    EXPECT_TRUE(store.find_execution(started->execution).has_value());
    EXPECT_TRUE(store.find_live(started->execution)->attention);
  }
}

TEST_F(EngineTest, TakesTheSameNameAndInputForTheSameStart) {
  open(store);
  const auto first = start(kSleep, "order-1");
  const auto again = start(kSleep, "order-1");
  EXPECT_EQ(again->execution, first->execution);
  EXPECT_FALSE(again->is_new);
  const auto other = start(kSleep, "order-1", 8);
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error().code, "EXECUTION_ALREADY_EXISTS");
  EXPECT_TRUE(start(kTask, "order-1").has_value()) << "another definition has names of its own";
}

TEST_F(EngineTest, FiresAfterARestartWhatFellDueMeanwhile) {
  open(store);
  const auto started = start(kSleep);
  ASSERT_TRUE(started.has_value());
  EXPECT_EQ(describe(started->execution)->status, kernel::Status::kRunning);
  engine.reset();
  clock.shift = std::chrono::minutes(2);
  open(store);
  EXPECT_EQ(wait_until_closed(started->execution), kernel::Status::kSucceeded);
}

TEST_F(EngineTest, CallsATaskThatWasOutAgainWithTheSameKey) {
  tasks.set_answers(false);
  open(store);
  const auto started = start(kFork);
  ASSERT_TRUE(started.has_value());
  (void)describe(started->execution);
  engine.reset();
  const std::vector<std::string> before = tasks.keys();
  ASSERT_EQ(before.size(), 2u);
  tasks.set_answers(true);
  open(store);
  EXPECT_EQ(wait_until_closed(started->execution), kernel::Status::kSucceeded);
  const std::vector<std::string> after = tasks.keys();
  ASSERT_EQ(after.size(), 5u);
  EXPECT_EQ(after[2], before[0]);
  EXPECT_EQ(after[3], before[1]);
}

TEST_F(EngineTest, LeavesNoTraceOfAStartThatWasRolledBack) {
  open(failing);
  failing.fails = true;
  const auto refused = start(kTask, "order-1");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, "STORE_FULL_OR_BUSY");
  failing.fails = false;
  EXPECT_TRUE(store.list_executions({}).empty());
  const auto started = start(kTask, "order-1");
  ASSERT_TRUE(started.has_value());
  EXPECT_EQ(wait_until_closed(started->execution), kernel::Status::kSucceeded);
  EXPECT_EQ(tasks.keys().size(), 1u) << "the task of the refused start was never called";
}

TEST_F(EngineTest, AnswersNothingThatRestsOnACommitThatWasRolledBack) {
  open(failing, 1, true);
  failing.is_held = true;
  failing.fails = true;
  auto first = begin(kSleep);
  while (failing.entered == 0) std::this_thread::yield();
  auto again = begin(kSleep);     // the same start, as far as memory knows
  begin(DefinitionId(99)).get();  // refused at once: so the one before was looked at
  failing.is_held = false;
  EXPECT_FALSE(first.get().has_value());
  EXPECT_FALSE(again.get().has_value());
}

// The writer's thread may still be on its way back from a commit before it: so not each of them.
TEST_F(EngineTest, CommitsALoneStartOnTheThreadOfItsShard) {
  open(failing, 1);
  EXPECT_TRUE(is_seen_in_time([&] {
    const auto answered = std::make_shared<std::promise<std::thread::id>>();
    StartRequest request;
    request.definition = kSleep;
    engine->start(std::move(request),
                  [answered](const Result<Started>&) { answered->set_value(std::this_thread::get_id()); });
    return answered->get_future().get() == failing.committed_on.load();
  }));
}

// The shard may still be about something when the first ones come: so not each of them.
TEST_F(EngineTest, IsMovedByAThreadThatHelps) {
  open(failing, 1);
  EXPECT_TRUE(is_seen_in_time([&] {
    const auto thread = start_and_help(1).front().get();
    return thread == std::this_thread::get_id() && thread == failing.committed_on.load();
  }));
}

TEST_F(EngineTest, MovesByItselfWhereAThreadThatHelpsHasMoreThanOneMessage) {
  open(store, 1);
  for (int i = 0; i < 100; ++i)
    for (auto& thread : start_and_help(2)) EXPECT_NE(thread.get(), std::this_thread::get_id());
}

TEST_F(EngineTest, AnswersThoseWhoLendThemselvesAllAtOnce) {
  open(failing, 2);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([this] {
      for (int j = 0; j < 200; ++j)
        for (auto& thread : start_and_help(1 + j % 3)) thread.get();
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store.list_executions({}).size(), 100u) << "a page of them";
}

// A shard sleeps until its next timer, or for ten seconds.
TEST_F(EngineTest, WakesForATimerThatAThreadThatHelpedHasSet) {
  open(store, 1);
  ASSERT_TRUE(start(kSleep));
  const auto begun = std::chrono::steady_clock::now();
  clock.shift = std::chrono::seconds(-55);
  std::promise<ExecutionId> started;
  {
    const Lending lending;
    StartRequest request;
    request.definition = kSleep;
    engine->start(std::move(request), [&](const Result<Started>& answer) {
      clock.shift = std::chrono::seconds(8);
      started.set_value(answer->execution);
    });
  }
  engine->help();
  const ExecutionId id = started.get_future().get();
  while (store.find_execution(id)->status == store::ExecutionStatus::kRunning) std::this_thread::yield();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(2));
}

TEST_F(EngineTest, KeepsInMemoryWhatIsNotYetStored) {
  open(failing, 1, true);
  failing.is_held = true;
  auto first = begin(kSleep);
  while (failing.entered == 0) std::this_thread::yield();
  auto second = begin(kSleep);
  auto third = begin(kSleep);
  begin(DefinitionId(99)).get();
  failing.is_held = false;
  const ExecutionId id = first.get()->execution;
  EXPECT_EQ(second.get()->execution, id);
  EXPECT_EQ(third.get()->execution, id);
}

TEST_F(EngineTest, CallsATaskAgainWhoseResultWasRolledBack) {
  failing.fails_at = 2;
  open(failing, 1);
  const ExecutionId id = start(kTask)->execution;
  while (failing.entered < 2) std::this_thread::yield();
  while (tasks.keys().size() < 2) {
    (void)describe(id);
    clock.shift = clock.shift.load() + Duration(500);
  }
  EXPECT_EQ(wait_until_closed(id), kernel::Status::kSucceeded);
  EXPECT_EQ(tasks.keys()[0], tasks.keys()[1]);
}

TEST_F(EngineTest, TakesAnAnswerAgainAfterItWasRolledBack) {
  tasks.set_answers(false);
  open(failing, 1);
  const ExecutionId id = start(kTask)->execution;
  failing.fails = true;
  std::promise<Result<void>> refused;
  engine->complete(id, OperationId(1), 0, TaskAnswer::succeeded(Value::integer(5)),
                   [&](Result<void> answer) { refused.set_value(std::move(answer)); });
  EXPECT_FALSE(refused.get_future().get().has_value());
  failing.fails = false;
  EXPECT_EQ(describe(id)->status, kernel::Status::kRunning);
  std::promise<Result<void>> taken;
  engine->complete(id, OperationId(1), 0, TaskAnswer::succeeded(Value::integer(6)),
                   [&](Result<void> answer) { taken.set_value(std::move(answer)); });
  EXPECT_TRUE(taken.get_future().get().has_value());
  EXPECT_TRUE(describe(id)->outcome == Value::integer(6));
}

TEST_F(EngineTest, RemovesAClosedExecutionAfterItsRetention) {
  open(store);
  const ExecutionId id = start(kTask, "old")->execution;
  ASSERT_EQ(wait_until_closed(id), kernel::Status::kSucceeded);
  engine.reset();
  clock.shift = std::chrono::hours(24 * 89);
  open(store);
  EXPECT_TRUE(describe(id).has_value());
  engine.reset();
  clock.shift = std::chrono::hours(24 * 91);
  open(store);
  while (describe(id).has_value()) std::this_thread::yield();
  EXPECT_EQ(store.dump(), "");
  EXPECT_TRUE(start(kTask, "old").has_value()) << "the name is free again";
}

TEST_F(EngineTest, RemovesAClosedExecutionAfterTheRetentionOfItsDefinition) {
  programs.own_retention = std::chrono::hours(24);
  open(store);
  const ExecutionId id = start(kTask, "old")->execution;
  ASSERT_EQ(wait_until_closed(id), kernel::Status::kSucceeded);
  engine.reset();
  clock.shift = std::chrono::hours(25);
  open(store);
  while (describe(id).has_value()) std::this_thread::yield();
  EXPECT_EQ(store.dump(), "");
}

TEST_F(EngineTest, StopsAnExecutionAndItsTasks) {
  tasks.set_answers(false);
  open(store);
  const auto started = start(kFork);
  std::promise<Result<Timestamp>> stopped;
  engine->stop(started->execution, Value::empty_object(), [&](Result<Timestamp> answer) { stopped.set_value(answer); });
  EXPECT_TRUE(stopped.get_future().get().has_value());
  EXPECT_EQ(describe(started->execution)->status, kernel::Status::kAborted);
}

TEST_F(EngineTest, CutsALoopSoThatOthersGoOn) {
  open(store, 1);
  const auto endless = start(kLoop);
  ASSERT_TRUE(endless.has_value());
  const auto started = start(kTask);
  EXPECT_EQ(wait_until_closed(started->execution), kernel::Status::kSucceeded);
  EXPECT_EQ(describe(endless->execution)->status, kernel::Status::kRunning);
  std::promise<Result<Timestamp>> stopped;
  engine->stop(endless->execution, Value::empty_object(), [&](Result<Timestamp> answer) { stopped.set_value(answer); });
  EXPECT_TRUE(stopped.get_future().get().has_value());
}

TEST_F(EngineTest, CommitsManyExecutionsTogether) {
  open(store, 1);
  constexpr int kStarts = 2'000;
  std::atomic<int> done{0};
  std::promise<void> all;
  for (int i = 0; i < kStarts; ++i) {
    StartRequest request;
    request.definition = kSleep;
    engine->start(std::move(request), [&](Result<Started> answer) {
      EXPECT_TRUE(answer.has_value());
      if (++done == kStarts) all.set_value();
    });
  }
  all.get_future().get();
  const Histogram& sizes = engine->metrics().commit_chunks;
  EXPECT_EQ(sizes.sum(), static_cast<uint64_t>(kStarts));
  EXPECT_LT(sizes.bucket(0), static_cast<uint64_t>(kStarts)) << "each went by itself";
  store::ListFilter everything;
  everything.limit = kStarts + 1;
  EXPECT_EQ(store.list_executions(everything).size(), size_t{kStarts});
}

TEST_F(EngineTest, GoesOnFromSqliteAfterAReopen) {
  std::string name = (std::filesystem::temp_directory_path() / "pawl-engine-XXXXXX").string();
  const std::string directory = ::mkdtemp(name.data());
  ExecutionId id;
  {
    auto sqlite = store::SqliteStore::open(directory).value();
    open(*sqlite);
    id = start(kSleep, "sleeper")->execution;
    engine.reset();
  }
  clock.shift = std::chrono::minutes(2);
  {
    auto sqlite = store::SqliteStore::open(directory).value();
    open(*sqlite);
    EXPECT_EQ(wait_until_closed(id), kernel::Status::kSucceeded);
    EXPECT_EQ(start(kSleep, "sleeper").error().code, "EXECUTION_ALREADY_EXISTS");
    engine.reset();
  }
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace pawl::engine
