// A definition made ready to run, and one run of it: what the command, the cases and the library share.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "connect/router.h"
#include "engine/local_run.h"
#include "json/parse.h"
#include "lang/asl/options.h"
#include "lang/asl/program.h"

namespace pawl::api {

using json::Value;

struct LoadedMachine {
  std::unique_ptr<asl::Program> program;  // null where the diagnostics have an error
  Diagnostics diagnostics;
};

// What a compiler says, whose `where` is a JSON Pointer, as a finding about the text.
Diagnostic to_diagnostic(const Error& error, std::string_view file, const json::SourceMap& positions);

// Text (JSON or YAML) to a program. `file` is what diagnostics name.
LoadedMachine load_machine(std::string_view text, std::string_view file, const asl::Options& options);

struct ExecutionSetup {
  Value input = Value::empty_object();
  std::string input_text;  // as the user wrote it; empty: as the input prints
  Value context;           // members that replace or add to those of the Context Object; an object or null
  std::string execution_name = "local";
  std::string machine_name = "machine";
  bool virtual_time = false;
  std::optional<Timestamp> now;  // with virtual time: where the clock starts
  kernel::Limits limits;
  uint64_t seed = 0;
  bool prove_rebuild = false;  // see engine::LocalRunOptions
  std::function<void(const kernel::Fact&)> on_fact;
};

// The fixed part of the Context Object.
Value make_context(const ExecutionSetup& setup, Timestamp started);

// Runs to the end. `stop` is the source that `tasks` was made with: it ends the run early.
// Errors: the router's refusal (TASK_NOT_MAPPED, MOCK_EXHAUSTED), RUN_STUCK.
Result<engine::LocalRun> run_machine(const asl::Program& program, const ExecutionSetup& setup, connect::Router& tasks,
                                     const std::stop_source& stop);

// "order" of "flows/order.asl.json": the name of a machine is that of its file up to the first dot.
std::string machine_name_of(std::string_view file);

// The error of a failed execution, each part null where it has none.
struct Failure {
  Value error;
  Value cause;
};
Failure failure_of(const Value& outcome);

}  // namespace pawl::api
