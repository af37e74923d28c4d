// Any bytes as a definition: lint answers with diagnostics and AWS's words for them, and what it has no error for
// compiles.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "lang/asl/lint.h"
#include "lang/asl/lint/findings.h"
#include "lang/asl/program.h"
#include "text/yaml.h"

namespace {

void compile(std::string_view text, const pawl::asl::Options& options) {
  pawl::Diagnostics diagnostics;
  const pawl::asl::Definition definition =
      pawl::asl::parse_definition(pawl::text::parse_definition(text).value(), diagnostics);
  if (!pawl::asl::unsupported_features(definition).empty()) return;
  const auto program = pawl::asl::Program::compile(definition, options);
  PAWL_ASSERT(program.has_value(), pawl::to_string(program.error()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  pawl::asl::Options options;
  options.express = size % 2 == 1;
  const pawl::Diagnostics diagnostics = pawl::asl::lint_text(text, "fuzz", options);
  PAWL_ASSERT(diagnostics.size() <= 2 * pawl::asl::kFindingsMax, diagnostics.size());
  for (const pawl::Diagnostic& diagnostic : diagnostics)
    PAWL_ASSERT(!diagnostic.code.empty() && !diagnostic.cause.empty(), diagnostic.code, diagnostic.pointer);
  pawl::asl::aws_validation(text, options);
  if (!pawl::has_errors(diagnostics)) compile(text, options);
  return 0;
}
