// Redrives, by a toy language: what is kept, what runs again, what begins anew.
#include "kernel/redrive.h"

#include "kernel/kernel_test_fixture.h"

namespace pawl::kernel {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

class KernelRedrive : public Kernel {
 protected:
  TurnEnd redrive(const Program& program, Value token = {}) {
    Signal signal;
    signal.kind = SignalKind::kRedrive;
    signal.value = std::move(token);
    return take(program, signal);
  }
  TurnEnd stop(const Program& program) {
    Signal signal;
    signal.kind = SignalKind::kStop;
    return take(program, signal);
  }
  std::optional<RedriveObstacle> obstacle() const { return obstacle_to_redrive(execution, limits, world.now()); }
  std::vector<uint32_t> open_operations() const {
    std::vector<uint32_t> numbers;
    for (const auto& [id, operation] : execution.open_operations()) numbers.push_back(id.number);
    return numbers;
  }
  size_t count(FactKind kind) const { return static_cast<size_t>(std::ranges::count(facts, kind, &Fact::kind)); }
};

TEST_F(KernelRedrive, RunsTheFailedStateAgainWithItsInputAndWithoutEnteringIt) {
  const ToyProgram program(kCallTask);
  start(program);
  answer(program, 1, 0, Outcome::kFailed);
  ASSERT_EQ(execution.status(), Status::kFailed);
  redrive(program);
  EXPECT_TRUE(execution.is_open());
  EXPECT_TRUE(execution.outcome().is_null());
  EXPECT_EQ(count(FactKind::kStateEntered), 1u);
  EXPECT_TRUE(execution.scope(ScopeId(1)).input == Value::integer(7));
  ASSERT_EQ(effects.size(), 1u);
  EXPECT_EQ(effects[0], (Effect{EffectKind::kDispatch, OperationId(2)}));
  answer(program, 1, 99);  // of the first try
  EXPECT_TRUE(execution.is_open());
  answer(program, 2, 42);
  EXPECT_EQ(execution.status(), Status::kSucceeded);
  EXPECT_TRUE(execution.outcome() == Value::integer(42));
}

TEST_F(KernelRedrive, CountsAndRemembersWhen) {
  const ToyProgram program(kCallTask);
  start(program);
  stop(program);
  EXPECT_EQ(execution.redrives(), 0u);
  EXPECT_EQ(execution.last_redriven(), Timestamp{});
  advance(minutes(1));
  redrive(program);
  EXPECT_EQ(facts[facts.size() - 3].kind, FactKind::kExecutionRedriven);
  EXPECT_EQ(facts[facts.size() - 3].number, 1u);
  stop(program);
  advance(minutes(1));
  redrive(program);
  EXPECT_EQ(execution.redrives(), 2u);
  EXPECT_EQ(execution.last_redriven(), world.now());
}

TEST_F(KernelRedrive, FollowsTheEventThatEndedIt) {
  const ToyProgram program(kCallTask);
  start(program);
  stop(program);
  const EventId end = facts.back().event;
  redrive(program);
  const auto redriven = std::ranges::find(facts, FactKind::kExecutionRedriven, &Fact::kind);
  EXPECT_EQ(redriven->previous_event, end);
  EXPECT_EQ(redriven->event, end.next());
}

TEST_F(KernelRedrive, LeavesOneThatRunsOrSucceededAlone) {
  const ToyProgram program(kCallTask);
  redrive(program);
  EXPECT_TRUE(facts.empty());
  start(program);
  const size_t before = facts.size();
  redrive(program);
  EXPECT_EQ(facts.size(), before);
  answer(program, 1, 42);
  redrive(program);
  EXPECT_EQ(execution.status(), Status::kSucceeded);
}

TEST_F(KernelRedrive, KeepsTheResultsOfChildrenThatSucceeded) {
  const ToyProgram program(kForkThree);
  start(program);
  answer(program, 1, 10);
  answer(program, 2, 0, Outcome::kFailed);  // the third child is under way
  ASSERT_EQ(execution.status(), Status::kFailed);
  redrive(program);
  EXPECT_EQ(open_operations(), (std::vector<uint32_t>{4, 5}));
  EXPECT_EQ(count(FactKind::kScopeOpened), 3u);
  answer(program, 5, 30);
  answer(program, 4, 20);
  ASSERT_EQ(execution.status(), Status::kSucceeded);
  EXPECT_TRUE(execution.outcome().at(0) == Value::integer(10));
  EXPECT_TRUE(execution.outcome().at(1) == Value::integer(20));
  EXPECT_TRUE(execution.outcome().at(2) == Value::integer(30));
}

TEST_F(KernelRedrive, OpensTheChildrenThatWereNeverOpened) {
  const ToyProgram program(kForkThree);
  start(program);
  answer(program, 1, 0, Outcome::kFailed);  // before the third child was opened
  redrive(program);
  EXPECT_EQ(execution.scope(ScopeId(1)).join->running, 2u);
  EXPECT_EQ(count(FactKind::kScopeOpened), 2u);
  answer(program, 3, 10);
  EXPECT_EQ(count(FactKind::kScopeOpened), 3u);
  answer(program, 4, 20);
  answer(program, 5, 30);
  EXPECT_EQ(execution.status(), Status::kSucceeded);
}

TEST_F(KernelRedrive, KeepsTheLimitOfChildrenAtOnce) {
  ToyProgram program(kForkThree);
  program.tolerated_failures = 2;
  start(program);
  answer(program, 1, 0, Outcome::kFailed);
  answer(program, 2, 0, Outcome::kFailed);
  answer(program, 3, 0, Outcome::kFailed);
  ASSERT_EQ(execution.status(), Status::kFailed);
  redrive(program);
  EXPECT_EQ(open_operations(), (std::vector<uint32_t>{4, 5}));
  EXPECT_EQ(execution.scope(ScopeId(1)).join->waiting.size(), 1u);
  answer(program, 5, 20);
  EXPECT_EQ(open_operations(), (std::vector<uint32_t>{4, 6}));
  answer(program, 6, 30);
  answer(program, 4, 10);
  ASSERT_EQ(execution.status(), Status::kSucceeded);
  EXPECT_TRUE(execution.outcome().at(2) == Value::integer(30));
}

TEST_F(KernelRedrive, GoesOnWithChildrenThatStillWaitedWhenItIsRedrivenTwice) {
  ToyProgram program(kForkThree);
  program.tolerated_failures = 2;
  start(program);
  for (uint32_t i = 1; i <= 3; ++i) answer(program, i, 0, Outcome::kFailed);
  redrive(program);
  answer(program, 4, 10);
  stop(program);
  redrive(program);
  EXPECT_EQ(execution.open_operations().size(), 2u);
  for (const uint32_t operation : open_operations()) answer(program, operation, operation);
  EXPECT_EQ(execution.status(), Status::kSucceeded);
  EXPECT_TRUE(execution.outcome().at(0) == Value::integer(10));
}

TEST_F(KernelRedrive, GivesTheExecutionItsWholeTimeAgain) {
  ToyProgram program(kCallTask);
  program.execution_timeout = seconds(30);
  start(program);
  advance(seconds(30));
  wake(program);
  ASSERT_EQ(execution.status(), Status::kTimedOut);
  advance(hours(1));
  redrive(program);
  EXPECT_EQ(execution.next_due(), world.now() + seconds(30));
  EXPECT_TRUE(execution.is_open());
}

TEST_F(KernelRedrive, CountsRetriesAnew) {
  const ToyProgram program(kRetryTask);
  start(program);
  answer(program, 1, 0, Outcome::kFailed);
  ASSERT_EQ(execution.scope(ScopeId(1)).attempt, 1u);
  stop(program);
  redrive(program);
  EXPECT_EQ(execution.scope(ScopeId(1)).attempt, 0u);
  EXPECT_TRUE(execution.scope(ScopeId(1)).retries.empty());
  EXPECT_EQ(execution.open_operations().begin()->second.kind, OperationKind::kTask);
}

TEST_F(KernelRedrive, KeepsNoScopeOfASuccess) {
  const ToyProgram program(kForkThree);
  start(program);
  for (uint32_t i = 1; i <= 3; ++i) answer(program, i, 1);
  ASSERT_EQ(execution.status(), Status::kSucceeded);
  EXPECT_EQ(execution.find_scope(ScopeId(1)), nullptr);
}

TEST_F(KernelRedrive, IsRefusedForAReason) {
  const ToyProgram program(kCallTask);
  start(program);
  EXPECT_EQ(obstacle(), RedriveObstacle::kNotClosed);
  stop(program);
  EXPECT_EQ(obstacle(), std::nullopt);
  advance(kRedrivablePeriod);
  EXPECT_EQ(obstacle(), std::nullopt);
  advance(seconds(1));
  EXPECT_EQ(obstacle(), RedriveObstacle::kClosedTooLongAgo);
  advance(kOpenTimeMax);
  EXPECT_EQ(obstacle(), RedriveObstacle::kStartedTooLongAgo);
  limits.events_max = execution.last_event().number + 1;
  EXPECT_EQ(obstacle(), RedriveObstacle::kHistoryFull);
}

TEST_F(KernelRedrive, IsRefusedAfterAThousandTimes) {
  const ToyProgram program(kSleepMinute);
  start(program);
  for (uint32_t i = 0; i < kRedrivesMax; ++i) {
    stop(program);
    ASSERT_EQ(obstacle(), std::nullopt);
    Turn turn(execution, world, limits, facts, effects);
    Signal signal;
    signal.kind = SignalKind::kRedrive;
    decide(program, signal, turn);
  }
  stop(program);
  EXPECT_EQ(obstacle(), RedriveObstacle::kTooOften);
  EXPECT_EQ(execution.latest_redrives().size(), kRedrivesRemembered);
}

TEST_F(KernelRedrive, KnowsATokenForAQuarterOfAnHour) {
  const ToyProgram program(kCallTask);
  start(program);
  stop(program);
  const Value token = Value::string("token");
  redrive(program, token);
  const Timestamp redriven = world.now();
  advance(kRedriveTokenLife);
  EXPECT_EQ(find_redrive(execution, token, world.now()), redriven);
  EXPECT_EQ(find_redrive(execution, Value::string("other"), world.now()), std::nullopt);
  EXPECT_EQ(find_redrive(execution, Value(), world.now()), std::nullopt);
  advance(seconds(1));
  EXPECT_EQ(find_redrive(execution, token, world.now()), std::nullopt);
}

}  // namespace
}  // namespace pawl::kernel
