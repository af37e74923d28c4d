// `pawl graph`: a picture of a definition.
#include "lang/asl/graph.h"

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/files.h"
#include "lang/asl/model.h"
#include "text/diagnostics_format.h"
#include "text/yaml.h"

namespace pawl::cli {

namespace {

std::string draw(const graph::Graph& picture, const std::string& format) {
  if (format == "svg") return graph::to_svg(picture);
  if (format == "dot") return graph::to_dot(picture);
  return graph::to_mermaid(picture);
}

}  // namespace

int graph(const GraphOptions& options) {
  const auto text = read_file(options.file, kDefinitionBytesMax);
  if (!text) {
    report(text.error(), options.json);
    return kExitRefused;
  }
  auto document = text::parse_definition(*text);
  if (!document) {
    report(Diagnostics{text::to_diagnostic(document.error(), options.file)}, options.json);
    return kExitRefused;
  }
  Diagnostics diagnostics;
  const asl::Definition definition = asl::parse_definition(std::move(*document), diagnostics);
  for (Diagnostic& diagnostic : diagnostics) diagnostic.file = options.file;
  if (has_errors(diagnostics)) {
    report(diagnostics, options.json);
    return kExitRefused;
  }
  std::string picture = draw(asl::draw(definition), options.format);
  if (!picture.ends_with('\n')) picture += '\n';
  print(picture);
  return finish_output(kExitOk);
}

}  // namespace pawl::cli
