// YAML 1.2 (core schema) to Value, with positions.
#pragma once

#include <string_view>

#include "base/result.h"
#include "json/parse.h"

namespace pawl::text {

inline constexpr size_t kYamlExpandedNodesMax = 1'000'000;  // what aliases may grow a document to

// One document. Keys must be strings (numbers and booleans are taken as their text); duplicate keys are errors; aliases
// share. Errors: YAML_SYNTAX, YAML_DUPLICATE_KEY, YAML_UNSUPPORTED, YAML_TOO_LARGE, YAML_TOO_DEEP; `where` is
// "line:column".
Result<json::Document> parse_yaml(std::string_view text);

// JSON where the first character that is not blank is { or [, else YAML.
Result<json::Document> parse_definition(std::string_view text);

}  // namespace pawl::text
