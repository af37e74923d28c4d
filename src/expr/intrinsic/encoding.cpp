// States.Base64Encode, States.Base64Decode and States.Hash.
#include <array>
#include <string>

#include <openssl/evp.h>

#include "expr/intrinsic/functions.h"
#include "expr/intrinsic/utf8.h"
#include "json/print.h"

namespace pawl::intrinsic::internal {

namespace {

constexpr size_t kUtf8BytesPerUnitMax = 3;  // UTF-8 has at most three bytes for a UTF-16 code unit

bool is_too_long(std::string_view text) {
  if (text.size() <= kEncodedCharactersMax) return false;
  return text.size() > kUtf8BytesPerUnitMax * kEncodedCharactersMax || utf16_length(text) > kEncodedCharactersMax;
}

std::string too_long() { return "The data is longer than " + std::to_string(kEncodedCharactersMax) + " characters."; }

// The six bits of a character of the alphabet (also of the one for URLs); -1 for any other.
int sextet(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

// As MIME decodes: what is not of the alphabet is skipped, padding ends the data and may be absent.
std::string decode_base64(std::string_view text) {
  std::string bytes;
  uint32_t bits = 0;
  int bit_count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int six = sextet(c);
    if (six < 0) continue;
    bits = (bits << 6) | static_cast<uint32_t>(six);
    bit_count += 6;
    if (bit_count < 8) continue;
    bit_count -= 8;
    bytes += static_cast<char>((bits >> bit_count) & 0xFF);
  }
  return bytes;
}

struct Algorithm {
  std::string_view name;
  const EVP_MD* (*digest)();
};

constexpr std::array kAlgorithms = {
    Algorithm{"MD5", EVP_md5},        Algorithm{"SHA-1", EVP_sha1},     Algorithm{"SHA-256", EVP_sha256},
    Algorithm{"SHA-384", EVP_sha384}, Algorithm{"SHA-512", EVP_sha512},
};

const EVP_MD* find_digest(const Value& name) {
  if (!name.is_string()) return nullptr;
  for (const Algorithm& algorithm : kAlgorithms)
    if (algorithm.name == name.as_string()) return algorithm.digest();
  return nullptr;
}

std::string hexadecimal(std::span<const unsigned char> bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xF];
  }
  return text;
}

}  // namespace

Result<Value> base64_encode(Arguments arguments, Random& /*random*/) {
  if (!arguments[0].is_string()) return refuse("States.Base64Encode", "The argument must be a string.");
  const std::string_view data = arguments[0].as_string();
  if (is_too_long(data)) return refuse("States.Base64Encode", too_long());
  std::string encoded(4 * ((data.size() + 2) / 3) + 1, '\0');  // EVP_EncodeBlock ends it with a NUL
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()),
                      reinterpret_cast<const unsigned char*>(data.data()), static_cast<int>(data.size()));
  return Value::string(std::string_view(encoded).substr(0, static_cast<size_t>(length)));
}

Result<Value> base64_decode(Arguments arguments, Random& /*random*/) {
  if (!arguments[0].is_string()) return refuse("States.Base64Decode", "The argument must be a string.");
  const std::string_view data = arguments[0].as_string();
  if (is_too_long(data)) return refuse("States.Base64Decode", too_long());
  return Value::string(replace_invalid_utf8(decode_base64(data)));
}

Result<Value> hash(Arguments arguments, Random& /*random*/) {
  const EVP_MD* digest = find_digest(arguments[1]);
  if (digest == nullptr)
    return refuse("States.Hash", "The algorithm must be one of MD5, SHA-1, SHA-256, SHA-384 and SHA-512.");
  const Value& data = arguments[0];
  if (!data.is_string() && data.json_size() > kUtf8BytesPerUnitMax * kEncodedCharactersMax)
    return refuse("States.Hash", too_long());
  const std::string text = data.is_string() ? std::string(data.as_string()) : json::print(data);
  if (is_too_long(text)) return refuse("States.Hash", too_long());
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes;
  unsigned int length = 0;
  if (EVP_Digest(text.data(), text.size(), bytes.data(), &length, digest, nullptr) != 1)
    return refuse("States.Hash", "The cryptographic library does not provide the algorithm.");
  return Value::string(hexadecimal(std::span(bytes).first(length)));
}

}  // namespace pawl::intrinsic::internal
