// What makes diagnostics of a text.
#include "lang/serverless/lint.h"

#include "lang/serverless/lint/rules.h"
#include "text/diagnostics_format.h"
#include "text/yaml.h"

namespace pawl::serverless {

Definition load(json::Document document, const Options& options, const Files& files, Diagnostics& diagnostics) {
  Definition definition = parse_definition(std::move(document), options, files, diagnostics);
  const bool was_read_whole = !has_errors(diagnostics);
  Findings findings(definition.document.positions, diagnostics);
  check_starts(*definition.workflow, findings);
  // Where a state or a way is missing, what seems unreachable may not be.
  if (was_read_whole) check_flow(*definition.workflow, findings);
  check_names(*definition.workflow, findings);
  text::sort_by_position(diagnostics);
  return definition;
}

Diagnostics lint_document(Result<json::Document> document, const Options& options, const Files& files) {
  if (!document) return {text::to_diagnostic(document.error(), "")};
  Diagnostics diagnostics;
  static_cast<void>(load(*std::move(document), options, files, diagnostics));
  return diagnostics;
}

Diagnostics lint_text(std::string_view text, std::string_view file, const Options& options, const Files& files) {
  Diagnostics diagnostics = lint_document(text::parse_definition(text), options, files);
  for (Diagnostic& diagnostic : diagnostics) diagnostic.file = file;
  return diagnostics;
}

}  // namespace pawl::serverless
