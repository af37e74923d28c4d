#include "cases/run_case.h"

#include "api/machine.h"
#include "cases/judge.h"
#include "cases/workflow_case.h"
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

void judge_run(const asl::Program& program, const engine::LocalRun& run, Judge& judge) {
  const Observation seen(program, run);
  judge.judge_end(run.status, run.outcome);
  if (judge.expects("path")) judge.judge_list("path", seen.path());
  if (judge.expects("events")) judge.judge_list("events", seen.events());
  if (judge.expects("history_ids")) judge.judge_list("history_ids", seen.history_ids());
  judge.judge_value("elapsed", seen.elapsed());
  const auto values_of = [&](FactKind kind) {
    return [&seen, kind](std::string_view state) { return seen.values_of(kind, state); };
  };
  judge.judge_values("task_inputs", values_of(FactKind::kOperationScheduled));
  judge.judge_values("state_inputs", values_of(FactKind::kStateEntered));
  judge.judge_values("state_outputs", values_of(FactKind::kStateExited));
}

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
    judge_run(program, *run, judge);
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

namespace {

CaseResult timed(const Case& source, const std::function<void(std::vector<std::string>& differences)>& judge) {
  using Verdict = CaseResult::Verdict;
  if (source.skip) return {Verdict::kSkipped, {*source.skip}, {}};
  CaseResult result;
  const auto started = std::chrono::steady_clock::now();
  judge(result.differences);
  result.took = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - started);
  if (!result.differences.empty()) result.verdict = Verdict::kFailed;
  return result;
}

}  // namespace

CaseResult run_case_by(const RunMachine& run, const Case& source) {
  return timed(source, [&](std::vector<std::string>& differences) { load_and_judge(run, source, differences); });
}

CaseResult run_case(const Case& source, bool prove_rebuild) {
  if (is_workflow(source))
    return timed(source, [&](std::vector<std::string>& differences) {
      run_and_judge_workflow(source, {.restarts = prove_rebuild, .open_store = {}, .on_fact = {}}, differences);
    });
  const auto run = [prove_rebuild](const asl::Program& program, api::ExecutionSetup setup, connect::Router& tasks,
                                   const std::stop_source& stop) {
    setup.prove_rebuild = prove_rebuild;
    return api::run_machine(program, setup, tasks, stop);
  };
  return run_case_by(run, source);
}

}  // namespace pawl::cases
