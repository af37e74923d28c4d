// Base64 (RFC 4648), with padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pawl::net {

std::string encode_base64(std::string_view bytes);
// Nothing where it is none: another alphabet, blanks, missing padding.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace pawl::net
