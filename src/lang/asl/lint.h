// Everything that can be said of a definition before it runs. The codes are described in docs/lint.md.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/result.h"
#include "lang/asl/model.h"
#include "lang/asl/options.h"

namespace pawl::asl {

// Text (JSON or YAML) to diagnostics, sorted by position. `file` is copied into them. A text that cannot be parsed
// gives one diagnostic with the parser's code.
Diagnostics lint_text(std::string_view text, std::string_view file, const Options& options);

// As lint_text, of what a parser made of a text; without a file.
Diagnostics lint_document(Result<json::Document> document, const Options& options);

// The rules, on a definition that was parsed. Diagnostics have positions but no file.
void lint(const Definition& definition, const Options& options, Diagnostics& diagnostics);

// What the definition asks for and cannot be run yet: the findings whose code begins with ASL_UNSUPPORTED_. Lint has
// them as warnings; a run must refuse the definition if there is any.
Diagnostics unsupported_features(const Definition& definition);

// The errors as AWS's CreateStateMachine words them, one after another:
// "SCHEMA_VALIDATION_FAILED: These fields are required: [StartAt] at /"; empty where there is no error.
std::string aws_refusal(const Diagnostics& diagnostics);

// What AWS's ValidateStateMachineDefinition answers for a JSON text: {"result", "diagnostics", "truncated"}.
inline constexpr size_t kAwsDiagnosticsMax = 100;
Value aws_validation(std::string_view text, const Options& options, size_t diagnostics_max = kAwsDiagnosticsMax);

}  // namespace pawl::asl
