// Diagnostics as people and programs read them.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/result.h"

namespace pawl::text {

// One finding in two lines, what is unknown left out; control characters in it are escaped:
//   flow.asl.json:4:7: error ASL_UNKNOWN_FIELD at /States/A/Nxet: The field "Nxet" is unknown.
//     fix: Write Next.
std::string format_as_text(const Diagnostics& diagnostics);

// An array of objects with severity, code, file, line, column, pointer, cause and fix; what is unknown is left out.
std::string format_as_json(const Diagnostics& diagnostics);

// SARIF 2.1.0: one run of the tool `pawl`, a rule for each code, a result for each finding.
std::string format_as_sarif(const Diagnostics& diagnostics, std::string_view tool_version);

// An Error about a text, whose `where` is "line:column", as a finding about a file.
Diagnostic to_diagnostic(const Error& error, std::string_view file);

}  // namespace pawl::text
