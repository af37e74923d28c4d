#include "sdk/md5.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace pawl::durable::detail {
namespace {

using Words = std::array<std::uint32_t, 4>;

const std::array<std::uint32_t, 64>& sines() {
  static const std::array<std::uint32_t, 64> table = [] {
    std::array<std::uint32_t, 64> values{};
    for (int index = 0; index < 64; ++index) {
      values[static_cast<std::size_t>(index)] =
          static_cast<std::uint32_t>(std::floor(std::fabs(std::sin(index + 1.0)) * 4294967296.0));
    }
    return values;
  }();
  return table;
}

constexpr std::array<std::array<int, 4>, 4> kShifts = {
    {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};

std::uint32_t word_at(const unsigned char* block, std::size_t index) {
  const unsigned char* bytes = block + index * 4;
  return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
         static_cast<std::uint32_t>(bytes[2]) << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
}

void add_block(Words& state, const unsigned char* block) {
  auto [a, b, c, d] = state;
  for (std::size_t index = 0; index < 64; ++index) {
    std::uint32_t mixed = 0;
    std::size_t word = index;
    switch (index / 16) {
      case 0:
        mixed = (b & c) | (~b & d);
        break;
      case 1:
        mixed = (d & b) | (~d & c);
        word = (5 * index + 1) % 16;
        break;
      case 2:
        mixed = b ^ c ^ d;
        word = (3 * index + 5) % 16;
        break;
      default:
        mixed = c ^ (b | ~d);
        word = (7 * index) % 16;
        break;
    }
    mixed += a + sines()[index] + word_at(block, word % 16);
    a = d;
    d = c;
    c = b;
    b += std::rotl(mixed, kShifts[index / 16][index % 4]);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

}  // namespace

std::string md5_prefix(std::string_view text) {
  std::string padded(text);
  padded += static_cast<char>(0x80);
  while (padded.size() % 64 != 56) padded += '\0';
  for (int byte = 0; byte < 8; ++byte)
    padded += static_cast<char>((static_cast<std::uint64_t>(text.size()) * 8) >> (8 * byte));
  Words state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  for (std::size_t at = 0; at < padded.size(); at += 64)
    add_block(state, reinterpret_cast<const unsigned char*>(padded.data()) + at);

  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string digits;
  for (std::size_t byte = 0; byte < 8; ++byte) {
    const std::uint32_t value = state[byte / 4] >> (8 * (byte % 4)) & 0xFF;
    digits += kHex[value >> 4];
    digits += kHex[value & 15];
  }
  return digits;
}

}  // namespace pawl::durable::detail
