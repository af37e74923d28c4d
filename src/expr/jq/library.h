// The builtins that are written in jq. Their text is read once a process; a program gets those it uses.
#pragma once

#include <string_view>
#include <vector>

#include "expr/jq/syntax.h"

namespace pawl::jq::internal {

const Definition* library_definition(std::string_view name, size_t arity);  // null where there is none
std::vector<std::string> library_names();                                   // name/arity, without the internal ones

}  // namespace pawl::jq::internal
