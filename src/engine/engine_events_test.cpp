// Events on an engine without threads and with two shards, on both stores, through crashes and rolled-back commits.
#include "engine/event_test_world.h"

namespace pawl::engine {
namespace {

using std::chrono::seconds;
using Texts = std::vector<std::string>;

class Events : public testing::TestWithParam<StoreKind> {
 protected:
  EventWorld world{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Stores, Events, testing::Values(StoreKind::kMemory, StoreKind::kSqlite));

// --- who gets an event

TEST_P(Events, ReachWhoWaitsForThem) {
  const ExecutionId id = world.start(kWaiter, "bear");
  EXPECT_EQ(world.waits(), 1u);
  world.publish("1", "bear");
  world.settle();
  EXPECT_EQ(world.taken_by(id), Texts{"1"});
  EXPECT_EQ(world.stored(kWaiter)[0].status, ExecutionStatus::kSucceeded);
  EXPECT_EQ(world.waits(), 0u);
  EXPECT_TRUE(world.store().messages({}, 10).empty());
}

TEST_P(Events, ReachOnlyThoseWhoseCorrelationTheyHave) {
  const ExecutionId bear = world.start(kWaiter, "bear");
  const ExecutionId duck = world.start(kWaiter, "duck");
  world.publish("1", "duck");
  world.publish("2", "cow");
  world.settle();
  EXPECT_EQ(world.taken_by(bear), Texts{});
  EXPECT_EQ(world.taken_by(duck), Texts{"1"});
}

TEST_P(Events, SettleWhatAFilterLeavesOpen) {
  const ExecutionId id = world.start(kLoop);
  world.publish("1", "bear");
  world.settle();
  world.publish("2", "duck");
  world.publish("3", "bear");
  world.settle();
  EXPECT_EQ(world.taken_by(id), (Texts{"1", "3"}));
}

TEST_P(Events, AreTakenByTheFirstFilterThatTheyPass) {
  const ExecutionId id = world.start(kChooser, "bear");
  EXPECT_EQ(world.waits(), 2u);
  world.publish("1", "bear");
  world.settle();
  const auto facts = world.facts_of(id);
  const auto ended = std::ranges::find(facts, FactKind::kOperationEnded, &Fact::kind);
  ASSERT_NE(ended, facts.end());
  EXPECT_EQ(*ended->value.find("filter"), Value::integer(1));
  EXPECT_EQ(world.waits(), 0u);
}

TEST_P(Events, ComeInTheOrderOfTheirArrival) {
  const ExecutionId id = world.start(kLoop, "bear");
  for (int i = 1; i <= 9; ++i) world.publish(std::to_string(i), "bear");
  world.settle();
  EXPECT_EQ(world.taken_by(id), (Texts{"1", "2", "3", "4", "5", "6", "7", "8", "9"}));
}

// --- time

TEST_P(Events, AreLateForAWaitThatHasTimedOut) {
  const ExecutionId id = world.start(kWaiter, "bear");
  world.pass(std::chrono::minutes(1));
  world.publish("1", "bear");
  world.settle();
  EXPECT_EQ(world.taken_by(id), Texts{});
  EXPECT_EQ(world.stored(kWaiter)[0].status, ExecutionStatus::kFailed);
  EXPECT_EQ(world.waits(), 0u);
}

TEST_P(Events, AreForgottenWhenTheirTimeIsOver) {
  world.publish("1", "bear");
  world.settle();
  world.pass(std::chrono::minutes(9));
  EXPECT_EQ(world.store().events({}, 10, store::Store::Bodies::kWith).size(), 1u);
  world.pass(std::chrono::minutes(1));
  world.pass(seconds(10));
  EXPECT_EQ(world.store().events({}, 10, store::Store::Bodies::kWith).size(), 0u);
  world.open();
  world.publish("2", "bear");
  world.settle();
  EXPECT_EQ(world.store().events({}, 10, store::Store::Bodies::kWith).at(0).number, EventNumber(2));
}

// An execution that sleeps between two waits gets what came meanwhile; the loop's waits are a stand-in for that: while
// its shard does not move, the event arrives and the next wait begins.
TEST_P(Events, AreKeptForAWaitThatBeginsLater) {
  world.begin(kWaiter, "bear");
  world.engine->run_ready();  // it is running, and its wait is not yet durable
  world.publish("1", "bear");
  world.settle();
  EXPECT_EQ(world.taken_by(world.stored(kWaiter).at(0).id), Texts{"1"});
}

TEST_P(Events, AreNotOfferedToAnExecutionThatStartsLater) {
  world.publish("1", "bear");
  world.settle();
  const ExecutionId id = world.start(kWaiter, "bear");
  EXPECT_EQ(world.taken_by(id), Texts{});
}

// --- twice

TEST_P(Events, AreTakenOnceHoweverOftenTheyArrive) {
  const ExecutionId id = world.start(kLoop, "bear");
  world.publish("1", "bear");
  world.publish("1", "bear");
  world.settle();
  world.publish("1", "bear");
  world.settle();
  world.open();
  world.publish("1", "bear");
  world.settle();
  EXPECT_EQ(world.taken_by(id), Texts{"1"});
  EXPECT_EQ(world.engine->metrics().events_duplicate.value(), 1u);
}

TEST_P(Events, AreLetInAgainWhenTheFirstIsForgotten) {
  const ExecutionId id = world.start(kLoop, "bear");
  world.publish("1", "bear");
  world.settle();
  for (int i = 0; i < 12; ++i) {
    world.publish("keeps it waiting " + std::to_string(i), "bear");
    world.pass(seconds(55));
  }
  world.publish("1", "bear");
  world.settle();
  const auto taken = world.taken_by(id);
  EXPECT_EQ(std::ranges::count(taken, "1"), 2);
}

// --- many

TEST_P(Events, ReachAThousandAndMoreInSteps) {
  constexpr size_t kWaiters = 2'500;
  for (size_t i = 0; i < kWaiters; ++i) world.begin(kLoop);
  world.settle();
  world.publish("1", "bear");
  world.publish("2", "bear");
  world.settle();
  for (const store::ExecutionRow& row : world.stored(kLoop)) ASSERT_EQ(world.taken_by(row.id), (Texts{"1", "2"}));
  EXPECT_EQ(world.engine->metrics().events_matched.value(), 2 * kWaiters);
  EXPECT_EQ(world.waits(), kWaiters);
}

// --- starts

TEST_P(Events, StartWhatTheyCanStart) {
  world.programs.open = {kStarted, kStartedWaits};
  world.publish("1", "bear");
  world.settle();
  ASSERT_EQ(world.stored(kStarted).size(), 1u);
  ASSERT_EQ(world.stored(kStartedWaits).size(), 1u);
  EXPECT_EQ(world.started_by(world.stored(kStarted)[0].id), Texts{"moved 1"});
  EXPECT_EQ(world.stored(kStarted)[0].status, ExecutionStatus::kSucceeded);
  const auto facts = world.facts_of(world.stored(kStarted)[0].id);
  EXPECT_EQ(*facts.at(0).extra.find("correlation")->find("toy"), Value::string("bear"));
}

TEST_P(Events, AreNotTakenAgainByWhatTheyStarted) {
  world.programs.open = {kStartedWaits};
  world.publish("1", "bear");
  world.settle();
  ASSERT_EQ(world.stored(kStartedWaits).size(), 1u);
  EXPECT_EQ(world.stored(kStartedWaits)[0].status, ExecutionStatus::kRunning);
  EXPECT_EQ(world.waits(), 1u);
}

TEST_P(Events, ThatFollowAtOnceAreTakenByWhatTheFirstStarted) {
  world.programs.open = {kStartedWaits};
  world.publish("1", "bear");
  world.settle();
  world.programs.open = {};
  world.begin(kLoop, "bear");
  world.settle();
  world.programs.open = {kStartedWaits};
  world.publish("2", "duck");
  world.engine->run_ready();  // the start is decided
  world.programs.open = {};
  world.publish("3", "duck");
  world.settle();
  ASSERT_EQ(world.stored(kStartedWaits).size(), 2u);
  EXPECT_EQ(world.taken_by(world.stored(kStartedWaits)[0].id), Texts{"3"});
}

TEST_P(Events, StartNothingWhereAnExecutionOfTheDefinitionWaited) {
  world.programs.open = {kStarted, kStartedWaits};
  world.publish("1", "bear");
  world.settle();
  world.publish("2", "bear");
  world.settle();
  EXPECT_EQ(world.stored(kStarted).size(), 2u);
  ASSERT_EQ(world.stored(kStartedWaits).size(), 1u);
  EXPECT_EQ(world.taken_by(world.stored(kStartedWaits)[0].id), Texts{"2"});
  world.publish("3", "bear");
  world.settle();
  EXPECT_EQ(world.stored(kStartedWaits).size(), 2u);
}

TEST_P(Events, ThatAreKeptStartNothingLater) {
  world.publish("1", "bear");
  world.settle();
  world.programs.open = {kStarted};
  world.open();
  world.settle();
  EXPECT_TRUE(world.stored(kStarted).empty());
}

// --- partial sets

TEST_P(Events, StartTogetherInAnyOrder) {
  world.programs.open = {kTogether};
  world.publish("1", "bear", "toy.painted");
  world.publish("2", "duck", "toy.moved");
  world.settle();
  EXPECT_TRUE(world.stored(kTogether).empty());
  world.open();
  world.publish("3", "bear", "toy.moved");
  world.settle();
  ASSERT_EQ(world.stored(kTogether).size(), 1u);
  EXPECT_EQ(world.started_by(world.stored(kTogether)[0].id), (Texts{"painted 1", "moved 3"}));
  world.publish("4", "duck", "toy.painted");
  world.settle();
  ASSERT_EQ(world.stored(kTogether).size(), 2u);
  EXPECT_EQ(world.started_by(world.stored(kTogether)[0].id), (Texts{"moved 2", "painted 4"}));
  for (const store::Wake& wake : world.store().due(kNever, {}, 100)) EXPECT_FALSE(is_partial_set(wake.execution));
  EXPECT_EQ(world.store().dump().find("partial set"), std::string::npos);
}

TEST_P(Events, StartTogetherEachDefinitionThatAsksForThem) {
  world.programs.open = {kTogether, kTogetherToo};
  world.publish("1", "bear", "toy.moved");
  world.settle();
  world.open();
  world.publish("2", "bear", "toy.painted");
  world.settle();
  for (const DefinitionId definition : {kTogether, kTogetherToo}) {
    ASSERT_EQ(world.stored(definition).size(), 1u) << definition;
    EXPECT_EQ(world.started_by(world.stored(definition)[0].id), (Texts{"moved 1", "painted 2"}));
  }
  EXPECT_EQ(world.store().dump().find("partial set"), std::string::npos);
}

TEST_P(Events, StartNothingOfAnyDefinitionWhenTheGapIsTooLong) {
  world.programs.open = {kTogether, kTogetherToo};
  world.publish("1", "bear", "toy.moved");
  world.settle();
  world.pass(seconds(30));
  EXPECT_EQ(world.store().dump().find("partial set"), std::string::npos);
  for (const store::Wake& wake : world.store().due(kNever, {}, 100)) EXPECT_FALSE(is_partial_set(wake.execution));
}

TEST_P(Events, OfTheSameKindBeginAnotherSet) {
  world.programs.open = {kTogether};
  world.publish("1", "bear", "toy.moved");
  world.publish("2", "bear", "toy.moved");
  world.publish("3", "bear", "toy.painted");
  world.publish("4", "bear", "toy.painted");
  world.settle();
  ASSERT_EQ(world.stored(kTogether).size(), 2u);
  EXPECT_EQ(world.started_by(world.stored(kTogether)[1].id), (Texts{"moved 1", "painted 3"}));
  EXPECT_EQ(world.started_by(world.stored(kTogether)[0].id), (Texts{"moved 2", "painted 4"}));
}

TEST_P(Events, StartNothingWhenTheGapBetweenThemIsTooLong) {
  world.programs.open = {kTogether};
  world.publish("1", "bear", "toy.moved");
  world.settle();
  world.open();
  world.settle();
  world.pass(seconds(29));
  EXPECT_NE(world.store().dump().find("partial set"), std::string::npos);
  world.pass(seconds(1));
  EXPECT_EQ(world.store().dump().find("partial set"), std::string::npos);
  world.publish("2", "bear", "toy.painted");
  world.settle();
  EXPECT_TRUE(world.stored(kTogether).empty());
}

TEST_P(Events, AreAwaitedByAPartialSetOnTheVirtualClock) {
  world.programs.open = {kTogether};
  world.publish("1", "bear", "toy.moved");
  world.settle();
  EXPECT_EQ(world.store().next_wake(), world.clock.now() + seconds(30));
  world.pass(seconds(25));
  EXPECT_LE(world.engine->next_timer(), world.clock.now() + seconds(5));
}

// --- produced

TEST_P(Events, ThatAnExecutionProducesComeBack) {
  world.programs.open = {kStarted};
  const ExecutionId waiter = world.start(kWaiter, "bear");
  world.begin(kProducer, "", EventWorld::event("1", "bear"));
  world.settle();
  EXPECT_EQ(world.taken_by(waiter), Texts{"1"});
  ASSERT_EQ(world.stored(kStarted).size(), 1u);
  EXPECT_EQ(world.started_by(world.stored(kStarted)[0].id), Texts{"moved 1"});
  EXPECT_TRUE(world.store().messages({}, 10).empty());
}

TEST_P(Events, ThatAnExecutionProducesWaitForEachSinkInOrder) {
  world.sinks = {"one", "two"};
  world.open();
  world.begin(kProducer, "", EventWorld::event("1", "bear"));
  world.settle();
  world.begin(kProducer, "", EventWorld::event("2", "bear"));
  world.settle();
  world.open();
  const auto queue = world.engine->sink_queue("two", {}, 10);
  ASSERT_EQ(queue.size(), 2u);
  EXPECT_NE(queue[0].body.find("\"id\":\"1\""), std::string::npos);
  EXPECT_NE(queue[1].body.find("\"id\":\"2\""), std::string::npos);
  world.engine->remove_sink_items({queue[0].id}, [](Result<void> answer) { EXPECT_TRUE(answer.has_value()); });
  world.settle();
  EXPECT_EQ(world.engine->sink_queue("two", {}, 10).size(), 1u);
  EXPECT_EQ(world.engine->sink_queue("one", {}, 10).size(), 2u);
}

// --- bad ones

TEST_P(Events, AreRefusedWithoutAnIdentity) {
  std::string code;
  world.engine->publish(Value::empty_object(), [&](Result<Published> answer) { code = answer.error().code; });
  world.settle();
  EXPECT_EQ(code, "EVENT_INVALID");
}

}  // namespace
}  // namespace pawl::engine
