// A definition in any language, made ready to run: the command and the server load definitions here, and nothing else
// of them asks which language it is, but where a protocol is about one.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "graph/graph.h"
#include "json/value.h"
#include "kernel/program.h"
#include "lang/asl/program.h"

namespace pawl::api {

enum class Language : uint8_t { kAsl, kServerless, kSm4c };

std::string_view name_of(Language language);  // "asl"

// What a definition refers to, by the path that it says: schemas, OpenAPI documents. They belong to it: nothing reads
// them again when it runs.
using Files = std::map<std::string, std::string, std::less<>>;

// Gives the text of a file that a definition refers to, by the path that it says.
using ReadFile = std::function<Result<std::string>(std::string_view path)>;

// From files that are at hand. Error: FILE_UNREADABLE.
ReadFile read_from(Files files);

struct DefinitionSource {
  std::string_view text;                 // JSON or YAML
  std::string_view file;                 // what diagnostics name
  std::vector<std::string> assignments;  // KEY=VALUE: the language's options, see docs/options.md
  ReadFile read;                         // empty: the definition may refer to no file
  bool express = false;                  // ASL: of type EXPRESS
  bool shares_assignments = false;       // with definitions of other languages: their options are passed over
};

struct LoadedDefinition {
  std::optional<Language> language;                // none: the text is in no language that Pawl knows
  std::string name;                                // that the text gives it; empty: none
  std::shared_ptr<const kernel::Program> program;  // null where the diagnostics have an error
  std::shared_ptr<const asl::Program> asl;         // the same, where it is ASL
  Diagnostics diagnostics;
  Files files;  // that it refers to, as they were read
};

// Errors are diagnostics: those of lint, DEFINITION_LANGUAGE_UNKNOWN, OPTION_….
LoadedDefinition load_definition(const DefinitionSource& source);

// Everything that can be said of it before it runs; also of a document of KPIs.
Diagnostics lint_definition(const DefinitionSource& source);

// The picture of it, or the errors that stand in its way.
std::expected<graph::Graph, Diagnostics> draw_definition(std::string_view text, std::string_view file);

// The language of a parsed text: ASL has States and StartAt, SM4C has states without types and with what only its
// states have (sm4c::is_state_machine), Serverless Workflow has other states. Where it has neither, the name of its
// file may say (.asl., .sw., .sm4c.); .sm4c. decides in any case.
std::optional<Language> language_of(const json::Value& root, std::string_view file);

}  // namespace pawl::api
