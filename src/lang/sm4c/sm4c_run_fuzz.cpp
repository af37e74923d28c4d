// Runs definitions in a world that answers at random: the first bytes of the input are the dice, the rest is the text.
//
// No definition that lint lets pass may bring the program to an assertion, and facts must rebuild what they came from.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "base/random.h"
#include "kernel/redrive.h"
#include "lang/sm4c/lint.h"
#include "lang/sm4c/program.h"
#include "text/yaml.h"

namespace {

using namespace pawl;  // NOLINT
using json::Value;

constexpr size_t kDiceBytes = 2;
constexpr int kStepsMax = 60;

class World final : public kernel::TurnServices {
 public:
  explicit World(uint64_t seed) : random_(seed) {}
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

class Run {
 public:
  Run(const kernel::Program& program, uint64_t seed) : program_(program), world_(seed) {}

  void drive() {
    kernel::Signal start;
    start.kind = kernel::SignalKind::kStart;
    take(start);
    for (int step = 0; step < kStepsMax; ++step) {
      if (execution_.is_open() ? !move() : !redrive()) return;
    }
  }

 private:
  uint64_t dice(uint64_t sides) { return world_.random().next() % sides; }

  void take(const kernel::Signal& signal) {
    std::vector<kernel::Effect> effects;
    kernel::Turn turn(execution_, world_, limits_, facts_, effects);
    kernel::decide(program_, signal, turn);
    kernel::Execution rebuilt;
    for (const kernel::Fact& fact : facts_) rebuilt.evolve(fact);
    PAWL_ASSERT(rebuilt.dump() == execution_.dump());
  }

  bool redrive() {
    if (!kernel::is_redrivable(execution_.status()) || dice(2) == 0) return false;
    kernel::Signal again;
    again.kind = kernel::SignalKind::kRedrive;
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
    take(is_answered ? end_of(at->second) : kernel::Signal{});
    return true;
  }

  void take_more() {
    kernel::Signal more;
    more.kind = kernel::SignalKind::kContinue;
    take(more);
  }

  // One that passes the first filter, so that transitions are taken.
  Value event_for(const kernel::Operation& operation) {
    const auto filter = kernel::EventFilter::from_value(operation.input.find("filters")->at(0));
    json::ObjectBuilder event;
    event.set("source", Value::string(filter->source));
    event.set("type", Value::string(filter->type));
    event.set("data", Value::integer(static_cast<int64_t>(dice(3))));
    return event.build();
  }

  kernel::Signal end_of(const kernel::Operation& operation) {
    kernel::Signal signal;
    signal.kind = kernel::SignalKind::kOperationEnded;
    signal.operation = operation.id;
    signal.outcome = dice(4) == 0 ? kernel::Outcome::kFailed : kernel::Outcome::kSucceeded;
    json::ObjectBuilder value;
    value.set("data", Value::integer(static_cast<int64_t>(dice(3))));
    signal.value = dice(2) == 0 ? Value::integer(7) : value.build();
    if (operation.kind != kernel::OperationKind::kEvent) return signal;
    json::ObjectBuilder arrived;
    arrived.set("filter", Value::integer(static_cast<int64_t>(dice(operation.input.find("filters")->size()))));
    arrived.set("event", event_for(operation));
    arrived.set("number", Value::integer(1));
    signal.outcome = kernel::Outcome::kSucceeded;
    signal.value = arrived.build();
    return signal;
  }

  const kernel::Program& program_;
  World world_;
  kernel::Limits limits_{.events_max = 400, .payload_bytes_max = 4096};
  kernel::Execution execution_;
  std::vector<kernel::Fact> facts_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < kDiceBytes) return 0;
  const uint64_t seed = data[0] + (uint64_t{data[1]} << 8);
  auto document = text::parse_yaml({reinterpret_cast<const char*>(data) + kDiceBytes, size - kDiceBytes});
  if (!document) return 0;
  Diagnostics diagnostics;
  const sm4c::Options options{.waits_always = seed % 2 == 1, .exits_on_end = seed % 3 == 1};
  sm4c::Definition definition = sm4c::load(*std::move(document), options, {}, diagnostics);
  if (has_errors(diagnostics)) return 0;
  Run(sm4c::Program(std::move(definition.machine), options), seed).drive();
  return 0;
}
