// Everything that can be said of a definition before it runs.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/result.h"
#include "lang/asl/model.h"
#include "lang/asl/options.h"

namespace pawl::asl {

// Text (JSON or YAML) to diagnostics, sorted by position. `file` is copied into them. A text that cannot be parsed gives one
// diagnostic with the parser's code.
Diagnostics lint_text(std::string_view text, std::string_view file, const Options& options);

// The rules, on a definition that was parsed. Diagnostics have positions but no file.
void lint(const Definition& definition, const Options& options, Diagnostics& diagnostics);

// The first error as AWS's CreateStateMachine words it:
// "SCHEMA_VALIDATION_FAILED: These fields are required: [\"StartAt\"] at /" ; empty where there is no error.
std::string aws_refusal(const Diagnostics& diagnostics);

}  // namespace pawl::asl
