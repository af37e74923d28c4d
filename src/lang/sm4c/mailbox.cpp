// The mailbox: takes in what the machine's transitions wait for, from the machine's start to its end.
//
// Its input is what came so far, an array; with each event it is entered anew.
#include "json/print.h"
#include "kernel/event_filter.h"
#include "lang/sm4c/machine.h"
#include "lang/sm4c/node_code.h"
#include "lang/sm4c/state_code.h"

namespace pawl::sm4c {

namespace {

std::optional<std::string> text_of(const Value& value) {
  if (value.is_string()) return std::string(value.as_string());
  if (value.is_number() || value.is_boolean()) return json::print(value);
  return std::nullopt;
}

class MailboxCode final : public NodeCode {
 public:
  explicit MailboxCode(const StateMachine& machine) : NodeCode(machine.mailbox), machine_(machine) {}

  void run(Frame& frame) const override {
    const Value& mail = frame.input();
    const bool is_full = mail.size() >= kMailEventsMax || mail.json_size() >= kMailBytesMax;
    if (is_full) return frame.sleep_until(kNever);
    auto wait = filters(frame);
    if (!wait) return fail(frame, wait.error());
    frame.await_event(*std::move(wait));
  }

  void resume(Frame& frame) const override {
    frame.enter_again(mail(frame));
    if (auto woken = wake_states(frame); !woken) fail(frame, woken.error());
  }

  void fail(Frame& frame, Failure failure) const override { frame.halt(failure); }

 private:
  Attempt<Value> filters(const Frame& frame) const {
    json::ArrayBuilder all(machine_.awaited.size());
    for (const EventDefinition* event : machine_.awaited) {
      auto filter = filter_of(frame, *event);
      if (!filter) return std::unexpected(std::move(filter).error());
      all.push(filter->to_value());
    }
    json::ObjectBuilder input(1);
    input.set("filters", all.build());
    return input.build();
  }

  // What a correlation asks for: the value that the text gives, or that of the first event.
  static Attempt<kernel::EventFilter> filter_of(const Frame& frame, const EventDefinition& event) {
    kernel::EventFilter filter{event.name, event.event_source, event.event_type, {}};
    for (const Correlation& rule : event.correlation) {
      std::optional<std::string> wanted;
      if (rule.value) {
        const auto value = frame.evaluate(*rule.value, frame.execution().input());
        if (!value) return std::unexpected(value.error());
        wanted = text_of(*value);
      }
      const Value* known = frame.execution().correlation().find(kernel::to_lower(rule.attribute));
      if (!wanted && known != nullptr) wanted = text_of(*known);
      filter.add(rule.attribute, std::move(wanted));
    }
    return filter;
  }

  // A state that waits for what is in the mailbox now waits no longer.
  static Attempt<void> wake_states(const Frame& frame) {
    const auto scope = states_scope(frame);
    if (!scope) return {};
    const Frame states = frame.in(*scope);
    const kernel::Scope* wait = waiting_child(states);
    if (wait == nullptr || !wait->operation) return {};
    const auto match = static_cast<const StateCode&>(states.node()).find_match(states);
    if (!match) return std::unexpected(match.error());
    if (*match) frame.in(wait->id).wake(Value::boolean(true));
    return {};
  }

  const StateMachine& machine_;
};

}  // namespace

NodeCodePtr compile_mailbox(const StateMachine& machine) { return std::make_unique<MailboxCode>(machine); }

}  // namespace pawl::sm4c
