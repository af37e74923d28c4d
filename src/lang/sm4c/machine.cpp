#include "lang/sm4c/machine.h"

#include <algorithm>

#include "base/assert.h"
#include "lang/sm4c/node_code.h"

namespace pawl::sm4c {

namespace {

constexpr uint32_t kMailboxPlace = 0;  // among the machine's children, where there is one

bool has_mailbox(const StateMachine& machine) { return !machine.awaited.empty(); }
bool has_timekeeper(const StateMachine& machine) { return machine.timeout.has_value(); }

uint32_t states_place(const StateMachine& machine) {
  return (has_mailbox(machine) ? 1 : 0) + (has_timekeeper(machine) ? 1 : 0);
}

ScopeId child_at(const Frame& root, uint32_t place) {
  const auto& children = root.join().children;
  return place < children.size() ? children[place] : ScopeId();
}

// What arrived and is not in the mailbox's input yet, because its turn has not come.
const Value* pending_event(const kernel::Scope& mailbox) {
  const bool has_ended = mailbox.step == kernel::Step::kResume &&
                         mailbox.ended.what == kernel::Ended::What::kOperation &&
                         mailbox.ended.operation_kind == kernel::OperationKind::kEvent;
  return has_ended ? mailbox.ended.value.find("event") : nullptr;
}

Value with_pending(const kernel::Scope& mailbox) {
  const Value* event = pending_event(mailbox);
  if (event == nullptr) return mailbox.input;
  json::ArrayBuilder all(mailbox.input.size() + 1);
  for (const Value& item : mailbox.input.items()) all.push(item);
  all.push(*event);
  return all.build();
}

class MachineCode final : public NodeCode {
 public:
  explicit MachineCode(const StateMachine& machine) : NodeCode(machine.machine), machine_(machine) {}

  // As many at once as there are companions and states: any more children are calls, which call_detached opens.
  void run(Frame& frame) const override {
    frame.start_join({.total = kCompanyMax, .at_once = states_place(machine_) + 1, .memory = {}});
  }

  // The mailbox first: it is open before anything else happens. There is room for more when the timekeeper has stopped
  // the others: then there is nothing to open.
  void open_children(Frame& frame) const override {
    if (frame.join().opened > 0) return frame.sleep_until(kNever);
    if (has_mailbox(machine_)) frame.open_child(machine_.mailbox, Value::empty_array());
    if (has_timekeeper(machine_)) frame.open_child(machine_.timekeeper, Value());
    frame.open_child(machine_.start, frame.input());
  }

  // The machine ends once its last state is left and no call is under way any more.
  void child_closed(Frame& frame) const override {
    const uint32_t companions = states_place(machine_);
    const bool has_calls = frame.join().running > companions;
    if (!frame.succeeded(companions) || has_calls) return;
    const Value output = frame.join().results[companions];
    frame.end_join(kernel::Outcome::kSucceeded);
    frame.go_to({}, output);
    frame.succeed(output);
  }

  void fail(Frame& frame, Failure failure) const override { frame.halt(failure); }

 private:
  const StateMachine& machine_;
};

}  // namespace

bool has_company(const StateMachine& machine) { return states_place(machine) > 0 || machine.has_detached_calls; }

std::optional<ScopeId> states_scope(const Frame& frame) {
  if (!has_company(frame.machine())) return ScopeId(1);
  const ScopeId scope = child_at(frame.in(ScopeId(1)), states_place(frame.machine()));
  return scope ? std::optional(scope) : std::nullopt;
}

Value data_so_far(const Frame& frame) {
  const auto id = states_scope(frame);
  if (!id) return {};
  const kernel::Scope& scope = frame.execution().scope(*id);
  const Value* data = scope.join == nullptr ? nullptr : scope.join->items.find("data");
  return data == nullptr ? scope.input : *data;
}

Value mail(const Frame& frame) {
  if (!has_mailbox(frame.machine())) return Value::empty_array();
  return with_pending(frame.execution().scope(child_at(frame.in(ScopeId(1)), kMailboxPlace)));
}

void take_mail(const Frame& frame, const std::vector<size_t>& places) {
  if (places.empty()) return;
  const Value before = mail(frame);
  json::ArrayBuilder rest(before.size());
  for (size_t i = 0; i < before.size(); ++i)
    if (std::ranges::find(places, i) == places.end()) rest.push(before.at(i));
  Frame mailbox = frame.in(child_at(frame.in(ScopeId(1)), kMailboxPlace));
  if (mailbox.scope().operation) mailbox.wake({});
  mailbox.enter_again(rest.build());
}

void call_detached(const Frame& frame, StateOrdinal node, Value input) {
  frame.in(ScopeId(1)).open_child(node, std::move(input));
}

NodeCodePtr compile_machine(const StateMachine& machine) { return std::make_unique<MachineCode>(machine); }

}  // namespace pawl::sm4c
