// The turn loop, taken through its signals by a toy language.
#include "kernel/kernel_test_fixture.h"

namespace pawl::kernel {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST_F(Kernel, DispatchesATaskAfterItsStartAndEndsWithItsResult) {
  const ToyProgram program(kCallTask);
  EXPECT_EQ(start(program), TurnEnd::kQuiet);
  ASSERT_EQ(effects.size(), 1u);
  EXPECT_EQ(effects[0], (Effect{EffectKind::kDispatch, OperationId(1)}));
  answer(program, 1, 42);
  EXPECT_EQ(execution.status(), Status::kSucceeded);
  EXPECT_TRUE(execution.outcome() == Value::integer(42));
}

TEST_F(Kernel, TakesACompletionOnlyOnce) {
  const ToyProgram program(kForkThree);
  start(program);
  answer(program, 1, 10);
  const size_t before = facts.size();
  answer(program, 1, 99);
  EXPECT_EQ(facts.size(), before);
}

TEST_F(Kernel, IgnoresWhatArrivesAfterTheEnd) {
  const ToyProgram program(kCallTask);
  start(program);
  answer(program, 1, 42);
  const size_t before = facts.size();
  answer(program, 1, 43);
  wake(program);
  start(program);
  EXPECT_EQ(facts.size(), before);
}

TEST_F(Kernel, NeverFiresATimerEarly) {
  const ToyProgram program(kSleepMinute);
  start(program);
  EXPECT_EQ(execution.next_due(), world.now() + minutes(1));
  advance(minutes(1) - milliseconds(1));
  wake(program);
  EXPECT_TRUE(execution.is_open());
  advance(milliseconds(1));
  wake(program);
  EXPECT_EQ(execution.status(), Status::kSucceeded);
}

TEST_F(Kernel, CutsATurnThatWouldNotEnd) {
  const ToyProgram program(kLoopForever);
  EXPECT_EQ(start(program), TurnEnd::kCut);
  EXPECT_LE(facts.size(), kTurnFactsMax + 2);
  Signal more;
  more.kind = SignalKind::kContinue;
  EXPECT_EQ(take(program, more), TurnEnd::kCut);
  EXPECT_GE(facts.size(), 2 * kTurnFactsMax);
}

TEST_F(Kernel, TimesATaskOutAndCancelsIt) {
  ToyProgram program(kCallTask);
  program.task_timeout_s = 5;
  start(program);
  advance(seconds(5));
  wake(program);
  EXPECT_EQ(execution.status(), Status::kFailed);
  ASSERT_FALSE(effects.empty());
  EXPECT_EQ(effects[0], (Effect{EffectKind::kCancel, OperationId(1)}));
}

TEST_F(Kernel, KeepsATaskThatBeatsAndEndsOneThatStops) {
  ToyProgram program(kCallTask);
  program.task_timeout_s = 60;
  program.task_heartbeat_s = 5;
  start(program);
  advance(seconds(4));
  world.beats[OperationId(1)] = world.now();
  advance(seconds(1));
  wake(program);
  EXPECT_TRUE(execution.is_open());
  advance(seconds(4));
  wake(program);
  EXPECT_EQ(execution.status(), Status::kFailed);
  EXPECT_EQ(facts[facts.size() - 2].outcome, Outcome::kHeartbeatTimedOut);
}

// The task starts before the time of the facts, and so does its beat.
TEST_F(Kernel, KeepsATaskThatBeatsAfterTheClockWasSetBack) {
  ToyProgram program(kRetryTask);
  program.task_heartbeat_s = 5;
  start(program);
  world.set_back = minutes(1);
  answer(program, 1, 0, Outcome::kFailed);
  advance(seconds(10));
  wake(program);
  advance(seconds(4));
  world.beats[OperationId(3)] = world.now();
  advance(seconds(1));
  wake(program);
  EXPECT_NE(execution.find_operation(OperationId(3)), nullptr);
}

TEST_F(Kernel, EndsTheExecutionAtItsDeadlineWhateverItWaitsFor) {
  ToyProgram program(kCallTask);
  program.execution_timeout = seconds(30);
  start(program);
  EXPECT_EQ(execution.next_due(), world.now() + seconds(30));
  advance(seconds(30));
  answer(program, 1, 42);  // too late: what is due comes first
  EXPECT_EQ(execution.status(), Status::kTimedOut);
}

TEST_F(Kernel, OpensNoMoreChildrenAtOnceThanTheJoinAllows) {
  const ToyProgram program(kForkThree);
  start(program);
  EXPECT_EQ(execution.scope(ScopeId(1)).join->running, 2u);
  EXPECT_EQ(execution.open_operations().size(), 2u);
  answer(program, 2, 20);
  EXPECT_EQ(execution.scope(ScopeId(1)).join->running, 2u);
  EXPECT_EQ(execution.scope(ScopeId(1)).join->opened, 3u);
}

TEST_F(Kernel, KeepsTheOrderOfChildrenWhateverTheOrderOfTheirEnds) {
  const ToyProgram program(kForkThree);
  start(program);
  answer(program, 2, 20);
  answer(program, 3, 30);
  answer(program, 1, 10);
  ASSERT_EQ(execution.status(), Status::kSucceeded);
  const Value outcome = execution.outcome();
  ASSERT_EQ(outcome.size(), 3u);
  EXPECT_TRUE(outcome.at(0) == Value::integer(10));
  EXPECT_TRUE(outcome.at(1) == Value::integer(20));
  EXPECT_TRUE(outcome.at(2) == Value::integer(30));
}

TEST_F(Kernel, CancelsWhatIsOutWhenTheExecutionIsStopped) {
  const ToyProgram program(kForkThree);
  start(program);
  Signal stop;
  stop.kind = SignalKind::kStop;
  take(program, stop);
  EXPECT_EQ(execution.status(), Status::kAborted);
  EXPECT_EQ(effects.size(), 3u);  // two cancels and the end
  EXPECT_EQ(effects.back().kind, EffectKind::kClosed);
  EXPECT_EQ(facts.back().previous_event, EventId());
}

TEST_F(Kernel, RetriesAfterTheDelayWithANewOperation) {
  const ToyProgram program(kRetryTask);
  start(program);
  answer(program, 1, 0, Outcome::kFailed);
  EXPECT_EQ(execution.next_due(), world.now() + seconds(10));
  advance(seconds(10));
  wake(program);
  ASSERT_EQ(effects.size(), 1u);
  EXPECT_EQ(effects[0].kind, EffectKind::kDispatch);
  EXPECT_EQ(execution.find_operation(effects[0].operation)->attempt, 1u);
  answer(program, effects[0].operation.number, 42);
  EXPECT_EQ(execution.status(), Status::kSucceeded);
}

TEST_F(Kernel, NeverLetsTimeRunBackwardsWithinAnExecution) {
  const ToyProgram program(kCallTask);
  start(program);
  const Timestamp before = facts.back().time;
  World earlier{Timestamp(milliseconds(5))};
  Signal signal;
  signal.kind = SignalKind::kOperationEnded;
  signal.operation = OperationId(1);
  Turn turn(execution, earlier, limits, facts, effects);
  decide(program, signal, turn);
  EXPECT_EQ(facts.back().time, before);
}

}  // namespace
}  // namespace pawl::kernel
