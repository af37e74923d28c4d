#include "openapi/reference.h"

#include "openapi/operation.h"
#include "text/yaml.h"

namespace pawl::openapi {

namespace {

// Where an error about a document is: "pets.yaml#/paths/~1pets/get", "pets.yaml:3:7".
std::string place_in(std::string_view document, std::string_view where) {
  if (where.empty()) return std::string(document);
  return std::string(document) + (where.starts_with('/') ? "#" : ":") + std::string(where);
}

bool is_url(std::string_view document) { return document.starts_with("http://") || document.starts_with("https://"); }

Result<Operation> read_from_text(std::string_view text, const OperationReference& reference) {
  PAWL_TRY(const json::Document document, text::parse_definition(text));
  return find_operation(document.root, reference.id, is_url(reference.document) ? reference.document : "");
}

}  // namespace

std::optional<OperationReference> split_reference(std::string_view resource) {
  const size_t hash = resource.find('#');
  if (hash == std::string_view::npos || hash == 0) return std::nullopt;
  return OperationReference{resource.substr(0, hash), resource.substr(hash + 1)};
}

Result<json::Value> describe_operation(const OperationReference& reference, std::string_view text) {
  auto operation = read_from_text(text, reference);
  if (operation) return to_value(*operation);
  Error error = std::move(operation).error();
  error.where = place_in(reference.document, error.where);
  return std::unexpected(std::move(error));
}

}  // namespace pawl::openapi
