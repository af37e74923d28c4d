// How definitions name an operation: <OpenAPI document>#<operationId>.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace pawl::openapi {

struct OperationReference {
  std::string_view document;  // a path, or the URL that it was fetched from
  std::string_view id;
};

// The parts of a resource; nothing where it names no operation of a document.
std::optional<OperationReference> split_reference(std::string_view resource);

// The operation as calls carry it (to_value in operation.h), out of the text of its document, JSON or YAML. Errors:
// those of find_operation and of the parser, whose `where` begins with the document's path.
Result<json::Value> describe_operation(const OperationReference& reference, std::string_view text);

}  // namespace pawl::openapi
