#include "lang/sm4c/program.h"

#include "base/assert.h"
#include "lang/sm4c/machine.h"
#include "lang/sm4c/node_code.h"

namespace pawl::sm4c {

using kernel::Fact;
using kernel::FactKind;

// --- compiling

namespace {

NodeCodePtr compile_action(const Action& action) {
  switch (action.type) {
    case ActionType::kDelay:
      return compile_delay(action);
    case ActionType::kForeach:
      return compile_foreach(action);
    case ActionType::kInjectData:
      return compile_inject_data(action);
    case ActionType::kInvokeFunction:
      return compile_invoke_function(action);
    case ActionType::kInvokeSubflow:
      return compile_invoke_subflow(action);
    case ActionType::kParallel:
      return compile_parallel(action);
    case ActionType::kSendEvent:
      return compile_send_event(action);
    case ActionType::kSequence:
      return compile_sequence(action);
  }
  PAWL_ASSERT(false, static_cast<int>(action.type));
}

NodeCodePtr compile_node(const Node& node, const StateMachine& machine) {
  switch (node.kind) {
    case NodeKind::kState:
      return compile_state(*node.state);
    case NodeKind::kWait:
      return compile_wait(*node.state);
    case NodeKind::kAction:
      return compile_action(*node.action);
    case NodeKind::kDetachedCall:
      return compile_detached_call(*node.action);
    case NodeKind::kMachine:
      return compile_machine(machine);
    case NodeKind::kMailbox:
      return compile_mailbox(machine);
    case NodeKind::kTimekeeper:
      return compile_timekeeper(machine);
  }
  PAWL_ASSERT(false, static_cast<int>(node.kind));
}

}  // namespace

Program::Program(std::shared_ptr<const StateMachine> machine, const Options& options)
    : machine_(std::move(machine)), options_(options) {
  for (const Node& node : machine_->nodes) nodes_.push_back(compile_node(node, *machine_));
}

Program::~Program() = default;

const NodeCode& Program::node(StateOrdinal ordinal) const {
  PAWL_ASSERT(ordinal && ordinal.number <= nodes_.size(), ordinal);
  return *nodes_[ordinal.number - 1];
}

std::string_view Program::state_name(StateOrdinal ordinal) const { return machine_->node(ordinal).name; }
std::string_view Program::resource_of(StateOrdinal ordinal) const { return node(ordinal).resource(); }

kernel::Call Program::call_of(const kernel::Execution&, const kernel::Operation& operation) const {
  kernel::Call call = node(operation.state).call(operation);
  if (call.name.empty()) call.name = state_name(operation.state);
  return call;
}

// --- running

void Program::start(const kernel::Signal& signal, kernel::Turn& turn) const {
  Fact fact;
  fact.kind = FactKind::kExecutionStarted;
  fact.scope = ScopeId(1);
  fact.next = has_company(*machine_) ? machine_->machine : machine_->start;
  fact.value = signal.value.is_null() ? Value::empty_object() : signal.value;
  fact.extra = signal.extra;
  turn.append_event(std::move(fact), EventId());
}

void Program::step(ScopeId id, kernel::Turn& turn) const {
  const kernel::Scope& scope = turn.execution().scope(id);
  if (scope.step == kernel::Step::kEnter) return enter(id, turn);
  const kernel::Step step = scope.step;
  const NodeCode& code = node(scope.state);
  Frame frame(*this, code, id, turn);
  switch (step) {
    case kernel::Step::kResume:
      return code.resume(frame);
    case kernel::Step::kOpen:
      return code.open_children(frame);
    case kernel::Step::kEnter:
    case kernel::Step::kRun:
    case kernel::Step::kStart:
    case kernel::Step::kWait:
      return code.run(frame);
  }
}

void Program::enter(ScopeId id, kernel::Turn& turn) const {
  const kernel::Scope& scope = turn.execution().scope(id);
  Fact fact;
  fact.kind = FactKind::kStateEntered;
  fact.scope = id;
  fact.state = scope.next;
  fact.value = scope.input;
  turn.append_event(std::move(fact));
  const NodeCode& code = node(scope.state);
  Frame frame(*this, code, id, turn);
  code.run(frame);
}

// --- limits

bool Program::enforce_limits(kernel::Turn& turn) const {
  const kernel::Execution& execution = turn.execution();
  const uint32_t events_max = turn.limits().events_max;
  if (execution.last_event().number + 1 < events_max) return false;
  const kernel::Scope& root = execution.scope(ScopeId(1));
  Frame(*this, node(root.state ? root.state : root.next), ScopeId(1), turn)
      .halt({std::string(kHistoryLimit),
             "The execution reached the maximum number of history events (" + std::to_string(events_max) + ")."});
  return true;
}

void Program::refine_answer(const kernel::Operation& operation, const kernel::Limits& limits,
                            kernel::Signal& signal) const {
  if (operation.kind == kernel::OperationKind::kEvent) return;
  if (signal.outcome != kernel::Outcome::kSucceeded) {
    signal.value = Failure::from_value(signal.value).to_value();
  } else if (signal.value.json_size() > limits.payload_bytes_max) {
    const std::string name(state_name(operation.state));
    signal.outcome = kernel::Outcome::kFailed;
    signal.value =
        Failure{std::string(kDataLimit), "'" + name + "' returned more bytes than the limit allows."}.to_value();
  }
}

}  // namespace pawl::sm4c
