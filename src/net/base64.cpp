#include "net/base64.h"

#include <algorithm>
#include <cstdint>

namespace pawl::net {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string encode_base64(std::string_view bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t at = i; at < i + 3; ++at)
      group = group << 8 | (at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0);
    const size_t digits = std::min<size_t>(bytes.size() - i, 3) + 1;
    for (size_t digit = 0; digit < 4; ++digit)
      text.push_back(digit < digits ? kAlphabet[group >> (18 - 6 * digit) & 63] : '=');
  }
  return text;
}

std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  for (size_t i = 0; i < text.size(); i += 4) {
    const bool is_last = i + 4 == text.size();
    size_t padding = 0;
    uint32_t group = 0;
    for (size_t at = i; at < i + 4; ++at) {
      const size_t digit = kAlphabet.find(text[at]);
      const bool is_padding = is_last && text[at] == '=' && at >= i + 2;
      if (is_padding) ++padding;
      if (!is_padding && (digit == std::string_view::npos || padding != 0)) return std::nullopt;
      group = group << 6 | (is_padding ? 0 : static_cast<uint32_t>(digit));
    }
    for (size_t byte = 0; byte < 3 - padding; ++byte)
      bytes.push_back(static_cast<char>(group >> (16 - 8 * byte) & 255));
  }
  return bytes;
}

}  // namespace pawl::net
