#include "sdk/step_pace.h"

#include <algorithm>

#include "pawl/durable/handler.h"

namespace pawl::durable::detail {

std::shared_ptr<StepPace> make_step_pace() { return std::make_shared<StepPace>(); }

bool StepPace::is_quick(const std::string& step) const {
  const std::lock_guard lock(mutex_);
  const auto found = quick_runs_.find(step);
  return found != quick_runs_.end() && found->second >= kQuickRunsMin;
}

void StepPace::note(const std::string& step, Duration took) {
  const std::lock_guard lock(mutex_);
  // Names that are made at run time come once each and would fill the memory.
  if (quick_runs_.size() >= kStepsMax && !quick_runs_.contains(step)) quick_runs_.clear();
  int& runs = quick_runs_[step];
  if (took <= kQuickMax) {
    runs = std::min(runs + 1, kQuickRunsMax);
  } else {
    runs = took <= kBusyMax ? std::max(runs - 1, 0) : 0;
  }
}

}  // namespace pawl::durable::detail
