// UTF-8, one sequence at a time: what the parsers and printers share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pawl::json {

// The length of the well-formed sequence at `at` (Unicode 15, table 3-7: no surrogates, no overlong forms); 0 where
// there is none. `at` must be before `end`.
inline size_t utf8_sequence_size(const char* at, const char* end) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(at[i]); };
  const auto continues = [&](size_t i, unsigned char low = 0x80, unsigned char high = 0xBF) {
    return static_cast<size_t>(end - at) > i && byte(i) >= low && byte(i) <= high;
  };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return continues(1) ? 2 : 0;
  if (lead < 0xF0) {
    const unsigned char low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : 0xBF;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (lead > 0xF4) return 0;
  const unsigned char low = lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xF4 ? 0x8F : 0xBF;
  return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
}

// Appends a code point, which must not be a surrogate and not above U+10FFFF.
inline void append_utf8(std::string& out, uint32_t code_point) {
  const auto put = [&](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) return put(code_point);
  if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
  } else {
    if (code_point < 0x10000) {
      put(0xE0 | code_point >> 12);
    } else {
      put(0xF0 | code_point >> 18);
      put(0x80 | (code_point >> 12 & 0x3F));
    }
    put(0x80 | (code_point >> 6 & 0x3F));
  }
  put(0x80 | (code_point & 0x3F));
}

// The first byte that is not well-formed UTF-8, or text.size().
size_t find_invalid_utf8(std::string_view text);

}  // namespace pawl::json
