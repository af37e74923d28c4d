// Bytes of the chunk format: variable-length integers and the like, written and read with bounds.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace pawl::store {

class ByteWriter {
 public:
  void byte(uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<uint8_t>(value) | 0x80);
    byte(static_cast<uint8_t>(value));
  }
  void zigzag(int64_t value) { varint((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63)); }
  void fixed64(uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view value) {
    varint(value.size());
    bytes_.append(value);
  }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

// After the first read beyond the end, or of a number that does not fit, everything reads as 0 and ok() is false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  uint8_t byte() {
    if (rest_.empty()) return fail();
    const auto value = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }
  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t part = byte();
      value |= static_cast<uint64_t>(part & 0x7f) << shift;
      if ((part & 0x80) == 0) return shift == 63 && part > 1 ? fail() : value;
    }
    return fail();
  }
  uint32_t varint32() {
    const uint64_t value = varint();
    return value > UINT32_MAX ? fail() : static_cast<uint32_t>(value);
  }
  int64_t zigzag() {
    const uint64_t value = varint();
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }
  uint64_t fixed64() {
    if (rest_.size() < sizeof(uint64_t)) return fail();
    uint64_t value;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string_view text() {
    const uint64_t size = varint();
    if (size > rest_.size()) {
      fail();
      return {};
    }
    const std::string_view value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
  }

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  size_t left() const { return rest_.size(); }
  uint8_t fail() {
    ok_ = false;
    rest_ = {};
    return 0;
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace pawl::store
