// The switch state: goes where the first condition that holds says, or where the first of its events says.
#include "lang/serverless/event_wait.h"
#include "lang/serverless/filter.h"
#include "lang/serverless/state_code.h"

namespace pawl::serverless {

namespace {

class Switch final : public StateCode {
 public:
  using StateCode::StateCode;

  void resume(Frame& frame) const override {
    const kernel::Ended ended = frame.scope().ended;
    auto data = filtered_input(frame);
    if (!data) return fail(frame, data.error());
    if (ended.outcome != kernel::Outcome::kSucceeded) return take_default(frame, *std::move(data));
    take_event(frame, *data, arrived_in(ended));
  }

 protected:
  void begin(Frame& frame, Value data) const override {
    if (detail<SwitchState>().event_conditions.empty()) return decide(frame, std::move(data));
    if (auto waiting = await_events(frame, data); !waiting) fail(frame, waiting.error());
  }

 private:
  void decide(Frame& frame, Value data) const {
    for (const DataCondition& condition : detail<SwitchState>().data_conditions) {
      const auto holds = attempt(condition.condition.test(data));
      if (!holds) return fail(frame, holds.error());
      if (*holds) return leave(frame, std::move(data), condition.exit);
    }
    take_default(frame, std::move(data));
  }

  Attempt<void> await_events(Frame& frame, const Value& data) const {
    std::vector<std::string> events;
    for (const EventCondition& condition : detail<SwitchState>().event_conditions)
      events.push_back(condition.event.event);
    auto wait = wait_for(frame, events, data);
    if (!wait) return std::unexpected(std::move(wait).error());
    const auto& timeout = detail<SwitchState>().event_timeout;
    const auto due = timeout ? frame.after(*timeout) : Attempt<Timestamp>(kNever);
    if (!due) return std::unexpected(due.error());
    frame.await_event(*std::move(wait), *due);
    return {};
  }

  void take_event(Frame& frame, const Value& data, const ArrivedEvent& arrived) const {
    for (const EventCondition& condition : detail<SwitchState>().event_conditions) {
      if (condition.event.event != arrived.event) continue;
      auto with_event = add_arrived(frame, condition.event_filter, data, arrived);
      if (!with_event) return fail(frame, with_event.error());
      return leave(frame, *std::move(with_event), condition.exit);
    }
  }

  void take_default(Frame& frame, Value data) const {
    const auto& fallback = detail<SwitchState>().fallback;
    if (fallback) return leave(frame, std::move(data), *fallback);
    const bool is_by_data = detail<SwitchState>().event_conditions.empty();
    fail(frame, placeless(kNoConditionMatched,
                          is_by_data ? "No condition of the switch state holds, and it has no default."
                                     : "No event of the switch state came in time, and it has no default."));
  }
};

}  // namespace

NodeCodePtr compile_switch(const State& state) { return std::make_unique<Switch>(state); }

}  // namespace pawl::serverless
