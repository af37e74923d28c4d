// What lint found, as it is printed.
#pragma once

#include <string>

#include "base/diagnostic.h"

namespace pawl::cli {

// On stdout; `format` is text, json or sarif.
void print_findings(const Diagnostics& findings, const std::string& format);

}  // namespace pawl::cli
