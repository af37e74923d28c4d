// A snapshot is the value that kernel/snapshot.h makes of an execution:
//
//   snapshot := crc32c:4 bytes (of all that follows)  format:1 byte  version:1 byte  value
//
// `format` is that of the values (payload_table.h), `version` that of the snapshot's shape. Equal nodes are stored
// once.
#include "store/snapshot_codec.h"

#include <cstring>

#include "base/crc32c.h"
#include "kernel/snapshot.h"
#include "store/payload_table.h"
#include "store/wire.h"

namespace pawl::store {

namespace {

constexpr uint8_t kValueFormat = 1;
constexpr size_t kChecksumBytes = sizeof(uint32_t);

}  // namespace

std::string encode_snapshot(const kernel::Execution& execution) {
  ByteWriter out;
  out.bytes().resize(kChecksumBytes);
  out.byte(kValueFormat);
  out.byte(kernel::kSnapshotVersion);
  PayloadTable().write(kernel::Snapshot::of(execution), out);
  std::string body = std::move(out.bytes());
  const uint32_t checksum = crc32c(std::string_view(body).substr(kChecksumBytes));
  std::memcpy(body.data(), &checksum, sizeof checksum);
  return body;
}

std::unique_ptr<kernel::Execution> decode_snapshot(std::string_view body) {
  uint32_t checksum = 0;
  if (body.size() < kChecksumBytes) return nullptr;
  std::memcpy(&checksum, body.data(), sizeof checksum);
  body.remove_prefix(kChecksumBytes);
  if (crc32c(body) != checksum) return nullptr;
  ByteReader in(body);
  if (in.byte() != kValueFormat || in.byte() != kernel::kSnapshotVersion) return nullptr;
  const json::Value value = PayloadTable().read(in);
  return in.ok() && in.at_end() ? kernel::Snapshot::restore(value) : nullptr;
}

}  // namespace pawl::store
