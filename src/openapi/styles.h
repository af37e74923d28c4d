// The value of a parameter as the text that stands for it in a request. For openapi/ only.
#pragma once

#include <string>

#include "openapi/operation.h"

namespace pawl::openapi {

// Text as it is, anything else as JSON.
std::string plain_text(const Value& value);

// In a path what replaces its {name}, in a query and a form "name=value" pairs with & between them, in a header its
// value, in a cookie "name=value". May be empty: an empty array has no items to send.
std::string serialize(const Parameter& parameter, const Value& value);

}  // namespace pawl::openapi
