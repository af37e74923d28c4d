// YAML 1.2 (core schema) to Value, with positions.
#pragma once

#include <string_view>

#include "base/result.h"
#include "json/parse.h"

namespace pawl::text {

inline constexpr size_t kYamlExpandedNodesMax = 1'000'000;         // what aliases may grow a document to
inline constexpr size_t kYamlExpandedBytesMax = 64 * 1024 * 1024;  // what aliases may add, as JSON
inline constexpr size_t kYamlTextBytesMax = 16 * 1024 * 1024;

// One document. Keys must be strings (numbers and booleans are taken as their text); duplicate keys are errors; aliases
// share their value, and what lies inside one has the alias's position. `<<` is a name like any other: YAML 1.2 does
// not merge. Numbers keep their text where it is valid JSON; 0x1F, 0o17, +5 and .5 are read as the numbers that they
// are. Errors: YAML_SYNTAX, YAML_EMPTY, YAML_DUPLICATE_KEY, YAML_UNSUPPORTED (what JSON cannot say: tags of one's own,
// .inf, keys that are no scalars, a second document), YAML_TOO_LARGE, YAML_TOO_DEEP; `where` is "line:column".
Result<json::Document> parse_yaml(std::string_view text);

// JSON where the first character that is not blank is { or [, else YAML. A byte order mark in front is passed over.
Result<json::Document> parse_definition(std::string_view text);

}  // namespace pawl::text
