#include "cases/run_case.h"

#include "api/machine.h"
#include "cases/compare.h"
#include "json/print.h"
#include "lang/asl/history.h"
#include "text/diagnostics_format.h"

namespace pawl::cases {

namespace {

using kernel::Fact;
using kernel::FactKind;

// What a run showed, in the form in which a case expects it.
class Observation {
 public:
  Observation(const asl::Program& program, const engine::LocalRun& run) : program_(program), run_(run) {}

  Value status() const { return Value::string(kernel::name_of(run_.status)); }

  Value path() const {
    json::ArrayBuilder names;
    for (const Fact& fact : run_.facts)
      if (fact.kind == FactKind::kStateEntered) names.push(Value::string(program_.state_name(fact.state)));
    return names.build();
  }

  Value events() const {
    json::ArrayBuilder types;
    asl::HistoryView view(program_);
    for (const Fact& fact : run_.facts) {
      const Value event = view.event_of(fact);
      if (event.is_object()) types.push(*event.find("type"));
    }
    return types.build();
  }

  Value history_ids() const {
    json::ArrayBuilder ids;
    for (const Fact& fact : run_.facts) {
      if (!fact.event) continue;
      json::ArrayBuilder pair;
      pair.push(Value::integer(fact.event.number));
      pair.push(Value::integer(fact.previous_event.number));
      ids.push(pair.build());
    }
    return ids.build();
  }

  Value elapsed() const {
    const Duration elapsed = run_.facts.back().time - run_.facts.front().time;
    return Value::real(static_cast<double>(elapsed.count()) / 1000);
  }

  // The values of the facts of a kind, for one state, in order.
  Value values_of(FactKind kind, std::string_view state) const {
    json::ArrayBuilder values;
    for (const Fact& fact : run_.facts)
      if (fact.kind == kind && is_shown(fact) && program_.state_name(fact.state) == state) values.push(fact.value);
    return values.build();
  }

 private:
  // Timers and delays are operations too, without an input.
  static bool is_shown(const Fact& fact) {
    return fact.kind != FactKind::kOperationScheduled || (fact.operation_kind != kernel::OperationKind::kTimer &&
                                                          fact.operation_kind != kernel::OperationKind::kRetryDelay);
  }

  const asl::Program& program_;
  const engine::LocalRun& run_;
};

class Judge {
 public:
  Judge(const Value& expect, std::vector<std::string>& differences) : expect_(expect), differences_(differences) {}

  void judge_texts(const Diagnostics& diagnostics) {
    if (const Value* wanted = expect_.find("diagnostics"))
      compare_lists("diagnostics", *wanted, codes(diagnostics, Severity::kError), differences_);
    if (const Value* wanted = expect_.find("warnings"))
      compare_lists("warnings", *wanted, codes(diagnostics, Severity::kWarning), differences_);
  }

  void judge_run(const asl::Program& program, const engine::LocalRun& run) {
    const Observation seen(program, run);
    compare("status", expected_status(), seen.status(), differences_);
    if (run.status == kernel::Status::kSucceeded)
      judge_output(run.outcome);
    else
      judge_failure(run.outcome);
    if (const Value* path = expect_.find("path")) compare_lists("path", *path, seen.path(), differences_);
    if (const Value* events = expect_.find("events")) compare_lists("events", *events, seen.events(), differences_);
    if (const Value* ids = expect_.find("history_ids"))
      compare_lists("history_ids", *ids, seen.history_ids(), differences_);
    if (const Value* elapsed = expect_.find("elapsed")) compare("elapsed", *elapsed, seen.elapsed(), differences_);
    judge_values("task_inputs", FactKind::kOperationScheduled, seen);
    judge_values("state_inputs", FactKind::kStateEntered, seen);
    judge_values("state_outputs", FactKind::kStateExited, seen);
  }

 private:
  static Value codes(const Diagnostics& diagnostics, Severity severity) {
    json::ArrayBuilder codes;
    for (const Diagnostic& diagnostic : diagnostics)
      if (diagnostic.severity == severity) codes.push(Value::string(diagnostic.code));
    return codes.build();
  }

  Value expected_status() const {
    if (const Value* status = expect_.find("status")) return *status;
    for (const char* field : {"error", "cause", "cause_contains"})
      if (expect_.find(field) != nullptr) return Value::string("FAILED");
    return Value::string("SUCCEEDED");
  }

  void judge_output(const Value& output) {
    if (const Value* wanted = expect_.find("output")) compare("output", *wanted, output, differences_);
    if (const Value* text = expect_.find("output_text"))
      compare("output_text", *text, Value::string(json::print(output)), differences_);
  }

  void judge_failure(const Value& outcome) {
    const api::Failure failure = api::failure_of(outcome);
    const size_t before = differences_.size();
    if (const Value* error = expect_.find("error")) compare("error", *error, failure.error, differences_);
    if (const Value* cause = expect_.find("cause")) compare("cause", *cause, failure.cause, differences_);
    const Value* part = expect_.find("cause_contains");
    if (part != nullptr && !(failure.cause.is_string() && failure.cause.as_string().contains(part->as_string())))
      differences_.push_back("cause: expected a text with " + json::print(*part) + ", got " +
                             json::print(failure.cause));
    // Who expected success wants to know what went wrong.
    if (before == differences_.size() && before != 0)
      differences_.push_back("the execution's error: " + json::print(outcome));
  }

  void judge_values(const char* field, FactKind kind, const Observation& seen) {
    const Value* wanted = expect_.find(field);
    if (wanted == nullptr) return;
    for (const json::Member& member : wanted->members()) {
      const std::string_view state = member.key.as_string();
      compare(field + (" of '" + std::string(state) + "'"), member.value, seen.values_of(kind, state), differences_);
    }
  }

  const Value& expect_;
  std::vector<std::string>& differences_;
};

api::ExecutionSetup make_setup(const Case& source) {
  api::ExecutionSetup setup;
  setup.input = source.input;
  setup.input_text = source.input_text;
  setup.context = source.context;
  setup.machine_name = source.machine_name;
  setup.virtual_time = true;
  setup.now = source.now;
  setup.limits = source.limits;
  setup.seed = source.seed;
  return setup;
}

void run_and_judge(const RunMachine& run_machine, const Case& source, const asl::Program& program, Judge& judge,
                   std::vector<std::string>& differences) {
  const std::stop_source stop;
  connect::MockTasks mocks(source.mocks);
  connect::Router tasks(stop, "Give the state a list of responses under mocks.");
  tasks.add(mocks);
  const auto run = run_machine(program, make_setup(source), tasks, stop);
  if (run)
    judge.judge_run(program, *run);
  else
    differences.push_back("the run: " + to_string(run.error()));
}

void load_and_judge(const RunMachine& run_machine, const Case& source, std::vector<std::string>& differences) {
  asl::Options options;
  for (const std::string& assignment : source.assignments)
    if (auto set = options.set(assignment); !set) return differences.push_back("options: " + to_string(set.error()));
  const api::LoadedMachine machine = api::load_machine(source.definition, source.definition_name, options);
  Judge judge(source.expect, differences);
  judge.judge_texts(machine.diagnostics);
  if (source.expect.find("diagnostics") != nullptr) return;
  if (machine.program == nullptr)
    return differences.push_back("the definition is refused:\n" + text::format_as_text(machine.diagnostics));
  run_and_judge(run_machine, source, *machine.program, judge, differences);
}

}  // namespace

CaseResult run_case_by(const RunMachine& run, const Case& source) {
  using Verdict = CaseResult::Verdict;
  if (source.skip) return {Verdict::kSkipped, {*source.skip}, {}};
  CaseResult result;
  const auto started = std::chrono::steady_clock::now();
  load_and_judge(run, source, result.differences);
  result.took = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - started);
  if (!result.differences.empty()) result.verdict = Verdict::kFailed;
  return result;
}

CaseResult run_case(const Case& source, bool prove_rebuild) {
  const auto run = [prove_rebuild](const asl::Program& program, api::ExecutionSetup setup, connect::Router& tasks,
                                   const std::stop_source& stop) {
    setup.prove_rebuild = prove_rebuild;
    return api::run_machine(program, setup, tasks, stop);
  };
  return run_case_by(run, source);
}

}  // namespace pawl::cases
