#include "lang/serverless/program.h"

#include <algorithm>

#include "base/assert.h"
#include "lang/serverless/event_wait.h"
#include "lang/serverless/node_code.h"

namespace pawl::serverless {

using kernel::Fact;
using kernel::FactKind;

// --- compiling

namespace {

NodeCodePtr compile_state(const State& state) {
  switch (state.type) {
    case StateType::kEvent:
      return compile_event(state);
    case StateType::kOperation:
      return compile_operation(state);
    case StateType::kSwitch:
      return compile_switch(state);
    case StateType::kDelay:
      return compile_delay(state);
    case StateType::kParallel:
      return compile_parallel(state);
    case StateType::kSubflow:
      return compile_subflow(state);
    case StateType::kInject:
      return compile_inject(state);
    case StateType::kForeach:
      return compile_foreach(state);
    case StateType::kCallback:
      return compile_callback(state);
  }
  PAWL_ASSERT(false, static_cast<int>(state.type));
}

NodeCodePtr compile_node(const Node& node, StateOrdinal ordinal) {
  switch (node.kind) {
    case NodeKind::kState:
      return compile_state(*node.state);
    case NodeKind::kBody:
      return compile_body(node);
    case NodeKind::kAction:
      return compile_action(node);
    case NodeKind::kWait:
      return compile_wait(node, ordinal);
  }
  PAWL_ASSERT(false, static_cast<int>(node.kind));
}

}  // namespace

Program::Program(std::shared_ptr<const Workflow> workflow, const Options& options)
    : workflow_(std::move(workflow)), options_(options), definitions_(*workflow_, options_) {
  for (const Node& node : workflow_->nodes)
    nodes_.push_back(compile_node(node, StateOrdinal(static_cast<uint32_t>(nodes_.size() + 1))));
}

Program::~Program() = default;

Result<std::unique_ptr<Program>> Program::compile(std::shared_ptr<const Workflow> workflow, const Options& options) {
  std::unique_ptr<Program> program(new Program(std::move(workflow), options));
  if (auto compiled = program->compile_schemas(); !compiled) return std::unexpected(std::move(compiled).error());
  return program;
}

Result<void> Program::compile_schemas() {
  PAWL_TRY(schemas_, DataSchemas::compile(workflow_->input_schema, workflow_->output_schema));
  for (const State& state : workflow_->states) {
    if (!state.input_schema && !state.output_schema) continue;
    PAWL_TRY(state_schemas_[state.ordinal], DataSchemas::compile(state.input_schema, state.output_schema));
  }
  return {};
}

const DataSchemas& Program::schemas_of(StateOrdinal state) const {
  static const DataSchemas kNone;
  const auto found = state_schemas_.find(state);
  return found == state_schemas_.end() ? kNone : found->second;
}

const NodeCode& Program::node(StateOrdinal ordinal) const {
  PAWL_ASSERT(ordinal && ordinal.number <= nodes_.size(), ordinal);
  return *nodes_[ordinal.number - 1];
}

std::string_view Program::state_name(StateOrdinal ordinal) const { return workflow_->node(ordinal).name(); }
std::string_view Program::resource_of(StateOrdinal ordinal) const { return node(ordinal).resource(); }

kernel::Call Program::call_of(const kernel::Execution& execution, const kernel::Operation& operation) const {
  kernel::Call call = node(operation.state).call(execution, operation, definitions_);
  if (call.name.empty()) call.name = state_name(operation.state);
  return call;
}

// --- starting

namespace {

// The workflow's own strings, which see its input only, for whoever looks at the context.
Value with_header(const Value& extra, const Workflow& workflow, const Value& input) {
  const auto header = workflow.header(input);
  if (!header) return extra;
  const Value* context = extra.find("context");
  const Value base = context != nullptr && context->is_object() ? *context : Value::empty_object();
  const Value whole = extra.is_object() ? extra : Value::empty_object();
  return whole.with_member("context", base.with_member("Workflow", *header));
}

}  // namespace

// "If no input is provided the default data input is the empty object."
void Program::start(const kernel::Signal& signal, kernel::Turn& turn) const {
  Fact fact;
  fact.kind = FactKind::kExecutionStarted;
  fact.scope = ScopeId(1);
  fact.next = workflow_->start;
  fact.value = signal.value.is_null() ? Value::empty_object() : signal.value;
  fact.extra = with_header(signal.extra, *workflow_, fact.value);
  turn.append_event(std::move(fact), EventId());
}

kernel::StartRule Program::start_rule() const {
  kernel::StartRule rule;
  const Start& start = workflow_->start_definition();
  if (start.schedule) {
    rule.interval = start.schedule->interval_text;
    rule.cron = start.schedule->cron;
    rule.timezone = start.schedule->timezone;
    rule.allows_direct = start.schedule->direct_invoke;
  }
  const auto* event = std::get_if<EventState>(&workflow_->start_state().detail);
  if (event == nullptr) return rule;
  rule.needs_all = !event->exclusive;
  if (rule.needs_all && event->timeout)
    rule.gap = event->timeout->value.rest + event->timeout->value.months * Duration(std::chrono::days(30));
  for (const EventsActions& group : event->groups)
    for (const EventReference& reference : group.events) {
      const bool is_new =
          std::ranges::find(rule.events, reference.event, &kernel::EventFilter::event) == rule.events.end();
      if (is_new && reference.definition != nullptr) rule.events.push_back(start_filter_of(*reference.definition));
    }
  return rule;
}

// --- stepping

void Program::step(ScopeId id, kernel::Turn& turn) const {
  const kernel::Scope& scope = turn.execution().scope(id);
  if (scope.step == kernel::Step::kEnter) return enter(id, turn);
  const kernel::Step step = scope.step;
  const NodeCode& code = node(scope.state);
  Frame frame(*this, code, id, turn);
  switch (step) {
    case kernel::Step::kResume:
      if (!await_own_event(frame)) code.resume(frame);
      return;
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
  if (refuse_input(id, turn)) return;
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

// The workflow's input is looked at when the first state would be entered, so that the refusal is in the history.
bool Program::refuse_input(ScopeId id, kernel::Turn& turn) const {
  const kernel::Scope& scope = turn.execution().scope(id);
  const bool is_first = !scope.parent && !scope.entered_event;
  if (!is_first) return false;
  auto checked = check_input(scope.input);
  if (checked) checked = check_events(turn.execution());
  if (checked) return false;
  Frame(*this, node(scope.next), id, turn).halt(checked.error());
  return true;
}

Attempt<void> Program::check_input(const Value& input) const {
  if (!input.is_object()) return failed(kInputNotAnObject, "The input of a workflow must be a JSON object.");
  return schemas_.input.check(input, "The input of the workflow");
}

// An event that nobody defines is found out before the first state, and not halfway.
Attempt<void> Program::check_events(const kernel::Execution& execution) const {
  for (const Unresolved& unresolved : workflow_->unresolved) {
    if (unresolved.kind != Unresolved::Kind::kEvent) continue;
    const auto event = definitions_.find_event(unresolved.name, execution);
    if (!event) return failed(event.error().name, event.error().message + " (" + unresolved.pointer + ")");
  }
  return {};
}

// --- limits

bool Program::enforce_limits(kernel::Turn& turn) const {
  const kernel::Execution& execution = turn.execution();
  const uint32_t events_max = turn.limits().events_max;
  if (execution.last_event().number + 1 < events_max) return false;
  const Failure failure{
      std::string(kHistoryLimit),
      "The execution reached the maximum number of history events (" + std::to_string(events_max) + ").",
      {}};
  const kernel::Scope& root = execution.scope(ScopeId(1));
  Frame(*this, node(root.state ? root.state : root.next), ScopeId(1), turn).halt(failure);
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
        Failure{std::string(kDataLimit), "'" + name + "' returned more bytes than the limit allows.", {}}.to_value();
  }
}

}  // namespace pawl::serverless
