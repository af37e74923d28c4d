#include "judge.h"

#include "engine/local_run.h"
#include "events.h"
#include "json/parse.h"
#include "json/print.h"
#include "lang/asl/context.h"
#include "lang/asl/history.h"
#include "lang/asl/lint.h"
#include "lang/asl/program.h"
#include "normalise.h"
#include "one_answer.h"
#include "replay.h"
#include "test_state.h"

namespace pawl::conformance {

namespace {

// The recorded inputs speak of times around this one.
constexpr Timestamp kNow{std::chrono::sys_days(std::chrono::year(2026) / 11 / 15) + std::chrono::hours(18)};

constexpr std::string_view kMachinePlaceholder = "<ArnPart_0idx>";
constexpr std::string_view kArn = "arn:aws:states:us-east-1:111111111111:";

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

struct Ran {
  engine::LocalRun run;
  std::vector<Value> events;
};

Result<Ran> run(const Recording& recording, engine::TaskHandler& tasks) {
  PAWL_TRY(const auto program, compile(recording));
  PAWL_TRY(const Value input, json::parse(recording.input_text));
  engine::LocalRunOptions options;
  options.virtual_time = true;
  options.now = kNow;
  options.execution_name = "exec0";
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
  return Ran{std::move(ran), std::move(events)};
}

Value member_of(const Value& error, std::string_view key) {
  const Value* found = error.find(key);
  return found == nullptr ? Value() : *found;
}

Ours ours_of(const Ran& ran, const Transformers& transformers) {
  Ours ours;
  ours.status = name_of(ran.run.status);
  if (ran.run.status == kernel::Status::kSucceeded) {
    ours.output = transformers.apply(ran.run.outcome);
  } else {
    ours.error = transformers.apply(member_of(ran.run.outcome, "Error"));
    ours.cause = transformers.apply(unfold(member_of(ran.run.outcome, "Cause")));
  }
  for (const Value& event : ran.events) ours.events.push_back(transformers.apply(unfold_event(event)));
  return ours;
}

void judge_run(const Recording& recording, Agreement& agreement) {
  const Transformers transformers(recording.transformers);
  RecordedTasks tasks(recording.calls, transformers);
  const auto ran = run(recording, tasks);
  if (!ran) {
    agreement.at(Level::kStatus).push_back("it did not run: " + to_string(ran.error()));
    for (const std::string& complaint : tasks.complaints()) agreement.at(Level::kStatus).push_back(complaint);
    return;
  }
  Ours ours = ours_of(*ran, transformers);
  ours.complaints = tasks.complaints();
  compare_end(recording, ours, agreement);
  if (recording.kind == RecordingKind::kExecution) compare_events(recording, ours, agreement);
}

// The one task of an Express execution answers what its end tells: the error that was caught, or the result that the
// last state kept.
engine::TaskAnswer express_answer(const Recording& recording) {
  const Value& output = recording.expect.output;
  if (output.find("Error") != nullptr) return {engine::TaskAnswer::Kind::kFailed, output};
  return engine::TaskAnswer::succeeded(member_of(output, "final"));
}

void judge_express(const Recording& recording, Agreement& agreement) {
  OneAnswer tasks(express_answer(recording));
  const auto ran = run(recording, tasks);
  if (ran)
    compare_end(recording, ours_of(*ran, Transformers(recording.transformers)), agreement);
  else
    agreement.at(Level::kStatus).push_back("it did not run: " + to_string(ran.error()));
}

// --- definitions
// -------------------------------------------------------------------------------------------------------

asl::Options options_of(const Recording& recording) {
  asl::Options options;
  options.express = recording.is_express_type;
  return options;
}

std::string text_at(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

// The part of "Invalid State Machine Definition: '…'" between the quotes, wherever the recorder put it.
std::string words_of_creation(const Value& response) {
  constexpr std::string_view kBefore = "Invalid State Machine Definition: '";
  for (const std::string_view key : {"message", "exception_value"}) {
    const std::string text = text_at(response, key);
    const size_t begin = text.find(kBefore);
    if (begin == std::string::npos) continue;
    const std::string words = text.substr(begin + kBefore.size());
    return words.substr(0, words.rfind('\''));
  }
  return {};
}

void compare_refusal(bool must_refuse, const Diagnostics& diagnostics, Agreement& agreement) {
  const bool refused = has_errors(diagnostics);
  if (refused == must_refuse) return;
  std::string text = std::string("recorded ") + (must_refuse ? "refused" : "accepted") + ", ours ";
  text += refused ? asl::aws_refusal(diagnostics) : "accepted";
  agreement.at(Level::kVerdict).push_back(text);
}

void judge_creation(const Recording& recording, Agreement& agreement) {
  const Diagnostics diagnostics = asl::lint_text(recording.definition_text, "", options_of(recording));
  const bool must_refuse = recording.kind == RecordingKind::kCreateError;
  compare_refusal(must_refuse, diagnostics, agreement);
  if (!must_refuse || !recording.aws_validated) return;
  const std::string recorded = words_of_creation(recording.response);
  const std::string ours = asl::aws_refusal(diagnostics);
  if (recorded != ours) agreement.at(Level::kMessage).push_back("recorded " + recorded + "\n    ours     " + ours);
}

void judge_validation(const Recording& recording, Agreement& agreement) {
  const Value ours = asl::aws_validation(recording.definition_text, options_of(recording));
  const Value recorded = recording.response.without_member("ResponseMetadata");
  if (text_at(recorded, "result") != text_at(ours, "result"))
    agreement.at(Level::kVerdict).push_back("recorded " + json::print(recorded) + ", ours " + json::print(ours));
  agreement.at(Level::kMessage) = differences(recorded, ours);
}

}  // namespace

Agreement judge(const Recording& recording) {
  Agreement agreement;
  switch (recording.kind) {
    case RecordingKind::kExecution:
    case RecordingKind::kChoice:
      judge_run(recording, agreement);
      break;
    case RecordingKind::kValidate:
      judge_validation(recording, agreement);
      break;
    case RecordingKind::kCreateError:
    case RecordingKind::kMustAccept:
      judge_creation(recording, agreement);
      break;
    case RecordingKind::kTestState:
      judge_test_state(recording, agreement);
      break;
    case RecordingKind::kExpress:
      judge_express(recording, agreement);
      break;
  }
  return agreement;
}

}  // namespace pawl::conformance
