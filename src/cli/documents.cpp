#include "cli/documents.h"

#include <cstdlib>

#include "cli/files.h"
#include "text/yaml.h"

namespace pawl::cli {

std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Error in_file(Error error, const std::string& file) {
  error.where = file + (error.where.empty() ? "" : ":" + error.where);
  return error;
}

Result<json::Document> read_document(const std::string& file) {
  PAWL_TRY(const std::string text, read_file(file, kDefinitionBytesMax));
  auto document = text::parse_definition(text);
  if (!document) return std::unexpected(in_file(document.error(), file));
  return document;
}

Result<connect::TaskTargets> read_task_targets(const std::string& file) {
  PAWL_TRY(const json::Document document, read_document(file));
  auto targets = connect::read_task_map(document, environment_variable);
  if (!targets) return std::unexpected(in_file(targets.error(), file));
  return targets;
}

}  // namespace pawl::cli
