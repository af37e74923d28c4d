#include "engine/watchers.h"

namespace pawl::engine {

WatchId Watchers::add(ExecutionId execution, Notice notice) {
  const std::lock_guard lock(mutex_);
  last_ = last_.next();
  notices_.emplace(execution, std::pair(last_, std::move(notice)));
  watched_.emplace(last_, execution);
  ++count_;
  return last_;
}

void Watchers::remove(WatchId watch) {
  const std::lock_guard lock(mutex_);
  const auto found = watched_.find(watch);
  if (found == watched_.end()) return;
  const auto [begin, end] = notices_.equal_range(found->second);
  for (auto at = begin; at != end; ++at) {
    if (at->second.first != watch) continue;
    notices_.erase(at);
    break;
  }
  watched_.erase(found);
  --count_;
}

void Watchers::notify(ExecutionId execution) {
  if (count_ == 0) return;
  const std::lock_guard lock(mutex_);
  const auto [begin, end] = notices_.equal_range(execution);
  for (auto at = begin; at != end; ++at) at->second.second();
}

}  // namespace pawl::engine
