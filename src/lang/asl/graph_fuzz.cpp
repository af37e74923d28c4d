// Any bytes as a definition: whatever its parser accepts can be drawn, in every form.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "lang/asl/graph.h"
#include "text/yaml.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto document = pawl::text::parse_definition(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!document) return 0;
  pawl::Diagnostics diagnostics;
  const pawl::graph::Graph graph = pawl::asl::draw(pawl::asl::parse_definition(*std::move(document), diagnostics));
  PAWL_ASSERT(!graph.nodes().empty());
  PAWL_ASSERT(to_svg(graph).ends_with("</svg>\n"));
  PAWL_ASSERT(to_mermaid(graph).starts_with("flowchart TD\n"));
  PAWL_ASSERT(to_dot(graph).ends_with("}\n"));
  return 0;
}
