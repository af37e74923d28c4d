// What makes diagnostics of a text.
#include "lang/sm4c/lint.h"

#include "lang/sm4c/lint/rules.h"
#include "text/diagnostics_format.h"
#include "text/yaml.h"

namespace pawl::sm4c {

Definition load(json::Document document, const Options& options, const Files& files, Diagnostics& diagnostics) {
  Definition definition = parse_definition(std::move(document), options, files, diagnostics);
  const StateMachine& machine = *definition.machine;
  const bool was_read_whole = !has_errors(diagnostics);
  Findings findings(definition.document.positions, diagnostics);
  if (!machine.states.empty()) check_starts(machine, findings);
  // Where a part is missing, what seems wrong with the whole may not be.
  if (was_read_whole) {
    check_transitions(machine, findings);
    check_flow(machine, findings);
    check_values(machine, options, findings);
  }
  text::sort_by_position(diagnostics);
  return definition;
}

Diagnostics lint_text(std::string_view text, std::string_view file, const Options& options, const Files& files) {
  auto document = text::parse_definition(text);
  if (!document) return {text::to_diagnostic(document.error(), file)};
  Diagnostics diagnostics;
  static_cast<void>(load(*std::move(document), options, files, diagnostics));
  for (Diagnostic& diagnostic : diagnostics) diagnostic.file = file;
  return diagnostics;
}

}  // namespace pawl::sm4c
