// Single characters of texts that are valid UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace pawl::asl {

size_t character_count(std::string_view text);

// Decodes the character at `offset`, which must be below the text's size, and moves the offset behind it.
char32_t next_character(std::string_view text, size_t& offset);

// A Unicode identifier (UAX #31): an ID_Start character and any number of ID_Continue characters.
bool is_identifier(std::string_view text);

}  // namespace pawl::asl
