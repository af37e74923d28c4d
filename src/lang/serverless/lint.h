// Everything that can be said of a Serverless Workflow before it runs. The codes are described in
// docs/serverless-workflow.md.
#pragma once

#include <string_view>

#include "base/diagnostic.h"
#include "base/result.h"
#include "lang/serverless/model.h"
#include "lang/serverless/options.h"

namespace pawl::serverless {

// Text (JSON or YAML) to diagnostics, sorted by position. `file` is copied into them. A text that cannot be parsed
// gives one diagnostic with the parser's code.
Diagnostics lint_text(std::string_view text, std::string_view file, const Options& options, const Files& files = {});

// As lint_text, of what a parser made of a text; without a file.
Diagnostics lint_document(Result<json::Document> document, const Options& options, const Files& files = {});

// Parses and checks in one go: what a loader wants. Diagnostics are sorted and have no file. A definition with errors
// must not be compiled.
Definition load(json::Document document, const Options& options, const Files& files, Diagnostics& diagnostics);

}  // namespace pawl::serverless
