#include "base/crc32c.h"

#include <array>
#include <cstring>

namespace pawl {

namespace {

constexpr uint32_t kPolynomial = 0x82f63b78;  // reflected

// Eight tables, so that eight bytes are taken at a time.
constexpr auto make_tables() {
  std::array<std::array<uint32_t, 256>, 8> tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (uint32_t byte = 0; byte < 256; ++byte)
    for (size_t slice = 1; slice < 8; ++slice)
      tables[slice][byte] = (tables[slice - 1][byte] >> 8) ^ tables[0][tables[slice - 1][byte] & 0xff];
  return tables;
}

constexpr auto kTables = make_tables();

uint32_t take_eight(uint32_t crc, const char* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  word ^= crc;
  uint32_t next = 0;
  for (size_t slice = 0; slice < 8; ++slice) next ^= kTables[7 - slice][(word >> (8 * slice)) & 0xff];
  return next;
}

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  uint32_t crc = ~0u;
  while (bytes.size() >= 8) {
    crc = take_eight(crc, bytes.data());
    bytes.remove_prefix(8);
  }
  for (const char byte : bytes) crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<unsigned char>(byte)) & 0xff];
  return ~crc;
}

}  // namespace pawl
