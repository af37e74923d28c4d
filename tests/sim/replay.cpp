#include "sim/replay.h"

#include <span>

#include "json/print.h"
#include "sim/violation.h"

namespace pawl::sim {

namespace {

using kernel::Fact;
using kernel::FactKind;
using kernel::OperationKind;
using kernel::Outcome;
using kernel::Signal;
using kernel::SignalKind;

bool is_timeout(const Fact& fact) {
  return fact.outcome == Outcome::kTimedOut || fact.outcome == Outcome::kHeartbeatTimedOut;
}

// Whether time itself brought it.
bool is_fired(const Fact& fact) {
  const bool is_timer =
      fact.operation_kind == OperationKind::kTimer || fact.operation_kind == OperationKind::kRetryDelay;
  return fact.kind == FactKind::kOperationEnded && (is_timer || is_timeout(fact));
}

// The signal that brought a fact; kWake where none did.
Signal signal_of(const Fact& fact) {
  Signal signal;
  signal.operation = fact.operation;
  signal.outcome = fact.outcome;
  signal.value = fact.value;
  signal.extra = fact.extra;
  if (fact.kind == FactKind::kExecutionStarted) signal.kind = SignalKind::kStart;
  if (fact.kind == FactKind::kExecutionAborted) signal.kind = SignalKind::kStop;
  if (fact.kind == FactKind::kExecutionRedriven) signal.kind = SignalKind::kRedrive;
  if (fact.kind == FactKind::kOperationSubmitted) signal.kind = SignalKind::kOperationSubmitted;
  if (fact.kind == FactKind::kOperationEnded && !is_fired(fact)) signal.kind = SignalKind::kOperationEnded;
  const bool is_taken = fact.kind == FactKind::kOperationStarted && fact.operation_kind == OperationKind::kActivity;
  if (is_taken) signal.kind = SignalKind::kOperationStarted;
  return signal;
}

std::string describe(const Fact& fact) {
  return std::string(kernel::name_of(fact.kind)) + " scope " + std::to_string(fact.scope.number) + " operation " +
         std::to_string(fact.operation.number) + " event " + std::to_string(fact.event.number) + " value " +
         json::print(fact.value);
}

bool is_same(const Fact& a, const Fact& b) {
  return a.kind == b.kind && a.outcome == b.outcome && a.operation_kind == b.operation_kind &&
         a.on_chain == b.on_chain && a.scope == b.scope && a.parent == b.parent && a.state == b.state &&
         a.next == b.next && a.operation == b.operation && a.number == b.number && a.limit == b.limit &&
         a.event == b.event && a.previous_event == b.previous_event && a.time == b.time && a.due == b.due &&
         a.value == b.value && a.extra == b.extra;
}

class Replay final : public kernel::TurnServices {
 public:
  Replay(const History& history, const kernel::Program& program, const kernel::Limits& limits, const MintToken& mint)
      : history_(history), program_(program), limits_(limits), mint_(mint), left_(history.facts) {}

  void run() {
    while (!left_.empty()) take_turn();
  }

  Timestamp now() const override { return left_.front().time; }
  Random& random() override { return random_; }
  std::string task_token(OperationId operation, uint32_t attempt) override { return mint_(operation, attempt); }
  bool has_activity(std::string_view) const override { return true; }

  // What did not time out was kept alive.
  Timestamp last_heartbeat(OperationId operation) const override {
    for (const Fact& fact : left_) {
      if (!is_fired(fact)) break;
      if (fact.operation == operation) return {};
    }
    return now();
  }

 private:
  // A turn first fires what is due, then takes its signal.
  Signal next_signal() const {
    for (const Fact& fact : left_)
      if (!is_fired(fact)) return signal_of(fact);
    return {};
  }

  void take_turn() {
    std::vector<Fact> decided;
    std::vector<kernel::Effect> effects;
    kernel::Turn turn(execution_, *this, limits_, decided, effects);
    kernel::decide(program_, next_signal(), turn);
    const ExecutionId id = history_.row.id;
    require(!decided.empty(), "execution ", id, ": nothing explains ", describe(left_.front()));
    require(decided.size() <= left_.size(), "execution ", id, ": a turn is recorded in part");
    for (size_t i = 0; i < decided.size(); ++i)
      require(is_same(decided[i], left_[i]), "execution ", id, ": recorded ", describe(left_[i]), " where ",
              describe(decided[i]), " follows");
    left_ = left_.subspan(decided.size());
  }

  const History& history_;
  const kernel::Program& program_;
  const kernel::Limits& limits_;
  const MintToken& mint_;
  std::span<const Fact> left_;
  kernel::Execution execution_;
  SeededRandom random_{1};
};

}  // namespace

void check_replay(const History& history, const kernel::Program& program, const kernel::Limits& limits,
                  const MintToken& mint) {
  Replay(history, program, limits, mint).run();
}

}  // namespace pawl::sim
