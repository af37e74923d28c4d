#include "api/definition.h"

#include <set>

#include "api/machine.h"
#include "lang/asl/graph.h"
#include "lang/asl/lint.h"
#include "lang/asl/model.h"
#include "lang/serverless/graph.h"
#include "lang/serverless/kpi.h"
#include "lang/serverless/lint.h"
#include "lang/serverless/model.h"
#include "lang/serverless/program.h"
#include "lang/sm4c/graph.h"
#include "lang/sm4c/lint.h"
#include "lang/sm4c/program.h"
#include "text/diagnostics_format.h"
#include "text/yaml.h"

namespace pawl::api {

namespace {

using json::Value;

constexpr size_t kFilesMax = 1000;  // that a definition refers to

Diagnostic unknown_language(std::string_view file) {
  Diagnostic diagnostic;
  diagnostic.code = "DEFINITION_LANGUAGE_UNKNOWN";
  diagnostic.file = file;
  diagnostic.position = {1, 1};
  diagnostic.cause = "The text is in none of the Amazon States Language, Serverless Workflow and SM4C.";
  diagnostic.fix = "Give it StartAt and States, or an id or a name and states.";
  return diagnostic;
}

Diagnostic wrong_option(const Error& error, std::string_view file) {
  Diagnostic diagnostic = text::to_diagnostic(error, file);
  diagnostic.file = "--set";
  return diagnostic;
}

bool is_option_of_some_language(const std::string& assignment) {
  return asl::Options().set(assignment) || serverless::Options().set(assignment) || sm4c::Options().set(assignment);
}

template <typename Options>
std::expected<Options, Diagnostic> read_options(const DefinitionSource& source) {
  Options options;
  for (const std::string& assignment : source.assignments) {
    const auto set = options.set(assignment);
    if (set || (source.shares_assignments && is_option_of_some_language(assignment))) continue;
    return std::unexpected(wrong_option(set.error(), source.file));
  }
  return options;
}

std::expected<asl::Options, Diagnostic> asl_options(const DefinitionSource& source) {
  auto options = read_options<asl::Options>(source);
  if (options) options->express |= source.express;
  return options;
}

LoadedDefinition load_asl(const DefinitionSource& source) {
  LoadedDefinition loaded;
  loaded.language = Language::kAsl;
  const auto options = asl_options(source);
  if (!options) {
    loaded.diagnostics.push_back(options.error());
    return loaded;
  }
  LoadedMachine machine = load_machine(source.text, source.file, *options);
  loaded.diagnostics = std::move(machine.diagnostics);
  loaded.asl = std::move(machine.program);
  loaded.program = loaded.asl;
  return loaded;
}

Diagnostics lint_asl(const DefinitionSource& source) {
  const auto options = asl_options(source);
  if (!options) return {options.error()};
  return asl::lint_text(source.text, source.file, *options);
}

std::expected<graph::Graph, Diagnostics> draw_asl(std::string_view text, std::string_view file) {
  Diagnostics diagnostics;
  const asl::Definition definition = asl::parse_definition(*text::parse_definition(text), diagnostics);
  for (Diagnostic& diagnostic : diagnostics) diagnostic.file = file;
  if (has_errors(diagnostics)) return std::unexpected(std::move(diagnostics));
  return asl::draw(definition);
}

// --- Languages whose definitions refer to files

// Everything that a definition refers to, also by way of its files. What cannot be read is left out: lint says where it
// is missed. referred(files) gives the paths that are known, with these files at hand.
template <typename Referred>
Files read_files(const DefinitionSource& source, Referred referred) {
  Files files;
  if (!source.read) return files;
  std::set<std::string, std::less<>> tried;
  for (size_t before = 0;; before = tried.size()) {
    for (const std::string& path : referred(files)) {
      if (tried.size() >= kFilesMax || !tried.insert(path).second) continue;
      if (auto text = source.read(path)) files.emplace(path, *std::move(text));
    }
    if (tried.size() == before) return files;
  }
}

// A definition in a language whose definitions refer to files; an empty one where the options are wrong.
template <typename Options, typename Definition>
struct ReadDefinition {
  Options options;
  Definition definition;
  Files files;
  Diagnostics diagnostics;
};

// referred(root, files) gives the paths of files, load(document, options, files, diagnostics) the definition.
template <typename Options, typename Definition, typename Referred, typename Load>
ReadDefinition<Options, Definition> read_definition(const DefinitionSource& source, Referred referred, Load load) {
  ReadDefinition<Options, Definition> read;
  const auto options = read_options<Options>(source);
  if (!options) {
    read.diagnostics.push_back(options.error());
    return read;
  }
  read.options = *options;
  json::Document document = *text::parse_definition(source.text);
  read.files = read_files(source, [&](const Files& files) { return referred(document.root, files); });
  read.definition = load(std::move(document), read.options, read.files, read.diagnostics);
  for (Diagnostic& diagnostic : read.diagnostics) diagnostic.file = source.file;
  return read;
}

// --- Serverless Workflow

using ReadWorkflow = ReadDefinition<serverless::Options, serverless::Definition>;

ReadWorkflow read_workflow(const DefinitionSource& source) {
  return read_definition<serverless::Options, serverless::Definition>(source, serverless::referred_files,
                                                                      serverless::load);
}

LoadedDefinition load_serverless(const DefinitionSource& source) {
  ReadWorkflow read = read_workflow(source);
  LoadedDefinition loaded;
  loaded.language = Language::kServerless;
  loaded.files = std::move(read.files);
  loaded.diagnostics = std::move(read.diagnostics);
  if (has_errors(loaded.diagnostics)) return loaded;
  loaded.name = read.definition.workflow->id;
  auto program = serverless::Program::compile(read.definition.workflow, read.options);
  if (program)
    loaded.program = *std::move(program);
  else
    loaded.diagnostics.push_back(to_diagnostic(program.error(), source.file, read.definition.document.positions));
  return loaded;
}

std::expected<graph::Graph, Diagnostics> draw_serverless(std::string_view text, std::string_view file) {
  ReadWorkflow read = read_workflow({.text = text, .file = file, .assignments = {}, .read = {}});
  if (read.definition.workflow == nullptr || read.definition.workflow->states.empty())
    return std::unexpected(std::move(read.diagnostics));
  return serverless::draw(read.definition);
}

// --- SM4C

using ReadStateMachine = ReadDefinition<sm4c::Options, sm4c::Definition>;

ReadStateMachine read_state_machine(const DefinitionSource& source) {
  return read_definition<sm4c::Options, sm4c::Definition>(source, sm4c::referred_files, sm4c::load);
}

LoadedDefinition load_sm4c(const DefinitionSource& source) {
  ReadStateMachine read = read_state_machine(source);
  LoadedDefinition loaded;
  loaded.language = Language::kSm4c;
  loaded.files = std::move(read.files);
  loaded.diagnostics = std::move(read.diagnostics);
  if (has_errors(loaded.diagnostics)) return loaded;
  loaded.name = read.definition.machine->deployed_name();
  loaded.program = std::make_shared<sm4c::Program>(read.definition.machine, read.options);
  return loaded;
}

std::expected<graph::Graph, Diagnostics> draw_sm4c(std::string_view text, std::string_view file) {
  ReadStateMachine read = read_state_machine({.text = text, .file = file, .assignments = {}, .read = {}});
  if (read.definition.machine == nullptr || read.definition.machine->states.empty())
    return std::unexpected(std::move(read.diagnostics));
  return sm4c::draw(*read.definition.machine);
}

// --- any language

// What can be told without a language; nothing where the text says which one it is in.
struct Detected {
  std::optional<Language> language;
  Diagnostics diagnostics;
};

// A text that cannot be parsed is refused in the same words in every language.
Detected detect(const DefinitionSource& source) {
  const auto document = text::parse_definition(source.text);
  if (!document) return {std::nullopt, {text::to_diagnostic(document.error(), source.file)}};
  const auto language = language_of(document->root, source.file);
  if (!language) return {std::nullopt, {unknown_language(source.file)}};
  return {language, {}};
}

}  // namespace

std::string_view name_of(Language language) {
  switch (language) {
    case Language::kAsl:
      return "asl";
    case Language::kServerless:
      return "serverless";
    case Language::kSm4c:
      return "sm4c";
  }
  return "";
}

std::optional<Language> language_of(const Value& root, std::string_view file) {
  const std::string_view name = file.substr(file.find_last_of('/') + 1);
  if (name.contains(".sm4c.")) return Language::kSm4c;
  if (root.find("States") != nullptr || root.find("StartAt") != nullptr) return Language::kAsl;
  if (sm4c::is_state_machine(root)) return Language::kSm4c;
  if (root.find("states") != nullptr) return Language::kServerless;
  if (name.contains(".asl.")) return Language::kAsl;
  if (name.contains(".sw.")) return Language::kServerless;
  return std::nullopt;
}

LoadedDefinition load_definition(const DefinitionSource& source) {
  Detected detected = detect(source);
  if (!detected.language) {
    LoadedDefinition unknown;
    unknown.diagnostics = std::move(detected.diagnostics);
    return unknown;
  }
  switch (*detected.language) {
    case Language::kAsl:
      return load_asl(source);
    case Language::kServerless:
      return load_serverless(source);
    case Language::kSm4c:
      return load_sm4c(source);
  }
  return {};
}

namespace {

// A document of KPIs is about a definition, and none itself: it can be linted, and not run.
std::optional<Diagnostics> lint_kpis(const DefinitionSource& source) {
  const auto document = text::parse_definition(source.text);
  if (!document || !serverless::is_kpi_document(document->root)) return std::nullopt;
  Diagnostics diagnostics;
  static_cast<void>(serverless::read_kpis(*document, diagnostics));
  for (Diagnostic& diagnostic : diagnostics) diagnostic.file = source.file;
  return diagnostics;
}

}  // namespace

Diagnostics lint_definition(const DefinitionSource& source) {
  if (auto kpis = lint_kpis(source)) return *std::move(kpis);
  Detected detected = detect(source);
  if (!detected.language) return std::move(detected.diagnostics);
  switch (*detected.language) {
    case Language::kAsl:
      return lint_asl(source);
    case Language::kServerless:
      return read_workflow(source).diagnostics;
    case Language::kSm4c:
      return read_state_machine(source).diagnostics;
  }
  return {};
}

std::expected<graph::Graph, Diagnostics> draw_definition(std::string_view text, std::string_view file) {
  Detected detected = detect({.text = text, .file = file, .assignments = {}, .read = {}});
  if (!detected.language) return std::unexpected(std::move(detected.diagnostics));
  switch (*detected.language) {
    case Language::kAsl:
      return draw_asl(text, file);
    case Language::kServerless:
      return draw_serverless(text, file);
    case Language::kSm4c:
      return draw_sm4c(text, file);
  }
  return {};
}

ReadFile read_from(Files files) {
  return [files = std::move(files)](std::string_view path) -> Result<std::string> {
    const auto found = files.find(path);
    if (found != files.end()) return found->second;
    return fail("FILE_UNREADABLE", "The file was not given with the definition.", "Deploy it with the definition.",
                std::string(path));
  };
}

}  // namespace pawl::api
