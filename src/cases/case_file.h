// A file of cases: definitions, what goes in, how tasks behave and what must come out. docs/testing.md describes the
// format.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/definition.h"
#include "base/result.h"
#include "base/time.h"
#include "connect/mocks.h"
#include "json/value.h"
#include "kernel/turn.h"

namespace pawl::cases {

using json::Value;

// A CloudEvent, and when it comes, counted from the start of the run.
struct CaseEvent {
  Duration after{0};
  Value event;
};

// A definition that the case's own may start.
struct SubDefinition {
  std::string text;
  std::string file;  // what diagnostics call it; the States Language names a machine by it
};

struct Case {
  std::string name;
  std::string cites;
  std::string definition;       // its text
  std::string definition_name;  // what diagnostics call it
  std::string machine_name;
  std::vector<std::string> assignments;  // "errors=spec"
  std::vector<SubDefinition> definitions;
  std::vector<CaseEvent> events;
  Value input = Value::empty_object();
  std::string input_text;  // where its spelling matters
  Value context;
  Timestamp now{};
  uint64_t seed = 0;
  connect::MockPlan mocks;
  kernel::Limits limits;
  std::optional<std::string> skip;  // the reason
  Value expect;                     // an object; its fields are of the kinds that docs/testing.md names
};

struct CaseFile {
  std::string name;  // as the user named it
  std::vector<Case> cases;
};

// Reads what a definition refers to, relative to its own file. Error: CASE_UNREADABLE.
api::ReadFile read_beside(const std::string& definition);

// Errors: CASE_UNREADABLE, CASE_UNKNOWN_FIELD, CASE_INVALID, and those of the parsers; `where` is file:line:column and
// a pointer.
Result<CaseFile> read_case_file(const std::string& path);

// As read_case_file, of a text; definition files are looked up relative to `path`.
Result<CaseFile> parse_case_file(std::string_view text, const std::string& path);

}  // namespace pawl::cases
