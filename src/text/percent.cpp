#include "text/percent.h"

namespace pawl::text {

namespace {

constexpr std::string_view kDigits = "0123456789ABCDEF";

bool is_unreserved(char c) {
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_letter || (c >= '0' && c <= '9') || std::string_view("-._~").contains(c);
}

// -1 where the character is no hexadecimal digit.
int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// -1 where the text does not begin with %XX.
int escaped_byte(std::string_view text) {
  if (text.size() < 3 || text[0] != '%') return -1;
  const int high = digit_value(text[1]);
  const int low = digit_value(text[2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

}  // namespace

std::string percent_encoded(std::string_view text, std::string_view kept) {
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_unreserved(c) || kept.contains(c))
      encoded += c;
    else
      (encoded += '%') += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return encoded;
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string decoded;
  while (!text.empty()) {
    const int byte = escaped_byte(text);
    if (text[0] == '%' && byte < 0) return std::nullopt;
    decoded += byte < 0 ? text[0] : static_cast<char>(byte);
    text.remove_prefix(byte < 0 ? 1 : 3);
  }
  return decoded;
}

}  // namespace pawl::text
