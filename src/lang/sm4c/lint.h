// Everything that can be said of a state machine before it runs. The codes are described in docs/sm4c.md.
#pragma once

#include <string_view>

#include "base/diagnostic.h"
#include "base/result.h"
#include "lang/sm4c/model.h"
#include "lang/sm4c/options.h"

namespace pawl::sm4c {

// Text (JSON or YAML) to diagnostics, sorted by position. `file` is copied into them. A text that cannot be parsed
// gives one diagnostic with the parser's code.
Diagnostics lint_text(std::string_view text, std::string_view file, const Options& options, const Files& files = {});

// Parses and checks in one go: what a loader wants. Diagnostics are sorted and have no file. A definition with errors
// must not be compiled.
Definition load(json::Document document, const Options& options, const Files& files, Diagnostics& diagnostics);

}  // namespace pawl::sm4c
