// Percent encoding, as URLs and forms have it (RFC 3986).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pawl::text {

// Everything as %XX but letters, digits, "-._~" and what `kept` lists.
std::string percent_encoded(std::string_view text, std::string_view kept = {});

// "a%25b" -> "a%b". None where a percent sign is not followed by two digits.
std::optional<std::string> percent_decode(std::string_view text);

}  // namespace pawl::text
