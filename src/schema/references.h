// The documents that a schema refers to: for who reads them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace pawl::schema {

// The URIs that its `$ref`s lead to, without fragments, each once, as seen from its own URI and from the `$id`s on the
// way. The document itself is not among them.
std::vector<std::string> references_of(const json::Value& document, std::string_view uri);

}  // namespace pawl::schema
