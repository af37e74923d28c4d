#include "api/machine.h"

#include "base/assert.h"
#include "lang/asl/context.h"
#include "lang/asl/lint.h"
#include "lang/asl/model.h"
#include "text/yaml.h"

namespace pawl::api {

namespace {

constexpr std::string_view kArnPrefix = "arn:aws:states:us-east-1:000000000000:";
constexpr std::string_view kRoleArn = "arn:aws:iam::000000000000:role/local";

engine::LocalRunOptions to_options(const ExecutionSetup& setup, Timestamp started, const std::stop_source& stop) {
  engine::LocalRunOptions options;
  options.virtual_time = setup.virtual_time;
  options.now = started;
  options.limits = setup.limits;
  options.seed = setup.seed;
  options.input_text = setup.input_text;
  options.execution_name = setup.execution_name;
  options.prove_rebuild = setup.prove_rebuild;
  options.on_fact = setup.on_fact;
  options.stop = stop.get_token();
  return options;
}

// Lint only warns of what this version cannot run; whoever wants to run it is refused.
void refuse_unsupported(Diagnostics& diagnostics) {
  for (Diagnostic& diagnostic : diagnostics)
    if (diagnostic.code.starts_with("ASL_UNSUPPORTED_")) diagnostic.severity = Severity::kError;
}

}  // namespace

Diagnostic to_diagnostic(const Error& error, std::string_view file, const json::SourceMap& positions) {
  Diagnostic diagnostic;
  diagnostic.code = error.code;
  diagnostic.file = file;
  diagnostic.pointer = error.where.starts_with('/') ? error.where : "";
  diagnostic.position = positions.value_at(diagnostic.pointer);
  diagnostic.cause = error.what;
  diagnostic.fix = error.fix;
  return diagnostic;
}

Value make_context(const ExecutionSetup& setup, Timestamp started) {
  const std::string machine_arn = std::string(kArnPrefix) + "stateMachine:" + setup.machine_name;
  const std::string execution_arn =
      std::string(kArnPrefix) + "execution:" + setup.machine_name + ":" + setup.execution_name;
  asl::ContextFacts facts{execution_arn, setup.execution_name, kRoleArn, machine_arn, setup.machine_name, started};
  return asl::make_context(facts, setup.input, setup.context);
}

LoadedMachine load_machine(std::string_view text, std::string_view file, const asl::Options& options) {
  LoadedMachine loaded{nullptr, asl::lint_text(text, file, options)};
  refuse_unsupported(loaded.diagnostics);
  if (has_errors(loaded.diagnostics)) return loaded;
  auto document = text::parse_definition(text);
  PAWL_ASSERT(document.has_value(), "lint accepted a text that does not parse");
  Diagnostics ignored;  // lint has said them
  const asl::Definition definition = asl::parse_definition(std::move(*document), ignored);
  auto program = asl::Program::compile(definition, options);
  if (program)
    loaded.program = std::move(*program);
  else
    loaded.diagnostics.push_back(to_diagnostic(program.error(), file, definition.document.positions));
  return loaded;
}

Result<engine::LocalRun> run_machine(const asl::Program& program, const ExecutionSetup& setup, connect::Router& tasks,
                                     const std::stop_source& stop) {
  const Timestamp started = setup.virtual_time && setup.now ? *setup.now : SystemClock().now();
  auto run =
      engine::run_local(program, setup.input, make_context(setup, started), tasks, to_options(setup, started, stop));
  if (tasks.refusal()) return std::unexpected(*tasks.refusal());
  return run;
}

std::string machine_name_of(std::string_view file) {
  const std::string_view name = file.substr(file.find_last_of('/') + 1);
  return std::string(name.substr(0, name.find('.')));
}

Failure failure_of(const Value& outcome) {
  Failure failure;
  if (const Value* error = outcome.find("Error")) failure.error = *error;
  if (const Value* cause = outcome.find("Cause")) failure.cause = *cause;
  return failure;
}

}  // namespace pawl::api
