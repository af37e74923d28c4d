// Events, by a toy language: waits, what they settle, what is published, and joins that need only some.
#include "json/parse.h"
#include "kernel/kernel_test_fixture.h"

namespace pawl::kernel {
namespace {

using std::chrono::minutes;

Value moved(std::string_view toy) {
  return json::parse(R"({"id":"1","source":"toys","type":"toy.moved","Toy":")" + std::string(toy) + R"("})").value();
}

class KernelEvents : public Kernel {
 protected:
  TurnEnd arrive(const Program& program, uint32_t operation, Value event, int64_t number = 5) {
    json::ObjectBuilder value(3);
    value.set("filter", Value::integer(0));
    value.set("event", std::move(event));
    value.set("number", Value::integer(number));
    Signal signal;
    signal.kind = SignalKind::kOperationEnded;
    signal.operation = OperationId(operation);
    signal.value = value.build();
    return take(program, signal);
  }
  EventFilter awaited(uint32_t operation) const {
    const Operation* open = execution.find_operation(OperationId(operation));
    return EventFilter::from_value(open->input.find("filters")->at(0)).value();
  }
};

TEST_F(KernelEvents, SubscribeAndWaitWithoutADispatch) {
  const ToyProgram program(kAwaitEvent);
  EXPECT_EQ(start(program), TurnEnd::kQuiet);
  ASSERT_EQ(effects.size(), 1u);
  EXPECT_EQ(effects[0], (Effect{EffectKind::kSubscribe, OperationId(1)}));
  EXPECT_EQ(execution.next_due(), world.now() + minutes(1));
}

TEST_F(KernelEvents, EndTheWaitAndTheSubscription) {
  const ToyProgram program(kAwaitEvent);
  start(program);
  arrive(program, 1, moved("bear"));
  EXPECT_EQ(execution.status(), Status::kSucceeded);
  EXPECT_TRUE(*execution.outcome().find("event") == moved("bear"));
  EXPECT_EQ(effects.front(), (Effect{EffectKind::kUnsubscribe, OperationId(1)}));
}

TEST_F(KernelEvents, AreNotWaitedForBeyondTheDueTime) {
  const ToyProgram program(kAwaitEvent);
  start(program);
  advance(minutes(1));
  wake(program);
  EXPECT_EQ(execution.status(), Status::kFailed);
  EXPECT_EQ(effects.front(), (Effect{EffectKind::kUnsubscribe, OperationId(1)}));
}

TEST_F(KernelEvents, MayBeWaitedForLongerThanWasSaidAtFirst) {
  const ToyProgram program(kAwaitEvent);
  start(program);
  Fact later;
  later.kind = FactKind::kOperationStarted;
  later.scope = ScopeId(1);
  later.state = kAwaitEvent;
  later.operation = OperationId(1);
  later.operation_kind = OperationKind::kEvent;
  later.due = world.now() + minutes(5);
  effects.clear();
  Turn(execution, world, limits, facts, effects).append_event(std::move(later));
  EXPECT_TRUE(effects.empty());
  EXPECT_EQ(execution.next_due(), world.now() + minutes(5));
  arrive(program, 1, moved("bear"));
  EXPECT_EQ(execution.status(), Status::kSucceeded);
}

TEST_F(KernelEvents, SettleTheAttributesThatTheFilterLeftOpen) {
  ToyProgram program(kAwaitEvent);
  program.after_event = kAwaitEvent;
  start(program);
  EXPECT_EQ(awaited(1).attributes[0].value, std::nullopt);
  arrive(program, 1, moved("bear"));
  EXPECT_EQ(execution.correlation().find("toy")->as_string(), "bear");
  EXPECT_EQ(awaited(2).attributes[0].value, "bear");
}

TEST_F(KernelEvents, AreMarkedAsTakenUnderTheKeyOfTheNextWaitToo) {
  ToyProgram program(kAwaitEvent);
  program.after_event = kAwaitEvent;
  start(program);
  const EventKey open = key_of(awaited(1));
  arrive(program, 1, moved("bear"), 5);
  EXPECT_EQ(execution.taken_up_to(open), 5u);
  EXPECT_EQ(execution.taken_up_to(key_of(awaited(2))), 5u);
  arrive(program, 2, moved("bear"), 9);
  EXPECT_EQ(execution.taken_up_to(key_of(awaited(3))), 9u);
  EXPECT_EQ(execution.taken_up_to(EventKey{1, 2}), 0u);
}

TEST_F(KernelEvents, ThatStartedAnExecutionAreThereUntilTheFirstStateIsLeft) {
  ToyProgram program(kAwaitEvent);
  program.after_event = kAwaitEvent;
  Signal signal;
  signal.kind = SignalKind::kStart;
  signal.extra =
      json::parse(R"({"events":[{"event":"moved","value":{}}],"correlation":{"toy":"bear"},"taken":{}})").value();
  take(program, signal);
  EXPECT_EQ(execution.start_events().size(), 1u);
  EXPECT_EQ(awaited(1).attributes[0].value, "bear");
  arrive(program, 1, moved("bear"));
  EXPECT_TRUE(execution.start_events().is_null());
}

TEST_F(KernelEvents, ArePublishedOnceTheFactsAreDurable) {
  const ToyProgram program(kPublishInput);
  start(program);
  ASSERT_FALSE(effects.empty());
  EXPECT_EQ(effects[0].kind, EffectKind::kPublish);
  EXPECT_TRUE(effects[0].event == Value::integer(7));
}

TEST_F(KernelEvents, AreNotWaitedForByChildrenOfAJoinThatHasEnoughOfThem) {
  ToyProgram program(kForkThree);
  program.forked = kAwaitEvent;
  program.needed_successes = 1;
  start(program);
  arrive(program, 2, moved("bear"));
  ASSERT_EQ(execution.status(), Status::kSucceeded);
  const auto cancelled = std::ranges::count(effects, Effect{EffectKind::kUnsubscribe, OperationId(1)});
  EXPECT_EQ(cancelled, 1);
  EXPECT_TRUE(execution.outcome().at(0).is_null());
  EXPECT_TRUE(*execution.outcome().at(1).find("event") == moved("bear"));
}

TEST_F(Kernel, EndsAJoinOnceEnoughChildrenSucceeded) {
  ToyProgram program(kForkThree);
  program.needed_successes = 2;
  start(program);
  answer(program, 2, 20);
  EXPECT_TRUE(execution.is_open());
  answer(program, 1, 10);
  EXPECT_EQ(execution.status(), Status::kSucceeded);
}

TEST_F(Kernel, FailsAJoinWhereAChildFailsBeforeEnoughSucceeded) {
  ToyProgram program(kForkThree);
  program.needed_successes = 2;
  start(program);
  answer(program, 1, 10);
  answer(program, 2, 0, Outcome::kFailed);
  EXPECT_EQ(execution.status(), Status::kFailed);
}

TEST_F(KernelEvents, AreAskedForAgainByARedrive) {
  const ToyProgram program(kAwaitEvent);
  start(program);
  advance(minutes(1));
  wake(program);
  Signal redrive;
  redrive.kind = SignalKind::kRedrive;
  take(program, redrive);
  ASSERT_EQ(effects.size(), 1u);
  EXPECT_EQ(effects[0], (Effect{EffectKind::kSubscribe, OperationId(2)}));
}

TEST_F(KernelEvents, GiveBackWhatTheWaitWasScheduledWith) {
  ToyProgram program(kAwaitEvent);
  start(program);
  Execution seen;
  for (const Fact& fact : facts) seen.evolve(fact);
  Fact ended;
  ended.kind = FactKind::kOperationEnded;
  ended.scope = ScopeId(1);
  ended.operation = OperationId(1);
  ended.operation_kind = OperationKind::kEvent;
  seen.evolve(ended);
  EXPECT_NE(seen.scope(ScopeId(1)).ended.input.find("filters"), nullptr);
  EXPECT_EQ(seen.scope(ScopeId(1)).ended.due, world.now() + minutes(1));
}

TEST_F(Kernel, RemembersThatAnExecutionWasTerminated) {
  Execution ended;
  Fact fact;
  fact.scope = ScopeId(1);
  fact.next = kPassOn;
  ended.evolve(fact);
  fact.kind = FactKind::kExecutionSucceeded;
  fact.extra = json::parse(R"({"terminate":true})").value();
  ended.evolve(fact);
  EXPECT_TRUE(ended.is_terminated());
  EXPECT_TRUE(Snapshot::restore(Snapshot::of(ended))->is_terminated());
}

}  // namespace
}  // namespace pawl::kernel
