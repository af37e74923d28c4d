// Drives a program in a world that answers at random: what the fuzzers of the languages share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "base/random.h"
#include "kernel/event_filter.h"
#include "kernel/program.h"
#include "kernel/redrive.h"

namespace pawl::kernel {

inline constexpr int kFuzzedStepsMax = 60;

// What a turn asks for, from a seed.
class FuzzedWorld final : public TurnServices {
 public:
  explicit FuzzedWorld(uint64_t seed) : random_(seed) {}
  Timestamp now() const override { return now_; }
  Random& random() override { return random_; }
  std::string task_token(OperationId, uint32_t) override { return "token"; }
  Timestamp last_heartbeat(OperationId) const override { return {}; }
  bool has_activity(std::string_view) const override { return true; }
  void advance_to(Timestamp time) { now_ = std::max(now_, time); }

 private:
  SeededRandom random_;
  Timestamp now_{std::chrono::hours(500'000)};
};

// Starts the program's execution, and answers what it waits for at random until it is over or enough has happened.
// Facts must rebuild what they came from.
class FuzzedRun {
 public:
  FuzzedRun(const Program& program, uint64_t seed) : program_(program), world_(seed) {}

  void drive() {
    Signal start;
    start.kind = SignalKind::kStart;
    take(start);
    for (int step = 0; step < kFuzzedStepsMax; ++step) {
      if (execution_.is_open() ? !move() : !redrive()) return;
    }
  }

 private:
  uint64_t dice(uint64_t sides) { return world_.random().next() % sides; }

  void take(const Signal& signal) {
    std::vector<Effect> effects;
    Turn turn(execution_, world_, limits_, facts_, effects);
    decide(program_, signal, turn);
    Execution rebuilt;
    for (const Fact& fact : facts_) rebuilt.evolve(fact);
    PAWL_ASSERT(rebuilt.dump() == execution_.dump());
  }

  bool redrive() {
    if (!is_redrivable(execution_.status()) || dice(2) == 0) return false;
    Signal again;
    again.kind = SignalKind::kRedrive;
    take(again);
    return true;
  }

  bool move() {
    const auto& open = execution_.open_operations();
    if (execution_.first_ready()) return take_more(), true;  // the turn was cut
    if (open.empty()) return false;
    const bool waits = execution_.next_due() != kNever && dice(3) == 0;
    if (waits) world_.advance_to(execution_.next_due());
    const auto at = std::next(open.begin(), static_cast<std::ptrdiff_t>(dice(open.size())));
    const bool is_answered = !waits && at->second.is_shown();
    take(is_answered ? end_of(at->second) : Signal{});
    return true;
  }

  void take_more() {
    Signal more;
    more.kind = SignalKind::kContinue;
    take(more);
  }

  // One that passes the first filter, so that transitions are taken.
  Value event_for(const Operation& operation) {
    const auto filter = EventFilter::from_value(operation.input.find("filters")->at(0));
    json::ObjectBuilder event;
    event.set("source", Value::string(filter->source));
    event.set("type", Value::string(filter->type));
    event.set("data", Value::integer(static_cast<int64_t>(dice(3))));
    return event.build();
  }

  Signal end_of(const Operation& operation) {
    Signal signal;
    signal.kind = SignalKind::kOperationEnded;
    signal.operation = operation.id;
    signal.outcome = dice(4) == 0 ? Outcome::kFailed : Outcome::kSucceeded;
    json::ObjectBuilder value;
    value.set("data", Value::integer(static_cast<int64_t>(dice(3))));
    signal.value = dice(2) == 0 ? Value::integer(7) : value.build();
    if (operation.kind != OperationKind::kEvent) return signal;
    json::ObjectBuilder arrived;
    arrived.set("filter", Value::integer(static_cast<int64_t>(dice(operation.input.find("filters")->size()))));
    arrived.set("event", event_for(operation));
    arrived.set("number", Value::integer(1));
    signal.outcome = Outcome::kSucceeded;
    signal.value = arrived.build();
    return signal;
  }

  const Program& program_;
  FuzzedWorld world_;
  Limits limits_{.events_max = 400, .payload_bytes_max = 4096};
  Execution execution_;
  std::vector<Fact> facts_;
};

}  // namespace pawl::kernel
