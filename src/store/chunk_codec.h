// Facts to chunk bodies and back. The grammar stands in chunk_codec.cpp.
//
// Values are stored as trees: a node that an earlier part of the same execution holds is written as its number, so that
// passing an input through ten states stores it once. Encoder and decoder therefore go with one execution, from its
// first chunk on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kernel/fact.h"

namespace pawl::store {

class PayloadTable;

// Writes an execution's chunks in order. Holds every node it has written: drop it with the execution.
class ChunkEncoder {
 public:
  ChunkEncoder();
  ~ChunkEncoder();
  ChunkEncoder(ChunkEncoder&&) noexcept;
  ChunkEncoder& operator=(ChunkEncoder&&) noexcept;

  std::string encode(std::span<const kernel::Fact> facts);
  // The next chunk, and those after it, refer to no value that stands before: they can be read without what came first.
  void begin_anew();

 private:
  friend class ChunkDecoder;
  std::unique_ptr<PayloadTable> payloads_;
  bool begins_anew_ = false;
};

// Reads them back in order, from the first or from one that begins anew. The encoder that follows writes the next chunk
// as if it had written these.
class ChunkDecoder {
 public:
  ChunkDecoder();
  ~ChunkDecoder();

  // Errors: CHUNK_CHECKSUM, CHUNK_VERSION, CHUNK_MALFORMED, CHUNK_UNKNOWN_FACT. Bounded in memory by the body's size.
  Result<std::vector<kernel::Fact>> decode(std::string_view body);
  ChunkEncoder continue_encoding() &&;

 private:
  std::unique_ptr<PayloadTable> payloads_;
};

}  // namespace pawl::store
