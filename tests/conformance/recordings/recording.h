// One recording: a line of a .jsonl file, sorted by what it records.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace pawl::conformance {

using json::Value;

enum class RecordingKind : uint8_t {
  kExecution,    // definition, input, task calls and the whole history of an execution
  kChoice,       // definition, input and output of a machine that begins with a Choice
  kValidate,     // a definition and what ValidateStateMachineDefinition said of it
  kCreateError,  // a definition that CreateStateMachine refused, and its words
  kMustAccept,   // a definition that AWS accepted
  kTestState,    // a call of TestState
  kExpress,      // a synchronous Express execution
};

// What the recording says of the end.
struct Expectation {
  std::string status;  // "SUCCEEDED"
  Value output;
  Value error;  // null where there is none
  Value cause;
};

// One request to a task, and what came back.
struct RecordedCall {
  std::string state;  // empty where the recording lost it
  Value parameters;   // what the request held
  Value submitted;    // the answer to the request of a task that waits for more; null where there is none
  bool is_submitted = false;
  bool is_answered = true;  // false: it timed out
  bool is_failed = false;
  Value output;
  Value error;
  Value cause;
  int64_t end_event = 0;  // the event that ended it; 0 where the recording lost it
};

struct Recording {
  RecordingKind kind = RecordingKind::kExecution;
  std::string id;
  bool aws_validated = false;
  std::vector<std::string> tags;
  std::string definition_text;
  std::string input_text;
  bool is_express_type = false;
  Value events;    // of an execution, in order
  Value call;      // of TestState: its fields
  Value response;  // of an API call
  Expectation expect;
  std::vector<RecordedCall> calls;
  std::vector<std::pair<std::string, std::string>> transformers;  // pattern, replacement
  std::string left_out;                                           // why it is not run; empty where it is
};

std::string_view name_of(RecordingKind kind);  // "execution"

// Reads all lines of a file. Error: RECORDING_UNREADABLE, with the line.
Result<std::vector<Recording>> load_recordings(const std::string& path);

// Text that a recording holds as JSON text or, where it began with a brace, already parsed.
Value unfold(const Value& recorded);

}  // namespace pawl::conformance
