// `pawl lint`: what can be said of definitions before they run.
#include "api/definition.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/findings.h"

namespace pawl::cli {

namespace {

size_t count(const Diagnostics& diagnostics, Severity severity) {
  size_t number = 0;
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == severity) ++number;
  return number;
}

std::string counted(size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

int exit_code(const Diagnostics& diagnostics, bool strict) {
  if (has_errors(diagnostics)) return kExitRefused;
  return strict && !diagnostics.empty() ? kExitFailed : kExitOk;
}

}  // namespace

int lint(const LintOptions& options) {
  const bool json = options.format != "text";
  Diagnostics findings;
  bool all_read = true;
  for (const std::string& file : options.files) {
    const auto text = read_file(file, kDefinitionBytesMax);
    if (!text) report(text.error(), json);
    all_read = all_read && text.has_value();
    if (!text) continue;
    const Diagnostics found = api::lint_definition(
        {.text = *text, .file = file, .assignments = options.assignments, .read = read_beside(file)});
    findings.insert(findings.end(), found.begin(), found.end());
  }
  print_findings(findings, options.format);
  if (!json)
    complain(counted(options.files.size(), "file") + ": " + counted(count(findings, Severity::kError), "error") + ", " +
             counted(count(findings, Severity::kWarning), "warning") + "\n");
  return finish_output(all_read ? exit_code(findings, options.strict) : kExitRefused);
}

}  // namespace pawl::cli
