// The walk over a definition that applies the rules, and what makes diagnostics of a text.
#include "lang/asl/lint.h"

#include <charconv>
#include <utility>

#include "lang/asl/lint/objects.h"
#include "lang/asl/lint/rules.h"
#include "lang/asl/lint/values.h"
#include "text/yaml.h"

namespace pawl::asl {
namespace {

// Walks the machines of a definition and applies every rule to each part once.
class Linter {
 public:
  Linter(const Definition& definition, const Options& options, Findings& findings)
      : definition_(definition),
        language_(language_of(definition.machine.source, Language::kJsonPath)),
        context_{.findings = findings, .options = options, .language = language_, .express = options.express} {}

  void run() {
    const Machine& machine = definition_.machine;
    if (!machine.source.is_object()) return;
    check_unsupported(machine, context_);
    names_ = check_names(machine, context_);
    check_top(machine);
    check_machine(machine, machine_shape());
  }

 private:
  void check_top(const Machine& machine) {
    const Place place(machine.pointer);
    check_query_language(machine.source, place);
    const Value* version = machine.source.find("Version");
    if (version != nullptr && version->is_string() && version->as_string() != "1.0")
      context_.findings.report(Code::kVersion, Place(place, "Version"),
                               quoted(version->as_string()) + " is no version of the language.",
                               "Write \"1.0\", or leave \"Version\" out.");
  }

  void check_machine(const Machine& machine, const Shape& shape) {
    context_.language = language_;
    check_object(machine.source, shape, Place(machine.pointer), context_);
    for (const State& state : machine.states) {
      if (context_.findings.full()) return;
      check_state(state);
      check_inner(state);
    }
    check_flow(machine, names_, context_);
  }

  void check_state(const State& state) {
    const Place place(state.pointer);
    context_.type = state.type;
    context_.language = language_of(state.source, language_);
    check_query_language(state.source, place);
    check_object(state.source, state_shape(), place, context_);
    check_next_or_end(state, place, context_);
    check_by_type(state, place);
  }

  void check_by_type(const State& state, const Place& place) {
    switch (state.type) {
      case StateType::kPass:
        return check_pass(state, place);
      case StateType::kWait:
      case StateType::kSucceed:
        return;
      case StateType::kTask:
        check_task(state, place, context_);
        return check_retry_and_catch(state, place, context_);
      case StateType::kChoice:
        return check_choices(state, place, context_);
      case StateType::kFail:
        return check_fail(state, place);
      case StateType::kParallel:
        check_branches(state, place);
        return check_retry_and_catch(state, place, context_);
      case StateType::kMap:
        check_map(state, place, context_);
        return check_retry_and_catch(state, place, context_);
    }
  }

  void check_query_language(const Value& source, const Place& place) {
    const Value* language = source.find("QueryLanguage");
    if (language == nullptr || !language->is_string()) return;
    const Place here(place, "QueryLanguage");
    const std::string_view name = language->as_string();
    if (name != "JSONata" && name != "JSONPath")
      context_.findings.report(Code::kInvalidValue, here, one_of_these("QueryLanguage", {"JSONPath", "JSONata"}),
                               "Use \"JSONPath\" or \"JSONata\".");
    else if (name == "JSONPath" && language_ == Language::kJsonata)
      context_.findings.report(Code::kQueryLanguage, here,
                               "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine",
                               "Take \"QueryLanguage\" off the machine and give it to the states that use JSONata.");
  }

  void check_pass(const State& state, const Place& place) {
    const Value* result = state.source.find("Result");
    if (result != nullptr) check_static_result(*result, Place(place, "Result"), context_);
  }

  void check_fail(const State& state, const Place& place) {
    std::vector<std::string_view> missing;
    for (const auto& [field, path] : {std::pair{"Error", "ErrorPath"}, std::pair{"Cause", "CausePath"}})
      if (state.source.find(field) == nullptr && state.source.find(path) == nullptr) missing.push_back(field);
    if (!missing.empty())
      context_.findings.report(
          Code::kFailWithoutErrorOrCause, place, "The Fail says nothing by these fields: " + listed(missing),
          "Add them, so that whoever looks at the execution knows why it failed.", Findings::At::kKey);
  }

  void check_branches(const State& state, const Place& place) {
    const Value* branches = state.source.find("Branches");
    if (branches != nullptr && branches->is_array() && branches->size() == 0)
      context_.findings.report(Code::kEmpty, Place(place, "Branches"), "Value cannot be empty", "Add a branch.");
  }

  void check_inner(const State& state) {
    const bool express_outside = context_.express;
    for (const auto& inner : state.machines) {
      context_.express = express_outside || runs_as_express(*inner);
      check_machine(*inner, state.type == StateType::kMap ? processor_shape() : branch_shape());
    }
    context_.express = express_outside;
  }

  static bool runs_as_express(const Machine& processor) {
    const Value* config = processor.source.find("ProcessorConfig");
    const Value* type = config == nullptr ? nullptr : config->find("ExecutionType");
    return type != nullptr && type->is_string() && type->as_string() == "EXPRESS";
  }

  const Definition& definition_;
  const Language language_;  // the whole definition's: the one that every state begins with
  Context context_;
  StateNames names_;
};

// The parsers give the place of an error as "line:column".
Position position_of(std::string_view where) {
  Position position;
  const char* end = where.data() + where.size();
  const auto [colon, failure] = std::from_chars(where.data(), end, position.line);
  if (failure == std::errc() && colon != end) std::from_chars(colon + 1, end, position.column);
  return position;
}

Diagnostic unreadable(const Error& error) {
  return {.severity = Severity::kError,
          .code = error.code,
          .file = {},
          .position = position_of(error.where),
          .pointer = "",
          .cause = error.what,
          .fix = error.fix};
}

}  // namespace

Diagnostics lint_document(Result<json::Document> document, const Options& options) {
  Diagnostics diagnostics;
  if (!document) return {unreadable(document.error())};
  const Definition definition = parse_definition(*std::move(document), diagnostics);
  lint(definition, options, diagnostics);
  text::sort_by_position(diagnostics);
  return diagnostics;
}

Diagnostics lint_text(std::string_view text, std::string_view file, const Options& options) {
  Diagnostics diagnostics = lint_document(text::parse_definition(text), options);
  for (Diagnostic& diagnostic : diagnostics) diagnostic.file = file;
  return diagnostics;
}

void lint(const Definition& definition, const Options& options, Diagnostics& diagnostics) {
  Findings findings(definition.document.positions, diagnostics);
  Linter(definition, options, findings).run();
}

Diagnostics unsupported_features(const Definition& definition) {
  Diagnostics diagnostics;
  Findings findings(definition.document.positions, diagnostics);
  const Options options;
  Context context{.findings = findings, .options = options};
  if (definition.machine.source.is_object()) check_unsupported(definition.machine, context);
  return diagnostics;
}

}  // namespace pawl::asl
