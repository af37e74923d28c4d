#include "recording.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "calls.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::conformance {

namespace {

struct LaterTag {
  std::string_view tag;
  std::string_view reason;
};

// What this version does not run yet. The first that fits is the reason.
constexpr std::array kLater = {
    LaterTag{"jsonata", "JSONata"},
    LaterTag{"item-reader", "ItemReader"},
    LaterTag{"distributed-map", "distributed Map"},
};

std::string text_at(const Value& line, std::string_view key) {
  const Value* found = line.find(key);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

Value value_at(const Value& line, std::string_view key) {
  const Value* found = line.find(key);
  return found == nullptr ? Value() : *found;
}

bool is_true_at(const Value& line, std::string_view key) {
  const Value* found = line.find(key);
  return found != nullptr && found->is_boolean() && found->as_boolean();
}

RecordingKind kind_of(const Value& line) {
  if (line.find("events") != nullptr) return RecordingKind::kExecution;
  if (line.find("States") != nullptr) return RecordingKind::kMustAccept;
  if (line.find("op") != nullptr) return RecordingKind::kCreateError;
  if (line.find("response") == nullptr) return RecordingKind::kChoice;
  if (line.find("call") == nullptr) return RecordingKind::kExpress;
  const Value response = value_at(line, "response");
  return response.find("diagnostics") != nullptr ? RecordingKind::kValidate : RecordingKind::kTestState;
}

void read_common(const Value& line, Recording& recording) {
  recording.id = text_at(line, "id");
  recording.aws_validated = is_true_at(line, "aws_validated");
  recording.definition_text = text_at(line, "definition_text");
  recording.input_text = text_at(line, "input_text");
  recording.response = value_at(line, "response");
  const Value tags = value_at(line, "tags");
  if (tags.is_array())
    for (const Value& tag : tags.items()) recording.tags.emplace_back(tag.as_string());
  const Value transformers = value_at(line, "transformers");
  if (transformers.is_array())
    for (const Value& pair : transformers.items())
      recording.transformers.emplace_back(pair.at(0).as_string(), pair.at(1).as_string());
}

// A history may be recorded from its end to its beginning.
Value in_order(const Value& events) {
  const bool is_reversed = events.size() > 1 && value_at(events.at(0), "id").as_integer().value_or(0) > 1;
  if (!is_reversed) return events;
  json::ArrayBuilder reversed(events.size());
  for (size_t i = events.size(); i > 0; --i) reversed.push(events.at(i - 1));
  return reversed.build();
}

// From the last event: the recording's own summary is of the event that came last in the file.
Expectation expectation_of(const Value& events) {
  const Value& last = events.at(events.size() - 1);
  const std::string type = text_at(last, "type");
  Expectation expect;
  expect.status = type == "ExecutionSucceeded"  ? "SUCCEEDED"
                  : type == "ExecutionFailed"   ? "FAILED"
                  : type == "ExecutionTimedOut" ? "TIMED_OUT"
                                                : "ABORTED";
  for (const json::Member& member : last.members()) {
    if (!member.key.as_string().ends_with("EventDetails")) continue;
    expect.output = unfold(value_at(member.value, "output"));
    expect.error = value_at(member.value, "error");
    expect.cause = value_at(member.value, "cause");
  }
  return expect;
}

std::string reason_to_leave_out(const Recording& recording) {
  for (const LaterTag& later : kLater)
    if (std::ranges::find(recording.tags, later.tag) != recording.tags.end()) return std::string(later.reason);
  if (recording.definition_text.find("\"ResultWriter\"") != std::string::npos) return "ResultWriter";
  return {};
}

void read_execution(const Value& line, Recording& recording) {
  recording.events = in_order(value_at(line, "events"));
  recording.expect = expectation_of(recording.events);
  recording.calls = read_calls(value_at(line, "task_calls"), recording.events);
  recording.left_out = reason_to_leave_out(recording);
}

void read_choice(const Value& line, Recording& recording) {
  recording.tags = {"choice"};
  recording.definition_text = json::print(value_at(line, "definition"));
  recording.input_text = json::print(value_at(line, "input"));
  recording.expect.status = "SUCCEEDED";
  recording.expect.output = value_at(line, "output");
}

void read_call(const Value& line, std::string_view arguments, std::string_view tag, Recording& recording) {
  const Value call = value_at(line, arguments);
  recording.tags = {std::string(tag)};
  recording.definition_text = text_at(call, "definition");
  recording.is_express_type = text_at(call, "type") == "EXPRESS";
}

void read_must_accept(const Value& line, size_t number, Recording& recording) {
  recording.definition_text = json::print(line);
  recording.id = "accepted definition " + std::to_string(number) + ": " + text_at(line, "Comment");
  recording.aws_validated = true;
  const bool is_jsonata = recording.definition_text.find("\"JSONata\"") != std::string::npos;
  recording.tags = {is_jsonata ? "must-accept-jsonata" : "must-accept"};
}

// A refusal is the same whatever language the state is written in.
void read_test_state(const Value& line, Recording& recording) {
  read_call(line, "call", "teststate", recording);
  recording.call = value_at(line, "call");
  const bool is_jsonata = recording.definition_text.find("\"JSONata\"") != std::string::npos;
  const bool is_answered = recording.response.find("status") != nullptr;
  if (is_jsonata) recording.tags = {"teststate-jsonata"};
  if (is_jsonata && is_answered) recording.left_out = "JSONata";
}

void read_express(const Value& line, Recording& recording) {
  recording.tags = {"express"};
  recording.definition_text = json::print(value_at(line, "definition"));
  recording.is_express_type = true;
  recording.expect.status = text_at(recording.response, "status");
  recording.expect.output = value_at(recording.response, "output");
  recording.expect.error = value_at(recording.response, "error");
  recording.expect.cause = value_at(recording.response, "cause");
}

Recording read_line(const Value& line, size_t number) {
  Recording recording;
  recording.kind = kind_of(line);
  read_common(line, recording);
  switch (recording.kind) {
    case RecordingKind::kExecution:
      read_execution(line, recording);
      break;
    case RecordingKind::kChoice:
      read_choice(line, recording);
      break;
    case RecordingKind::kValidate:
      read_call(line, "call", "validate", recording);
      break;
    case RecordingKind::kCreateError:
      read_call(line, "args", "create-error", recording);
      break;
    case RecordingKind::kMustAccept:
      read_must_accept(line, number, recording);
      break;
    case RecordingKind::kTestState:
      read_test_state(line, recording);
      break;
    case RecordingKind::kExpress:
      read_express(line, recording);
      break;
  }
  return recording;
}

}  // namespace

std::string_view name_of(RecordingKind kind) {
  switch (kind) {
    case RecordingKind::kExecution:
      return "execution";
    case RecordingKind::kChoice:
      return "choice";
    case RecordingKind::kValidate:
      return "validate";
    case RecordingKind::kCreateError:
      return "create error";
    case RecordingKind::kMustAccept:
      return "must accept";
    case RecordingKind::kTestState:
      return "test state";
    case RecordingKind::kExpress:
      return "express";
  }
  return "unknown";
}

Value unfold(const Value& recorded) {
  if (!recorded.is_string()) return recorded;
  const auto parsed = json::parse(recorded.as_string());
  return parsed ? *parsed : recorded;
}

Result<std::vector<Recording>> load_recordings(const std::string& path) {
  std::ifstream file(path);
  if (!file) return fail("RECORDING_UNREADABLE", "The file cannot be opened.", "Name a .jsonl file.", path);
  std::vector<Recording> recordings;
  std::string text;
  for (size_t number = 1; std::getline(file, text); ++number) {
    if (text.empty()) continue;
    const auto line = json::parse(text);
    if (!line)
      return fail("RECORDING_UNREADABLE", line.error().what, "Each line is one JSON object.",
                  path + ":" + std::to_string(number));
    recordings.push_back(read_line(*line, number));
  }
  return recordings;
}

}  // namespace pawl::conformance
