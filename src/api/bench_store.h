// The store of a workbench: it tells what became durable, fact by fact.
#pragma once

#include <functional>
#include <unordered_map>

#include "base/assert.h"
#include "store/chunk_codec.h"
#include "store/forwarding_store.h"

namespace pawl::api {

// Commits, and so tells, on one thread.
class BenchStore final : public store::ForwardingStore {
 public:
  struct Listener {
    std::function<void(const store::ExecutionRow&)> on_started;
    std::function<void(ExecutionId, FactSeq, const kernel::Fact&)> on_fact;
  };
  BenchStore(store::Store& real, Listener listener) : ForwardingStore(real), listener_(std::move(listener)) {}

  store::CommitResult commit(std::span<const store::Batch> batches) override {
    auto result = ForwardingStore::commit(batches);
    if (!result) return result;
    for (const store::Batch& batch : batches) {
      for (const store::ExecutionRow& row : batch.started) listener_.on_started(row);
      for (const store::Chunk& chunk : batch.chunks) tell(chunk);
    }
    return result;
  }

 private:
  void tell(const store::Chunk& chunk) {
    const auto facts = decoders_[chunk.execution].decode(chunk.body);
    PAWL_ASSERT(facts.has_value(), to_string(facts.error()));
    FactSeq seq = chunk.first_fact;
    for (const kernel::Fact& fact : *facts) {
      listener_.on_fact(chunk.execution, seq, fact);
      seq = seq.next();
    }
    if (kernel::is_terminal(facts->back().kind)) decoders_.erase(chunk.execution);
  }

  Listener listener_;
  std::unordered_map<ExecutionId, store::ChunkDecoder> decoders_;
};

}  // namespace pawl::api
