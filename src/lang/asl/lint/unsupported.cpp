// What a definition asks for and Pawl cannot run yet. Lint warns of it, a run refuses it.
#include <string>

#include "lang/asl/lint/rules.h"

namespace pawl::asl {
namespace {

constexpr std::string_view kQueryLanguage = "QueryLanguage";

void report(Code code, const Place& place, std::string_view what, Context& context) {
  context.findings.report(code, place, std::string(what) + " is not supported yet: the definition cannot be run.",
                          "Write the state without it.", Findings::At::kKey);
}

// A machine in JSONata is said once, not of each state.
void check_language(const Value& source, Language inherited, const Place& place, Context& context) {
  if (inherited == Language::kJsonPath && language_of(source, inherited) == Language::kJsonata)
    report(Code::kUnsupportedJsonata, Place(place, kQueryLanguage), "JSONata", context);
}

void check_distributed(const Machine& processor, Context& context) {
  const Value* config = processor.source.find("ProcessorConfig");
  const Value* mode = config == nullptr ? nullptr : config->find("Mode");
  if (mode == nullptr || !mode->is_string() || mode->as_string() != "DISTRIBUTED") return;
  const Place outer(processor.pointer);
  const Place inner(outer, "ProcessorConfig");
  report(Code::kUnsupportedDistributedMap, Place(inner, "Mode"), "A distributed Map", context);
}

void check_states(const Machine& machine, Language language, Context& context) {
  for (const State& state : machine.states) {
    if (context.findings.full()) return;
    const Place place(state.pointer);
    check_language(state.source, language, place, context);
    if (state.type == StateType::kMap) {
      if (state.source.find("ItemReader") != nullptr)
        report(Code::kUnsupportedItemReader, Place(place, "ItemReader"), "An ItemReader", context);
      if (state.source.find("ResultWriter") != nullptr)
        report(Code::kUnsupportedResultWriter, Place(place, "ResultWriter"), "A ResultWriter", context);
      for (const auto& processor : state.machines) check_distributed(*processor, context);
    }
    for (const auto& inner : state.machines) check_states(*inner, language, context);
  }
}

}  // namespace

void check_unsupported(const Machine& machine, Context& context) {
  check_language(machine.source, Language::kJsonPath, Place(machine.pointer), context);
  check_states(machine, language_of(machine.source, Language::kJsonPath), context);
}

Language language_of(const Value& source, Language inherited) {
  const Value* language = source.find(kQueryLanguage);
  if (language == nullptr || !language->is_string()) return inherited;
  return language->as_string() == "JSONata" ? Language::kJsonata : Language::kJsonPath;
}

}  // namespace pawl::asl
