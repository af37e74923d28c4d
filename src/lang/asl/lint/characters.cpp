#include "lang/asl/lint/characters.h"

#include <algorithm>
#include <span>

#include "lang/asl/lint/identifier_ranges.h"

namespace pawl::asl {
namespace {

bool contains(std::span<const CharacterRange> ranges, char32_t character) {
  const auto range = std::ranges::lower_bound(ranges, character, {}, &CharacterRange::last);
  return range != ranges.end() && range->first <= character;
}

bool is_ascii_letter(char32_t character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

bool starts_identifier(char32_t character) {
  return character < 0x80 ? is_ascii_letter(character) : contains(kIdentifierStart, character);
}

bool continues_identifier(char32_t character) {
  if (starts_identifier(character)) return true;
  if (character < 0x80) return (character >= '0' && character <= '9') || character == '_';
  return contains(kIdentifierContinue, character);
}

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

}  // namespace

size_t character_count(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, begins_character));
}

char32_t next_character(std::string_view text, size_t& offset) {
  const auto lead = static_cast<unsigned char>(text[offset++]);
  if (lead < 0x80) return lead;
  char32_t character = lead & (lead >= 0xF0 ? 0x07 : lead >= 0xE0 ? 0x0F : 0x1F);
  while (offset < text.size() && !begins_character(text[offset]))
    character = (character << 6) | (static_cast<unsigned char>(text[offset++]) & 0x3F);
  return character;
}

bool is_identifier(std::string_view text) {
  size_t offset = 0;
  if (text.empty() || !starts_identifier(next_character(text, offset))) return false;
  while (offset < text.size())
    if (!continues_identifier(next_character(text, offset))) return false;
  return true;
}

}  // namespace pawl::asl
