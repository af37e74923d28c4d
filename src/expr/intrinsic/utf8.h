// What intrinsic functions need to know of UTF-8 beyond json/utf8.h. For the intrinsic module only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pawl::intrinsic::internal {

std::string_view first_character(std::string_view valid_text);  // of a text that is not empty
size_t code_point_count(std::string_view valid_text);
size_t utf16_length(std::string_view valid_text);  // as Java's String.length counts

// Valid UTF-8 with U+FFFD in the place of each byte that is part of no character.
std::string replace_invalid_utf8(std::string_view bytes);

}  // namespace pawl::intrinsic::internal
