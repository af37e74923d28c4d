// Who wants to know when an execution goes on.
//
// A notice says only that something of the execution has become durable: whoever gets it reads what it wants to know.
// Any thread may call; where nobody watches, a notice costs one load.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <unordered_map>

#include "base/ids.h"

namespace pawl::engine {

using WatchId = Id<struct WatchTag, uint64_t>;

class Watchers {
 public:
  // Called on a shard's thread; must not block, and not watch or unwatch.
  using Notice = std::function<void()>;

  WatchId add(ExecutionId execution, Notice notice);
  // No notice comes after it returned.
  void remove(WatchId watch);
  void notify(ExecutionId execution);

 private:
  std::atomic<size_t> count_{0};
  std::mutex mutex_;  // guards the three below
  WatchId last_;
  std::unordered_multimap<ExecutionId, std::pair<WatchId, Notice>> notices_;
  std::map<WatchId, ExecutionId> watched_;
};

}  // namespace pawl::engine
