// Runs a recorded execution in this process.
#include "engine/local_run.h"
#include "json/parse.h"
#include "json/print.h"
#include "lang/asl/context.h"
#include "lang/asl/history.h"
#include "lang/asl/lint.h"
#include "lang/asl/program.h"
#include "run.h"

namespace pawl::conformance {

namespace {

constexpr std::string_view kMachinePlaceholder = "<ArnPart_0idx>";
constexpr std::string_view kArn = "arn:aws:states:us-east-1:111111111111:";

Value context_of(const Recording& recording, const Value& input) {
  const std::string name = machine_name(recording);
  const std::string machine_arn = std::string(kArn) + "stateMachine:" + name;
  const std::string execution_arn =
      std::string(kArn) + (recording.is_express_type ? "express:" + name + ":exec0:0" : "execution:" + name + ":exec0");
  const asl::ContextFacts facts{.execution_arn = execution_arn,
                                .execution_name = "exec0",
                                .role_arn = role_arn(recording),
                                .machine_arn = machine_arn,
                                .machine_name = name,
                                .started = kNow};
  return asl::make_context(facts, input, Value());
}

Result<std::unique_ptr<asl::Program>> compile(const Recording& recording) {
  PAWL_TRY(auto document, json::parse_document(recording.definition_text));
  Diagnostics diagnostics;
  const asl::Definition definition = asl::parse_definition(std::move(document), diagnostics);
  if (has_errors(diagnostics)) return fail(diagnostics.front().code, diagnostics.front().cause);
  return asl::Program::compile(definition, asl::Options{});
}

}  // namespace

// The name that the recorder replaces by its placeholder.
std::string machine_name(const Recording& recording) {
  std::string name = "machine";
  for (const auto& [pattern, replacement] : recording.transformers)
    if (replacement == kMachinePlaceholder) name = pattern;
  return name;
}

// Some recordings were made with a role that no transformer knows.
std::string_view role_arn(const Recording& recording) {
  const bool is_known = recording.kind != RecordingKind::kExecution ||
                        json::print(recording.events.at(0)).find("snf_role_arn") != std::string::npos;
  return is_known ? "arn:aws:iam::111111111111:role/sfn_role" : "arn:aws:iam::111111111111:role/another";
}

Result<Ran> run_locally(const Recording& recording, engine::TaskHandler& tasks) {
  PAWL_TRY(const auto program, compile(recording));
  PAWL_TRY(const Value input, json::parse(recording.input_text));
  engine::LocalRunOptions options;
  options.virtual_time = true;
  options.now = kNow;
  options.execution_name = kExecutionName;
  options.input_text = recording.input_text;
  // The one recording of an activity that was deleted has no calls.
  options.has_activity = [&](std::string_view) { return !recording.calls.empty(); };
  options.prove_rebuild = true;
  PAWL_TRY(auto ran, engine::run_local(*program, input, context_of(recording, input), tasks, options));
  asl::HistoryView view(*program);
  std::vector<Value> events;
  for (const kernel::Fact& fact : ran.facts) {
    Value event = view.event_of(fact);
    if (!event.is_null()) events.push_back(std::move(event));
  }
  return Ran{std::string(name_of(ran.status)), std::move(ran.outcome), std::move(events)};
}

}  // namespace pawl::conformance
