// Any bytes as a chunk: an error or facts, and facts that are written again read the same.
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/crc32c.h"
#include "store/chunk_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string body(sizeof(uint32_t), '\0');
  body.append(reinterpret_cast<const char*>(data), size);
  const uint32_t checksum = pawl::crc32c(std::string_view(body).substr(sizeof(uint32_t)));
  std::memcpy(body.data(), &checksum, sizeof checksum);
  const auto facts = pawl::store::ChunkDecoder().decode(body);
  if (!facts) return 0;
  const auto again = pawl::store::ChunkDecoder().decode(pawl::store::ChunkEncoder().encode(*facts));
  if (!again || again->size() != facts->size()) std::abort();
  return 0;
}
