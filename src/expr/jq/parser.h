// Text to tree. Errors are JQ_SYNTAX, with the place of the token that cannot stand there, and JQ_REFUSED for modules.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "expr/jq/syntax.h"

namespace pawl::jq::internal {

inline constexpr uint32_t kNestingMax = 400;  // of parentheses, operators, strings within strings, …

Result<std::shared_ptr<Syntax>> parse_program(std::string_view text);
Result<std::shared_ptr<Syntax>> parse_library(std::string_view text);  // definitions only

}  // namespace pawl::jq::internal
