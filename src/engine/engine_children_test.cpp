// Parents and children on an engine without threads and with two shards, through crashes and rolled-back commits.
#include <algorithm>

#include <gtest/gtest.h>

#include "engine/engine.h"
#include "engine/failing_store.h"
#include "kernel/toy_program.h"
#include "store/memory/memory_store.h"

namespace pawl::engine {
namespace {

using kernel::Fact;
using kernel::FactKind;
using kernel::Status;
using store::ExecutionStatus;

constexpr DefinitionId kParent{1};
constexpr DefinitionId kSleeper{2};
constexpr DefinitionId kQuick{3};

class ToyPrograms final : public Programs {
 public:
  std::shared_ptr<const kernel::Program> find(DefinitionId definition) override {
    if (definition == kParent) return std::make_shared<kernel::ToyProgram>(kernel::kStartChild);
    return std::make_shared<kernel::ToyProgram>(definition == kSleeper ? kernel::kSleepMinute : kernel::kPassOn);
  }
  std::string family_of(DefinitionId definition) override { return std::to_string(definition.number); }
};

class NoTokens final : public Tokens {
 public:
  std::string mint(ExecutionId, OperationId, uint32_t) override { return "token"; }
};

class NoActivities final : public Activities {
 public:
  bool exists(std::string_view) override { return false; }
  void offer(ActivityOffer) override {}
  void withdraw(ExecutionId, OperationId) override {}
};

Value id_value(ExecutionId id) { return Value::integer(static_cast<int64_t>(id.number)); }

// Starts a child for each task.
class Starter final : public TaskHandler {
 public:
  Expect start(const TaskRequest& request, AnswerTask answer) override {
    const ChildLink link{request.execution, request.operation, request.attempt, "told"};
    if (const auto known = engine->find_child(link)) {
      answer(TaskAnswer::submitted(id_value(known->id)));
      return Expect::kAnswer;
    }
    StartRequest start;
    start.definition = child;
    start.name = name;
    start.input = request.input;
    start.parent = link;
    engine->start(std::move(start), [answer](Result<Started> started) {
      if (started)
        answer(TaskAnswer::submitted(id_value(started->execution)));
      else if (started.error().code == "EXECUTION_ALREADY_EXISTS")
        answer(TaskAnswer::failed("Taken", ""));
    });
    return Expect::kAnswer;
  }
  void cancel(TaskId) override {}

  Engine* engine = nullptr;
  DefinitionId child = kSleeper;
  std::string name;
};

class Tellers final : public Children {
 public:
  ChildEnd end_of(const Description& child, std::string_view form) override {
    EXPECT_EQ(form, "told");
    const bool succeeded = child.status == Status::kSucceeded;
    return {id_value(child.row.id),
            succeeded ? TaskAnswer::succeeded(child.outcome) : TaskAnswer::failed("ChildFailed", "")};
  }
};

// An engine with its store, clock and tasks; each test, and each turn of a loop over crashes, has its own.
class World {
 public:
  World() { open(); }

  // Also a crash: whatever is not in the store is gone.
  void open() {
    engine.reset();
    EngineOptions options;
    options.threads = false;
    options.shards = 2;
    options.seed = 1;
    options.retention = std::chrono::hours(1);
    engine = Engine::open({store, programs, tasks, activities, tokens, clock, &tellers}, options).value();
    tasks.engine = engine.get();
  }

  bool move() { return engine->run_ready() || engine->commit(); }
  void settle() {
    while (move()) {
    }
  }
  void pass(Duration time) {
    clock.advance_to(clock.now() + time);
    settle();
  }
  // Until nothing more happens by itself.
  void finish() {
    settle();
    for (int minute = 0; minute < 3; ++minute) pass(std::chrono::minutes(1));
  }
  // Moves so often, and then crashes.
  void crash_after(int moves) {
    for (int i = 0; i < moves; ++i) move();
    open();
  }

  // Asks for a start; it is durable when the engine has moved on.
  void begin(DefinitionId definition, int64_t input = 7, std::string name = "") {
    StartRequest request;
    request.definition = definition;
    request.input = Value::integer(input);
    request.name = std::move(name);
    engine->start(std::move(request), [](Result<Started>) {});
  }
  void stop(ExecutionId id) {
    engine->stop(id, Value::empty_object(), [](Result<Timestamp>) {});
  }

  std::vector<store::ExecutionRow> stored(DefinitionId definition) const {
    store::ListFilter filter;
    filter.definition = definition;
    return store.list_executions(filter);
  }
  store::ExecutionStatus status_of(DefinitionId definition) const { return stored(definition).at(0).status; }
  std::vector<Fact> facts_of(ExecutionId id) {
    std::vector<Fact> facts;
    engine->facts(id, [&](Result<std::vector<Fact>> answer) { facts = std::move(answer).value(); });
    settle();
    return facts;
  }

  store::MemoryStore memory;
  FailingStore store{memory};
  ToyPrograms programs;
  NoTokens tokens;
  NoActivities activities;
  Starter tasks;
  Tellers tellers;
  VirtualClock clock{Timestamp(std::chrono::hours(24))};
  std::unique_ptr<Engine> engine;
};

size_t count(const std::vector<Fact>& facts, FactKind kind) {
  return static_cast<size_t>(std::ranges::count(facts, kind, &Fact::kind));
}

// What holds of a parent and its child when all is over.
void expect_one_child_told_once(World& world) {
  const auto parents = world.stored(kParent);
  const auto children = world.stored(world.tasks.child);
  ASSERT_EQ(parents.size(), 1u);
  ASSERT_EQ(children.size(), 1u);
  EXPECT_EQ(parents[0].status, ExecutionStatus::kSucceeded);
  EXPECT_EQ(children[0].status, ExecutionStatus::kSucceeded);
  EXPECT_EQ(children[0].parent, parents[0].id);
  const auto facts = world.facts_of(parents[0].id);
  EXPECT_EQ(count(facts, FactKind::kOperationSubmitted), 1u);
  EXPECT_EQ(count(facts, FactKind::kOperationEnded), 1u);
  EXPECT_TRUE(world.store.messages({}, 10).empty());
}

constexpr int kMovesMax = 24;  // more than any of these stories takes

TEST(Children, EndTheirParentsWithTheirOutput) {
  World world;
  world.tasks.child = kQuick;
  world.begin(kParent, 41);
  world.settle();
  expect_one_child_told_once(world);
  EXPECT_EQ(world.facts_of(world.stored(kParent)[0].id).back().value, Value::integer(41));
}

TEST(Children, LetTheirParentsSleepInTheStore) {
  World world;
  world.begin(kParent);
  world.settle();
  ASSERT_EQ(world.stored(kSleeper).size(), 1u);
  EXPECT_TRUE(world.store.needing_attention({}, 10).empty());
  EXPECT_EQ(world.status_of(kParent), ExecutionStatus::kRunning);
  world.pass(std::chrono::minutes(1));
  expect_one_child_told_once(world);
}

TEST(Children, AreStartedAndToldOnceWhateverMomentACrashComes) {
  for (const DefinitionId child : {kSleeper, kQuick}) {
    for (int moves = 0; moves < kMovesMax; ++moves) {
      SCOPED_TRACE("child " + std::to_string(child.number) + ", crash after move " + std::to_string(moves));
      World world;
      world.tasks.child = child;
      world.begin(kParent);
      world.move();  // into the batch
      world.move();  // and the store
      world.crash_after(moves);
      world.finish();
      expect_one_child_told_once(world);
    }
  }
}

TEST(Children, AreToldOnceWhenTheCrashComesAsTheyEnd) {
  for (int moves = 0; moves < kMovesMax; ++moves) {
    SCOPED_TRACE("crash after move " + std::to_string(moves));
    World world;
    world.begin(kParent);
    world.settle();
    world.clock.advance_to(world.clock.now() + std::chrono::minutes(1));
    world.crash_after(moves);
    world.finish();
    expect_one_child_told_once(world);
  }
}

TEST(Children, AreStartedAndToldOnceWhicheverCommitRollsBack) {
  for (const DefinitionId child : {kSleeper, kQuick}) {
    for (int commit = 2; commit < 10; ++commit) {
      SCOPED_TRACE("child " + std::to_string(child.number) + ", commit " + std::to_string(commit) + " rolled back");
      World world;
      world.tasks.child = child;
      world.store.fails_at = commit;
      world.begin(kParent);
      world.finish();
      expect_one_child_told_once(world);
    }
  }
}

TEST(Children, AreStoppedWithTheirParentsWhateverMomentACrashComes) {
  for (int before = 0; before < kMovesMax; ++before) {
    for (int after = 0; after < kMovesMax; after += 1 + before % 2) {
      SCOPED_TRACE("stop after move " + std::to_string(before) + ", crash after move " + std::to_string(after));
      World world;
      world.begin(kParent);
      world.move();
      world.move();
      for (int i = 0; i < before; ++i) world.move();
      world.stop(world.stored(kParent).at(0).id);
      world.crash_after(after);
      world.settle();
      const bool was_stopped = world.status_of(kParent) == ExecutionStatus::kAborted;
      const auto children = world.stored(kSleeper);
      EXPECT_LE(children.size(), 1u);
      if (!was_stopped) {
        EXPECT_EQ(world.status_of(kParent), ExecutionStatus::kRunning);
      }
      for (const store::ExecutionRow& child : children)
        EXPECT_EQ(child.status, was_stopped ? ExecutionStatus::kAborted : ExecutionStatus::kRunning);
      EXPECT_TRUE(world.store.messages({}, 10).empty());
    }
  }
}

TEST(Children, AreStoppedWithTheirParentsWhicheverCommitRollsBack) {
  for (int commit = 1; commit < 6; ++commit) {
    SCOPED_TRACE("commit " + std::to_string(commit) + " after the order rolled back");
    World world;
    world.begin(kParent);
    world.settle();
    const ExecutionId parent = world.stored(kParent).at(0).id;
    world.store.fails_at = world.store.entered + commit;
    world.stop(parent);
    world.settle();
    if (world.status_of(kParent) == ExecutionStatus::kRunning) world.stop(parent);  // the stop itself was refused
    world.settle();
    world.pass(std::chrono::seconds(5));
    EXPECT_EQ(world.status_of(kParent), ExecutionStatus::kAborted);
    EXPECT_EQ(world.status_of(kSleeper), ExecutionStatus::kAborted);
    EXPECT_TRUE(world.store.messages({}, 10).empty());
  }
}

TEST(Children, ThatWereStoppedFailTheirParents) {
  World world;
  world.begin(kParent);
  world.settle();
  world.stop(world.stored(kSleeper).at(0).id);
  world.settle();
  EXPECT_EQ(world.status_of(kParent), ExecutionStatus::kFailed);
}

TEST(Children, WithANameThatRunsAlreadyAreWaitedFor) {
  World world;
  world.tasks.name = "the-one";
  world.begin(kSleeper, 7, "the-one");
  world.settle();
  world.begin(kParent, 7);
  world.begin(kParent, 7);
  world.settle();
  world.open();
  world.finish();
  ASSERT_EQ(world.stored(kSleeper).size(), 1u);
  for (const store::ExecutionRow& parent : world.stored(kParent)) {
    EXPECT_EQ(parent.status, ExecutionStatus::kSucceeded);
    EXPECT_EQ(count(world.facts_of(parent.id), FactKind::kOperationSubmitted), 1u);
  }
  EXPECT_TRUE(world.store.messages({}, 10).empty());
}

TEST(Children, WithANameThatIsTakenByAnotherInputFailTheirParents) {
  World world;
  world.tasks.name = "the-one";
  world.begin(kSleeper, 1, "the-one");
  world.settle();
  world.begin(kParent, 2);
  world.settle();
  EXPECT_EQ(world.status_of(kParent), ExecutionStatus::kFailed);
}

TEST(Children, LeaveNothingBehindWhenTheirRetentionEnds) {
  World world;
  world.begin(kParent);
  world.finish();
  ASSERT_FALSE(world.store.dump().empty());
  world.pass(std::chrono::hours(2));
  EXPECT_EQ(world.store.dump(), "");
}

}  // namespace
}  // namespace pawl::engine
