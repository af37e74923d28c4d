// CRC-32C (Castagnoli), as it guards what is on disk.
#pragma once

#include <cstdint>
#include <string_view>

namespace pawl {

uint32_t crc32c(std::string_view bytes);

}  // namespace pawl
