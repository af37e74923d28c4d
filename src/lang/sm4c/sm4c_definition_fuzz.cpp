// Any bytes as a definition: lint answers with diagnostics, and whatever the reader made of it can be drawn.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "lang/sm4c/graph.h"
#include "lang/sm4c/lint.h"
#include "text/findings.h"
#include "text/yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto document = pawl::text::parse_definition(text);
  if (!document) return 0;
  pawl::sm4c::Options options;
  options.waits_always = size % 2 == 1;
  pawl::Diagnostics diagnostics;
  const pawl::sm4c::Definition definition = pawl::sm4c::load(*std::move(document), options, {}, diagnostics);
  PAWL_ASSERT(diagnostics.size() <= 2 * pawl::text::kFindingsMax, diagnostics.size());
  for (const pawl::Diagnostic& diagnostic : diagnostics)
    PAWL_ASSERT(!diagnostic.code.empty() && !diagnostic.cause.empty(), diagnostic.code, diagnostic.pointer);
  PAWL_ASSERT(!draw(*definition.machine).nodes().empty());
  return 0;
}
