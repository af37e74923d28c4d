#include "sdk/random_id.h"

#include <random>
#include <string_view>

namespace pawl::durable::detail {

std::string format_uuid(std::uint64_t high, std::uint64_t low) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  high = (high & ~0xF000ULL) | 0x4000ULL;
  low = (low & ~(3ULL << 62)) | (2ULL << 62);
  std::string text;
  for (int digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) text += '-';
    const std::uint64_t half = digit < 16 ? high : low;
    text += kHex[half >> (60 - 4 * (digit % 16)) & 15];
  }
  return text;
}

std::string random_uuid() {
  thread_local std::mt19937_64 engine = [] {
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device()};
    return std::mt19937_64(seed);
  }();
  return format_uuid(engine(), engine());
}

}  // namespace pawl::durable::detail
