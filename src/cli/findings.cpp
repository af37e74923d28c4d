#include "cli/findings.h"

#include "cli/console.h"
#include "text/diagnostics_format.h"

namespace pawl::cli {

void print_findings(const Diagnostics& findings, const std::string& format) {
  if (format == "json") return print_line(text::format_as_json(findings));
  if (format == "sarif") return print_line(text::format_as_sarif(findings, PAWL_VERSION));
  print(text::format_as_text(findings));
}

}  // namespace pawl::cli
