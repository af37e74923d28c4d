#include "server/execution_ends.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace pawl::server {

EndWait ExecutionEnds::add(ExecutionId execution, Told told) {
  {
    const std::lock_guard lock(mutex_);
    const EndWait wait(++last_);
    if (!is_closed_) {
      waits_.emplace(execution, std::pair(wait, std::move(told)));
      return wait;
    }
  }
  told(nullptr);
  return {};
}

void ExecutionEnds::join(engine::Engine& engine, ExecutionId execution, Told told) {
  const EndWait wait = add(execution, std::move(told));
  engine.describe(execution, [this, execution, wait](Result<engine::Description> description) {
    if (description && description->status == kernel::Status::kRunning) return;
    Told still_waits = take(execution, wait);
    if (!still_waits) return;
    if (!description) return still_waits(nullptr);
    const engine::Closed closed{description->row, description->status, description->outcome};
    still_waits(&closed);
  });
}

ExecutionEnds::Told ExecutionEnds::take(ExecutionId execution, EndWait wait) {
  const std::lock_guard lock(mutex_);
  const auto [begin, end] = waits_.equal_range(execution);
  const auto found = std::find_if(begin, end, [&](const auto& entry) { return entry.second.first == wait; });
  if (found == end) return nullptr;
  Told told = std::move(found->second.second);
  waits_.erase(found);
  return told;
}

void ExecutionEnds::tell(const engine::Closed& closed) {
  std::vector<Told> all;
  {
    const std::lock_guard lock(mutex_);
    const auto [begin, end] = waits_.equal_range(closed.row.id);
    for (auto at = begin; at != end; ++at) all.push_back(std::move(at->second.second));
    waits_.erase(begin, end);
  }
  for (Told& told : all) told(&closed);
}

void ExecutionEnds::close() {
  decltype(waits_) all;
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    all.swap(waits_);
  }
  for (auto& [execution, wait] : all) wait.second(nullptr);
}

}  // namespace pawl::server
