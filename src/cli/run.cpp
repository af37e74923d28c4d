// `pawl run`: one execution, in this process, to its end.
#include <cstdio>

#include <unistd.h>

#include "api/definition.h"
#include "api/machine.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/live_line.h"
#include "cli/run_parts.h"
#include "json/print.h"
#include "lang/asl/history.h"

namespace pawl::cli {

namespace {

using json::Value;

// Prints what a run shows while it goes on.
class Reporter {
 public:
  Reporter(const asl::Program& program, const RunOptions& options)
      : program_(program),
        options_(options),
        history_(program),
        line_(can_redraw() && !(options.history && ::isatty(STDOUT_FILENO) != 0)) {}

  void show(const kernel::Fact& fact) {
    if (fact.kind == kernel::FactKind::kStateEntered) line_.show_state(program_.state_name(fact.state));
    if (!options_.history) return;
    const Value event = history_.event_of(fact);
    if (!event.is_object()) return;
    print_line(json::print(event));
    if (!options_.virtual_time) std::fflush(stdout);  // whoever reads along sees it when it happens
  }

 private:
  const asl::Program& program_;
  const RunOptions& options_;
  asl::HistoryView history_;
  LiveLine line_;
};

Result<engine::LocalRun> execute(const asl::Program& program, const RunOptions& options, api::ExecutionSetup setup,
                                 RunTasks& tasks) {
  Reporter reporter(program, options);
  setup.on_fact = [&](const kernel::Fact& fact) { reporter.show(fact); };
  return api::run_machine(program, setup, *tasks.router, tasks.stop);
}

int conclude(const Result<engine::LocalRun>& run, const RunOptions& options, int signal) {
  if (signal != 0) return report_interrupt(signal, options);
  if (!run) return refuse_run(run.error(), options);
  const Value result = result_of(run->status, run->outcome, options.json);
  if (options.history)
    print_line(json::print(result));
  else
    print_value(result);
  return finish_output(run->status == kernel::Status::kSucceeded ? kExitOk : kExitFailed);
}

// A single execution without events needs no engine, and begins faster without one.
int run_asl(const RunOptions& options, const asl::Program& program) {
  const std::string name = api::machine_name_of(options.file);
  auto setup = make_run_setup(options, name);
  if (!setup) return refuse_run(setup.error(), options);
  auto tasks = make_run_tasks(options, name);
  if (!tasks) return refuse_run(tasks.error(), options);
  const InterruptWatcher interrupt(tasks->stop);
  const auto outcome = execute(program, options, std::move(*setup), *tasks);
  return conclude(outcome, options, interrupt.signal());
}

}  // namespace

int run(const RunOptions& options) {
  const auto text = read_file(options.file, kDefinitionBytesMax);
  if (!text) return refuse_run(text.error(), options);
  const api::LoadedDefinition definition =
      api::load_definition({.text = *text,
                            .file = options.file,
                            .assignments = options.assignments,
                            .read = read_beside(options.file, elsewhere_of(options))});
  if (definition.program == nullptr) {
    report(definition.diagnostics, options.json);
    return kExitRefused;
  }
  return definition.asl != nullptr ? run_asl(options, *definition.asl) : run_workflow(options, definition);
}

}  // namespace pawl::cli
