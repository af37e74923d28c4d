// What the tests of the kernel share: a world of virtual time, and an execution that is rebuilt after every turn.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/snapshot.h"
#include "kernel/toy_program.h"

namespace pawl::kernel {

class World final : public TurnServices {
 public:
  explicit World(Timestamp now = Timestamp(std::chrono::milliseconds(1'000'000))) : clock(now) {}
  Timestamp now() const override { return clock.now() - set_back; }
  Random& random() override { return random_; }
  std::string task_token(OperationId, uint32_t) override { return "token"; }
  Timestamp last_heartbeat(OperationId id) const override {
    const auto found = beats.find(id);
    return found == beats.end() ? Timestamp{} : found->second;
  }
  bool has_activity(std::string_view) const override { return true; }

  VirtualClock clock;
  Duration set_back{0};  // by which somebody set the clock back
  std::map<OperationId, Timestamp> beats;

 private:
  SeededRandom random_{1};
};

class Kernel : public testing::Test {
 protected:
  TurnEnd take(const Program& program, Signal signal) {
    effects.clear();
    Turn turn(execution, world, limits, facts, effects);
    const TurnEnd end = decide(program, signal, turn);
    expect_rebuild_is_exact();
    return end;
  }
  TurnEnd start(const Program& program) {
    Signal signal;
    signal.kind = SignalKind::kStart;
    signal.value = Value::integer(7);
    return take(program, signal);
  }
  TurnEnd wake(const Program& program) { return take(program, Signal{}); }
  TurnEnd answer(const Program& program, uint32_t operation, int64_t value, Outcome outcome = Outcome::kSucceeded) {
    Signal signal;
    signal.kind = SignalKind::kOperationEnded;
    signal.operation = OperationId(operation);
    signal.outcome = outcome;
    signal.value = Value::integer(value);
    return take(program, signal);
  }
  void expect_rebuild_is_exact() const {
    Execution rebuilt;
    for (const Fact& fact : facts) rebuilt.evolve(fact);
    EXPECT_TRUE(rebuilt.dump() == execution.dump());
    const auto restored = Snapshot::restore(Snapshot::of(execution));
    ASSERT_NE(restored, nullptr);
    EXPECT_TRUE(restored->dump() == execution.dump());
  }
  void advance(Duration duration) { world.clock.advance_to(world.clock.now() + duration); }

  World world;
  Limits limits;
  Execution execution;
  std::vector<Fact> facts;
  std::vector<Effect> effects;
};

}  // namespace pawl::kernel
