#include "lang/asl/program.h"

#include "base/assert.h"
#include "lang/asl/context.h"
#include "lang/asl/frame.h"
#include "lang/asl/resource.h"
#include "lang/asl/state_code.h"

namespace pawl::asl {

using kernel::Fact;
using kernel::FactKind;

namespace {

Result<StateCodePtr> compile_state(const State& state, const CompileContext& context) {
  switch (state.type) {
    case StateType::kPass:
      return compile_pass(state, context);
    case StateType::kTask:
      return compile_task(state, context);
    case StateType::kChoice:
      return compile_choice(state, context);
    case StateType::kWait:
      return compile_wait(state, context);
    case StateType::kSucceed:
      return compile_succeed(state, context);
    case StateType::kFail:
      return compile_fail(state, context);
    case StateType::kParallel:
      return compile_parallel(state, context);
    case StateType::kMap:
      return compile_map(state, context);
  }
  return fail("ASL_UNKNOWN_STATE_TYPE", "The state has no type.");
}

}  // namespace

// Compiles states into their places by ordinal, machines within machines.
class Compiler {
 public:
  explicit Compiler(const Options& options) { program_->options_ = options; }

  Result<std::unique_ptr<Program>> compile(const Definition& definition) {
    if (auto compiled = compile_machine(definition.machine); !compiled) return std::unexpected(compiled.error());
    const State* start = definition.machine.find(definition.machine.start_at);
    if (start == nullptr) return fail("ASL_START_AT", "StartAt names no state.", "Name one of the states.", "/StartAt");
    program_->start_ = start->ordinal;
    const Value* timeout = definition.machine.source.find("TimeoutSeconds");
    if (timeout != nullptr && timeout->is_number()) program_->timeout_seconds_ = timeout->as_integer().value_or(0);
    return std::move(program_);
  }

 private:
  Result<void> compile_machine(const Machine& machine) {
    for (const State& state : machine.states) {
      const CompileContext context{machine, program_->options_, state.pointer};
      auto code = compile_state(state, context);
      if (!code) {
        Error error = std::move(code).error();
        error.where = state.pointer + error.where;
        return std::unexpected(std::move(error));
      }
      place(state.ordinal, *std::move(code));
      for (const auto& inner : state.machines)
        if (auto compiled = compile_machine(*inner); !compiled) return compiled;
    }
    return {};
  }

  void place(StateOrdinal ordinal, StateCodePtr code) {
    if (program_->states_.size() < ordinal.number) program_->states_.resize(ordinal.number);
    program_->states_[ordinal.number - 1] = std::move(code);
  }

  std::unique_ptr<Program> program_{new Program};
};

Program::~Program() = default;

Result<std::unique_ptr<Program>> Program::compile(const Definition& definition, const Options& options) {
  return Compiler(options).compile(definition);
}

const StateCode& Program::state(StateOrdinal ordinal) const {
  PAWL_ASSERT(ordinal && ordinal.number <= states_.size() && states_[ordinal.number - 1] != nullptr, ordinal);
  return *states_[ordinal.number - 1];
}

StateType Program::state_type(StateOrdinal ordinal) const { return state(ordinal).type(); }
std::string_view Program::state_name(StateOrdinal ordinal) const { return state(ordinal).name(); }
std::string_view Program::resource_of(StateOrdinal ordinal) const { return state(ordinal).resource(); }

void Program::start(const kernel::Signal& signal, kernel::Turn& turn) const {
  Fact fact;
  fact.kind = FactKind::kExecutionStarted;
  fact.scope = ScopeId(1);
  fact.next = start_;
  fact.value = signal.value;
  fact.extra = signal.extra;
  fact.due = deadline_after(turn.now());
  turn.append_event(std::move(fact), EventId());
}

Timestamp Program::deadline_after(Timestamp begin) const {
  return timeout_seconds_ > 0 ? begin + std::chrono::seconds(timeout_seconds_) : kNever;
}

void Program::refine_redrive(const kernel::Turn& turn, Fact& fact) const {
  fact.due = deadline_after(turn.now());
  json::ObjectBuilder extra(1);
  extra.set("context", redriven_context(turn.execution().context(), fact.number, turn.time()));
  fact.extra = extra.build();
}

void Program::step(ScopeId id, kernel::Turn& turn) const {
  const kernel::Scope& scope = turn.execution().scope(id);
  if (scope.step == kernel::Step::kEnter) {
    Fact fact;
    fact.kind = FactKind::kStateEntered;
    fact.scope = id;
    fact.state = scope.next;
    fact.value = scope.input;
    turn.append_event(std::move(fact));
  }
  const kernel::Step step = scope.step;
  const StateCode& code = state(scope.state);
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

bool Program::enforce_limits(kernel::Turn& turn) const {
  const kernel::Execution& execution = turn.execution();
  if (execution.last_event().number + 1 < turn.limits().events_max) return false;
  Fact fact;
  fact.kind = FactKind::kExecutionFailed;
  fact.scope = execution.first_ready();
  Failure failure{
      std::string(kRuntime),
      "The execution reached the maximum number of history events (" + std::to_string(turn.limits().events_max) + ").",
      {},
      true};
  fact.value = failure.to_value();
  turn.append_event(std::move(fact));
  return true;
}

namespace {

// How a too large result is named: a service integration by its service, anything else by its resource.
std::string shown_resource(std::string_view resource) {
  const ResourceName name = parse_resource(resource);
  return std::string(name.family == ResourceFamily::kTask ? name.type : resource);
}

}  // namespace

void Program::refine_answer(const kernel::Operation& operation, const kernel::Limits& limits,
                            kernel::Signal& signal) const {
  if (signal.outcome != kernel::Outcome::kSucceeded || signal.value.json_size() <= limits.payload_bytes_max) return;
  const Failure failure{std::string(kDataLimitExceeded),
                        "The state/task '" + shown_resource(resource_of(operation.state)) +
                            "' returned a result with a size exceeding the maximum number of bytes service limit.",
                        {},
                        false};
  signal.outcome = kernel::Outcome::kFailed;
  signal.value = failure.to_value();
}

}  // namespace pawl::asl
