#include "judge.h"

#include "events.h"
#include "json/print.h"
#include "lang/asl/lint.h"
#include "normalise.h"
#include "one_answer.h"
#include "replay.h"
#include "run.h"
#include "test_state.h"

namespace pawl::conformance {

namespace {

Value member_of(const Value& error, std::string_view key) {
  const Value* found = error.find(key);
  return found == nullptr ? Value() : *found;
}

Ours ours_of(const Ran& ran, const Transformers& transformers) {
  Ours ours;
  ours.status = ran.status;
  if (ran.status == "SUCCEEDED") {
    ours.output = transformers.apply(ran.outcome);
  } else {
    ours.error = transformers.apply(member_of(ran.outcome, "Error"));
    ours.cause = transformers.apply(unfold(member_of(ran.outcome, "Cause")));
  }
  for (const Value& event : ran.events) ours.events.push_back(transformers.apply(unfold_event(event)));
  return ours;
}

void judge_run(const Recording& recording, Runner run, Agreement& agreement) {
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
  const auto ran = run_locally(recording, tasks);
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

Agreement judge(const Recording& recording, Runner run) {
  Agreement agreement;
  switch (recording.kind) {
    case RecordingKind::kExecution:
    case RecordingKind::kChoice:
      judge_run(recording, run, agreement);
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
