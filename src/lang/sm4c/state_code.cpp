#include "lang/sm4c/state_code.h"

#include <algorithm>

#include "lang/sm4c/action_code.h"
#include "lang/sm4c/event_view.h"
#include "lang/sm4c/machine.h"

namespace pawl::sm4c {

namespace {

constexpr std::string_view kEntering = "enter";
constexpr std::string_view kTaking = "transition";
constexpr std::string_view kExiting = "exit";
constexpr std::string_view kWaiting = "wait";
constexpr std::string_view kAgain = "again";

Value memory_of(std::string_view phase, Value data) {
  json::ObjectBuilder memory(3);
  memory.set("phase", Value::string(phase));
  memory.set("data", std::move(data));
  return memory.build();
}

Value memory_of(std::string_view phase, Value data, std::string_view key, uint64_t number) {
  return memory_of(phase, std::move(data)).with_member(key, Value::integer(static_cast<int64_t>(number)));
}

bool is_phase(const Value& memory, std::string_view phase) {
  const Value* found = memory.find("phase");
  return found != nullptr && found->is_string() && found->as_string() == phase;
}

uint32_t number_in(const Value& memory, std::string_view key) {
  const Value* number = memory.find(key);
  return number == nullptr ? 0 : static_cast<uint32_t>(number->as_integer().value_or(0));
}

void begin(Frame& frame, Value memory) {
  const size_t children = is_phase(memory, kAgain) ? 0 : 1;
  frame.start_join({.total = children, .memory = std::move(memory)});
}

}  // namespace

const kernel::Scope* waiting_child(const Frame& frame) {
  const bool waits = frame.has_join() && is_phase(frame.memory(), kWaiting) && !frame.join().children.empty();
  return waits ? frame.execution().find_scope(frame.join().children.front()) : nullptr;
}

// --- data

Attempt<Value> StateCode::filtered(const Frame& frame, const Value& data) const {
  return state_.input_filter ? frame.evaluate(*state_.input_filter, data) : Data(data);
}

Attempt<Value> StateCode::merged(const Frame& frame, const std::optional<Expression>& handler, const Value& data,
                                 Value value) const {
  if (!handler) return data;
  auto result = frame.evaluate(*handler, data, std::move(value));
  if (!result) return result;
  if (auto checked = frame.check_size(*result, "The data of the machine"); !checked)
    return std::unexpected(std::move(checked).error());
  return result;
}

// The errors that handlers took, merged in the order of the actions.
Attempt<Value> StateCode::with_errors(const Frame& frame, Value data, const Value& errors) const {
  if (!errors.is_array()) return data;
  for (const Value& taken : errors.items()) {
    const Action& action = *frame.machine().node(StateOrdinal(number_in(taken, "node"))).action;
    auto result =
        merged(frame, action.handlers[number_in(taken, "handler")].result_handler, data, *taken.find("error"));
    if (!result) return result;
    data = *std::move(result);
  }
  return data;
}

Attempt<Value> StateCode::after_action(const Frame& frame, const std::optional<Expression>& handler) const {
  const ActionEnd end = ActionEnd::from_value(frame.join().results.front());
  auto data = with_errors(frame, *frame.memory().find("data"), end.errors);
  return data ? merged(frame, handler, *data, end.result) : data;
}

// --- phases

void StateCode::run(Frame& frame) const {
  if (state_.enter_action) return begin(frame, memory_of(kEntering, frame.input()));
  decide(frame, merged(frame, state_.enter_handler, frame.input(), {}));
}

void StateCode::open_children(Frame& frame) const {
  const Value memory = frame.memory();
  if (is_phase(memory, kWaiting)) return frame.open_child(state_.wait, Value());
  auto input = filtered(frame, *memory.find("data"));
  if (!input) return fail(frame, input.error());
  const Action& action = is_phase(memory, kEntering)  ? *state_.enter_action
                         : is_phase(memory, kExiting) ? *state_.exit_action
                                                      : *state_.transitions[number_in(memory, kTaking)].action;
  frame.open_child(action.ordinal, *std::move(input));
}

// What can fail is done before the join ends, so that a redrive does not repeat an action that succeeded.
void StateCode::resume(Frame& frame) const {
  const Value memory = frame.memory();
  const Value before = *memory.find("data");
  const bool has_result = !frame.join().results.empty();
  const Value result = has_result ? frame.join().results.front() : Value();
  const auto& handler = is_phase(memory, kEntering)  ? state_.enter_handler
                        : is_phase(memory, kExiting) ? state_.exit_handler
                        : is_phase(memory, kTaking)  ? state_.transitions[number_in(memory, kTaking)].result_handler
                                                     : std::optional<Expression>();
  const bool was_action = has_result && !is_phase(memory, kWaiting);
  Data data = was_action ? after_action(frame, handler) : Data(before);
  if (!data) return fail(frame, data.error());
  frame.end_join(kernel::Outcome::kSucceeded);
  if (is_phase(memory, kTaking)) return complete(frame, number_in(memory, kTaking), before, std::move(data));
  if (is_phase(memory, kExiting)) return leave(frame, StateOrdinal(number_in(memory, "next")), std::move(data));
  const bool timed_out = is_phase(memory, kWaiting) && !(result.is_boolean() && result.as_boolean());
  if (timed_out) return trigger(frame, *find(TransitionKind::kTimeout), *std::move(data));
  decide(frame, std::move(data));
}

// --- transitions

std::optional<size_t> StateCode::find(TransitionKind kind) const {
  const auto found = std::ranges::find(state_.transitions, kind, &Transition::kind);
  if (found == state_.transitions.end()) return std::nullopt;
  return static_cast<size_t>(found - state_.transitions.begin());
}

void StateCode::decide(Frame& frame, Data data) const {
  if (!data) return fail(frame, data.error());
  if (state_.transitions.empty())
    return frame.program().options().exits_on_end ? exit(frame, {}, *std::move(data))
                                                  : leave(frame, {}, std::move(data));
  if (const auto implicit = find(TransitionKind::kImplicit)) return trigger(frame, *implicit, *std::move(data));
  const auto by_condition = find_by_condition(frame, *data);
  if (!by_condition) return fail(frame, by_condition.error());
  if (*by_condition) return trigger(frame, **by_condition, *std::move(data));
  const auto by_events = find_match(frame);
  if (!by_events) return fail(frame, by_events.error());
  if (*by_events) return trigger_by_events(frame, **by_events, *std::move(data));
  if (find(TransitionKind::kEvents) || find(TransitionKind::kTimeout))
    return begin(frame, memory_of(kWaiting, *std::move(data)));
  fail(frame, {std::string(kNoTransition), "No condition of the state '" + state_.name +
                                               "' holds, and it waits neither for an event nor for a timeout."});
}

Attempt<std::optional<size_t>> StateCode::find_by_condition(const Frame& frame, const Value& data) const {
  const auto view = filtered(frame, data);
  if (!view) return std::unexpected(view.error());
  for (size_t i = 0; i < state_.transitions.size(); ++i) {
    if (state_.transitions[i].kind() != TransitionKind::kCondition) continue;
    const auto holds = frame.test(*state_.transitions[i].condition, *view);
    if (!holds) return std::unexpected(holds.error());
    if (*holds) return i;
  }
  return std::nullopt;
}

void StateCode::trigger(Frame& frame, size_t index, Value data) const {
  const Transition& transition = state_.transitions[index];
  if (transition.action) return begin(frame, memory_of(kTaking, std::move(data), kTaking, index));
  complete(frame, index, data, merged(frame, transition.result_handler, data, {}));
}

void StateCode::trigger_by_events(Frame& frame, const Match& match, Value data) const {
  const std::vector<EventGroup>& groups = state_.transitions[match.transition].groups;
  const Value events = mail(frame);
  for (size_t i = 0; i < groups.size(); ++i) {
    auto result = merged(frame, groups[i].result_handler, data, event_view(events.at(match.events[i])));
    if (!result) return fail(frame, result.error());
    data = *std::move(result);
  }
  take_mail(frame, match.events);
  trigger(frame, match.transition, std::move(data));
}

// A condition sees nothing but the data: where that is as before, it holds for ever.
void StateCode::complete(Frame& frame, size_t index, const Value& before, Data data) const {
  if (!data) return fail(frame, data.error());
  const Transition& transition = state_.transitions[index];
  if (transition.has_next) return exit(frame, transition.next, *std::move(data));
  if (transition.kind() == TransitionKind::kCondition && *data == before)
    return fail(frame,
                {std::string(kNoProgress), "The transition " + std::to_string(index) + " of the state '" + state_.name +
                                               "' has no nextState and changed nothing: it would be taken for ever."});
  begin(frame, memory_of(kAgain, *std::move(data)));
}

void StateCode::exit(Frame& frame, StateOrdinal next, Value data) const {
  if (state_.exit_action) return begin(frame, memory_of(kExiting, std::move(data), "next", next.number));
  leave(frame, next, merged(frame, state_.exit_handler, data, {}));
}

void StateCode::leave(Frame& frame, StateOrdinal next, Data data) const {
  if (!data) return fail(frame, data.error());
  if (next) return frame.go_to(next, *std::move(data));
  if (frame.scope().parent) return frame.close(*data, *data);
  frame.go_to({}, *data);
  frame.succeed(*std::move(data));
}

// --- events

Attempt<std::optional<size_t>> StateCode::find_in_mail(const Frame& frame, const EventGroup& group,
                                                       const Value& mail) const {
  for (size_t i = 0; i < mail.size(); ++i) {
    const Value& event = mail.at(i);
    const bool is_wanted =
        std::ranges::any_of(group.events, [&](const EventDefinition* wanted) { return is_event(*wanted, event); });
    if (!is_wanted) continue;
    const auto holds = group.condition ? frame.test(*group.condition, event_view(event)) : Attempt<bool>(true);
    if (!holds) return std::unexpected(holds.error());
    if (*holds) return i;
  }
  return std::nullopt;
}

Attempt<std::optional<StateCode::Match>> StateCode::find_match(const Frame& frame) const {
  if (!find(TransitionKind::kEvents)) return std::nullopt;
  const Value events = mail(frame);
  for (size_t i = 0; i < state_.transitions.size() && events.size() > 0; ++i) {
    const Transition& transition = state_.transitions[i];
    if (transition.kind() != TransitionKind::kEvents) continue;
    Match match{.transition = i, .events = {}};
    for (const EventGroup& group : transition.groups) {
      const auto place = find_in_mail(frame, group, events);
      if (!place) return std::unexpected(place.error());
      if (!*place) break;
      match.events.push_back(**place);
    }
    if (match.events.size() == transition.groups.size()) return match;
  }
  return std::nullopt;
}

NodeCodePtr compile_state(const State& state) { return std::make_unique<StateCode>(state); }

// --- waiting

namespace {

// A state's wait: closes with true when the mailbox has what a transition asks for, with false when the time is over.
class WaitCode final : public NodeCode {
 public:
  explicit WaitCode(const State& state) : NodeCode(state.wait), state_(state) {}

  // After a redrive the mailbox may have it already.
  void run(Frame& frame) const override {
    const Frame states = frame.parent();
    const auto match = static_cast<const StateCode&>(states.node()).find_match(states);
    if (!match) return fail(frame, match.error());
    if (*match) return frame.close(Value::boolean(true), Value::boolean(true));
    const auto timeout = std::ranges::find(state_.transitions, TransitionKind::kTimeout, &Transition::kind);
    const auto due = timeout == state_.transitions.end() ? Attempt<Timestamp>(kNever) : frame.after(*timeout->timeout);
    if (!due) return fail(frame, due.error());
    frame.sleep_until(*due);
  }

  void resume(Frame& frame) const override {
    const Value& woken = frame.scope().ended.value;
    const Value came = Value::boolean(woken.is_boolean() && woken.as_boolean());
    frame.close(came, came);
  }

  void fail(Frame& frame, Failure failure) const override { frame.halt(failure); }

 private:
  const State& state_;
};

}  // namespace

NodeCodePtr compile_wait(const State& state) { return std::make_unique<WaitCode>(state); }

}  // namespace pawl::sm4c
