// `pawl graph`: a picture of a definition.
#include "api/definition.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/files.h"

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
  const auto drawn = api::draw_definition(*text, options.file);
  if (!drawn) {
    report(drawn.error(), options.json);
    return kExitRefused;
  }
  std::string picture = draw(*drawn, options.format);
  if (!picture.ends_with('\n')) picture += '\n';
  print(picture);
  return finish_output(kExitOk);
}

}  // namespace pawl::cli
