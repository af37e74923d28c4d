// Numbers as Java's BigDecimal reads and writes them: what Jayway compares strings with numbers by.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "json/value.h"

namespace pawl::jsonpath::internal {

// "010", ".5", "5.", "+1e3" are numbers; nothing where the text is none.
std::optional<json::Value> parse_decimal(std::string_view text);

// As BigDecimal.toString(): 10, 0.50, -12.3, 1E+10.
std::string decimal_text(const json::Value& number);

}  // namespace pawl::jsonpath::internal
