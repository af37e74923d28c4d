// `pawl run` of a definition that may have events and sub-workflows: on the engine itself, in memory.
#include <cstdio>

#include <unistd.h>

#include "api/fact_json.h"
#include "api/workbench.h"
#include "cli/console.h"
#include "cli/event_file.h"
#include "cli/interrupt.h"
#include "cli/live_line.h"
#include "cli/run_parts.h"
#include "cli/sibling_definitions.h"
#include "json/print.h"

namespace pawl::cli {

namespace {

using json::Value;

// Prints what a run shows while it goes on: facts, produced events, and on a terminal where it is.
class Reporter {
 public:
  explicit Reporter(const RunOptions& options)
      : options_(options), line_(can_redraw() && !(shows_lines() && ::isatty(STDOUT_FILENO) != 0)) {}

  void show_fact(const api::BenchFact& told) {
    if (told.fact.kind == kernel::FactKind::kStateEntered) line_.show_state(told.program.state_name(told.fact.state));
    if (!options_.history) return;
    json::ObjectBuilder line;
    line.set("execution", Value::string(std::string(told.definition) + ":" + std::string(told.name)));
    const Value fact = api::fact_to_json(told.fact, told.seq, told.program);
    for (const json::Member& member : fact.members()) line.set(member.key.as_string(), member.value);
    show(line.build());
  }
  void show_emitted(const Value& event) { show(event); }

 private:
  bool shows_lines() const { return options_.history || options_.emitted; }
  void show(const Value& line) const {
    print_line(json::print(line));
    if (!options_.virtual_time) std::fflush(stdout);  // whoever reads along sees it when it happens
  }

  const RunOptions& options_;
  LiveLine line_;
};

// The output of the one that was started; of a definition that events start, one line for each instance.
int print_results(const std::vector<api::Instance>& instances, bool one_a_line, const RunOptions& options) {
  bool all_succeeded = true;
  for (const api::Instance& instance : instances) {
    if (instance.status == kernel::Status::kRunning) continue;
    const Value result = result_of(instance.status, instance.outcome, options.json);
    if (one_a_line)
      print_line(json::print(result));
    else
      print_value(result);
    all_succeeded = all_succeeded && instance.status == kernel::Status::kSucceeded;
  }
  if (const auto ended = api::check_ended(instances); !ended) return refuse_run(ended.error(), options);
  return finish_output(all_succeeded ? kExitOk : kExitFailed);
}

api::BenchOptions bench_options(const RunOptions& options, const api::ExecutionSetup& setup, const RunTasks& tasks) {
  api::BenchOptions bench;
  bench.virtual_time = options.virtual_time;
  bench.now = setup.now;
  bench.limits = setup.limits;
  bench.seed = setup.seed;
  bench.context = setup.context;
  bench.stop = tasks.stop.get_token();
  return bench;
}

// One instance, as whoever asks for a run wants it; where events start the definition, those of --events do.
Result<void> begin(api::Workbench& bench, const RunOptions& options, const api::ExecutionSetup& setup) {
  if (options.events_file) {
    PAWL_TRY(const auto events, read_event_file(*options.events_file, bench.now()));
    for (const TimedEvent& event : events) bench.publish(event.after, event.event);
  }
  auto started = bench.start_by_rule(setup.input, setup.input_text, setup.execution_name);
  if (!started) started.error().where = options.file;
  return started;
}

// What the run showed, once the files that it needed are no more wanted.
int conclude(const Result<std::vector<api::Instance>>& instances, bool one_a_line, const RunOptions& options,
             const connect::Router& router, const SiblingDefinitions& siblings) {
  if (router.refusal()) return refuse_run(*router.refusal(), options);
  if (!siblings.diagnostics().empty()) {
    report(siblings.diagnostics(), options.json);
    return finish_output(kExitRefused);
  }
  if (!instances) return refuse_run(instances.error(), options);
  return print_results(*instances, one_a_line, options);
}

}  // namespace

int run_workflow(const RunOptions& options, const api::LoadedDefinition& definition) {
  const std::string name = definition.name.empty() ? api::machine_name_of(options.file) : definition.name;
  auto setup = make_run_setup(options, name);
  if (!setup) return refuse_run(setup.error(), options);
  auto tasks = make_run_tasks(options, name);
  if (!tasks) return refuse_run(tasks.error(), options);
  SiblingDefinitions siblings(options, tasks->stop);
  Reporter reporter(options);
  api::BenchOptions shown = bench_options(options, *setup, *tasks);
  shown.on_fact = [&](const api::BenchFact& told) { reporter.show_fact(told); };
  if (options.emitted) shown.on_emitted = [&](const Value& event) { reporter.show_emitted(event); };
  shown.find_definition = [&](std::string_view wanted) { return siblings.find(wanted); };
  api::Workbench bench({name, definition.program}, *tasks->router, std::move(shown));
  const kernel::StartRule rule = definition.program->start_rule();
  if (const auto begun = begin(bench, options, *setup); !begun) return refuse_run(begun.error(), options);
  const InterruptWatcher interrupt(tasks->stop);
  const auto instances = bench.run();
  if (interrupt.signal() != 0) return report_interrupt(interrupt.signal(), options);
  const bool one_a_line = rule.is_event_started() || options.history || options.emitted;
  return conclude(instances, one_a_line, options, *tasks->router, siblings);
}

}  // namespace pawl::cli
