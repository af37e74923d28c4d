#include "expr/intrinsic/utf8.h"

#include <cstdint>

#include "json/utf8.h"

namespace pawl::intrinsic::internal {

namespace {

bool is_continuation(char c) { return (static_cast<uint8_t>(c) & 0xC0) == 0x80; }

}  // namespace

std::string_view first_character(std::string_view valid_text) {
  return valid_text.substr(0, json::utf8_sequence_size(valid_text.data(), valid_text.data() + valid_text.size()));
}

size_t code_point_count(std::string_view valid_text) {
  size_t count = 0;
  for (const char c : valid_text) count += is_continuation(c) ? 0 : 1;
  return count;
}

size_t utf16_length(std::string_view valid_text) {
  size_t length = 0;
  for (const char c : valid_text) length += (is_continuation(c) ? 0 : 1) + (static_cast<uint8_t>(c) >= 0xF0 ? 1 : 0);
  return length;
}

std::string replace_invalid_utf8(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const size_t valid = json::find_invalid_utf8(bytes);
    text += bytes.substr(0, valid);
    bytes.remove_prefix(valid);
    if (bytes.empty()) break;
    text += "\xEF\xBF\xBD";
    bytes.remove_prefix(1);
  }
  return text;
}

}  // namespace pawl::intrinsic::internal
