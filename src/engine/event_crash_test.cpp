// Events through crashes at every moment, and through commits that roll back: each is taken once, whatever happens.
#include "engine/event_test_world.h"

namespace pawl::engine {
namespace {

using std::chrono::seconds;
using Texts = std::vector<std::string>;

constexpr int kMovesMax = 30;  // more than the story takes

// Waiters, a loop, starts by one event and by two together, and a produced event: what they come to.
struct Story {
  explicit Story(StoreKind kind) : world(kind) {}

  void begin() {
    world.programs.open = {kStarted, kStartedWaits, kTogether, kTogetherToo};
    world.start(kWaiter, "bear");
    world.start(kLoop, "bear");
    world.publish("1", "bear");
    world.publish("2", "bear", "toy.painted");
    world.publish("3", "duck");
  }
  // Rollbacks make pauses.
  void finish() {
    for (int i = 0; i < 5; ++i) {
      world.settle();
      world.pass(seconds(1));
      if (!world.has_answers()) world.open();
    }
  }
  void expect_each_event_once() {
    EXPECT_TRUE(world.has_answers());
    ASSERT_EQ(world.stored(kWaiter).size(), 1u);
    EXPECT_EQ(world.taken_by(world.stored(kWaiter)[0].id), Texts{"1"});
    EXPECT_EQ(world.taken_by(world.stored(kLoop)[0].id), Texts{"1"});
    std::multiset<std::string> causes;
    for (const DefinitionId definition : {kStarted, kStartedWaits, kTogether, kTogetherToo})
      for (const store::ExecutionRow& row : world.stored(definition))
        for (const std::string& cause : world.started_by(row.id))
          causes.insert(std::to_string(definition.number) + " " + cause);
    EXPECT_EQ(causes, (std::multiset<std::string>{"3 moved 1", "3 moved 3", "4 moved 1", "4 moved 3", "5 moved 1",
                                                  "5 painted 2", "8 moved 1", "8 painted 2"}));
    EXPECT_TRUE(world.store().messages({}, 10).empty());
    EXPECT_EQ(world.waits(), 3u);  // of the loop and of those that were started
  }

  EventWorld world;
};

class EventCrashes : public testing::TestWithParam<StoreKind> {};
INSTANTIATE_TEST_SUITE_P(Stores, EventCrashes, testing::Values(StoreKind::kMemory, StoreKind::kSqlite));

TEST_P(EventCrashes, LoseAndDoubleNothingWhateverMomentTheyCome) {
  for (int moves = 0; moves < kMovesMax; ++moves) {
    SCOPED_TRACE("crash after move " + std::to_string(moves));
    Story story(GetParam());
    story.begin();
    story.world.crash_after(moves);
    story.finish();
    story.expect_each_event_once();
  }
}

TEST_P(EventCrashes, LoseAndDoubleNothingAfterEveryMove) {
  Story story(GetParam());
  story.begin();
  for (int i = 0; i < 3 * kMovesMax; ++i) {
    story.world.move();
    story.world.engine->commit();
    story.world.open();
    for (int move = 0; move < i % 5; ++move) story.world.move();
  }
  story.finish();
  story.expect_each_event_once();
}

TEST_P(EventCrashes, LoseAndDoubleNothingWhicheverCommitRollsBack) {
  for (int commit = 1; commit <= 12; ++commit) {
    SCOPED_TRACE("commit " + std::to_string(commit) + " rolled back");
    Story story(GetParam());
    story.begin();
    story.world.store().fails_at = story.world.store().entered + commit;
    story.finish();
    story.expect_each_event_once();
  }
}

// The wait is durable, the event too, and the crash comes before the desk has brought them together.
TEST_P(EventCrashes, LoseNoWaitThatBeganAsItsEventArrived) {
  for (int moves = 0; moves < 12; ++moves) {
    for (int later = moves % 2; later < 6; later += 2) {
      SCOPED_TRACE("event after move " + std::to_string(later) + ", crash after move " + std::to_string(moves));
      EventWorld world(GetParam());
      world.begin(kWaiter, "bear");
      world.engine->run_ready();
      for (int i = 0; i < later; ++i) world.move();
      world.publish("1", "bear");
      world.engine->run_ready();
      world.engine->commit();
      world.crash_after(moves);
      world.settle();
      ASSERT_EQ(world.stored(kWaiter).size(), 1u);
      EXPECT_EQ(world.taken_by(world.stored(kWaiter)[0].id), Texts{"1"});
    }
  }
}

TEST_P(EventCrashes, LeaveAFanOutWhole) {
  constexpr size_t kWaiters = 2'200;
  for (const int moves : {1, 2, 3, 4, 6, 9}) {
    SCOPED_TRACE("crash after move " + std::to_string(moves));
    EventWorld world(GetParam());
    for (size_t i = 0; i < kWaiters; ++i) world.begin(kLoop);
    world.settle();
    world.publish("1", "bear");
    world.engine->run_ready();
    world.engine->commit();
    world.crash_after(moves);
    world.settle();
    size_t taken = 0;
    for (const store::ExecutionRow& row : world.stored(kLoop)) taken += world.taken_by(row.id) == Texts{"1"};
    EXPECT_EQ(taken, kWaiters);
  }
}

}  // namespace
}  // namespace pawl::engine
