// Who waits for the end of an execution, over HTTP: nobody who waits is in the store.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>

#include "base/ids.h"
#include "engine/engine.h"

namespace pawl::server {

using EndWait = Id<struct EndWaitTag, uint64_t>;

// Concurrency: any thread may call it; what it is given is called without a lock.
class ExecutionEnds {
 public:
  // Nothing: the server ends.
  using Told = std::move_only_function<void(const engine::Closed*)>;

  EndWait add(ExecutionId execution, Told told);
  // As add(), for one that may have ended before. Where it is gone, nothing is told, as when the server ends.
  void join(engine::Engine& engine, ExecutionId execution, Told told);
  // The one who waited, to be told by somebody else; empty where it has been told.
  Told take(ExecutionId execution, EndWait wait);
  // On a shard's thread.
  void tell(const engine::Closed& closed);
  // Everyone who waits is sent away; so is who comes later.
  void close();

 private:
  std::mutex mutex_;  // guards the three below
  std::unordered_multimap<ExecutionId, std::pair<EndWait, Told>> waits_;
  uint64_t last_ = 0;
  bool is_closed_ = false;
};

}  // namespace pawl::server
