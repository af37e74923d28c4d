// StepPace: how long the bodies of a handler's steps take, so that those that are quick need no thread of their own.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>

namespace pawl::durable::detail {

// Shared by the invocations of a handler. Any thread may call it.
class StepPace {
 public:
  using Duration = std::chrono::steady_clock::duration;

  // Much less than a START waits for its end, so that waiting for such a body delays nothing.
  static constexpr std::chrono::microseconds kQuickMax{200};
  // A body that took longer has to show its pace anew; up to here the machine may have been busy.
  static constexpr std::chrono::microseconds kBusyMax{2'000};
  static constexpr int kQuickRunsMin = 3;  // before a body counts as quick
  static constexpr int kQuickRunsMax = 8;  // that are remembered
  static constexpr std::size_t kStepsMax = 1'000;

  bool is_quick(const std::string& step) const;
  void note(const std::string& step, Duration took);

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, int> quick_runs_;  // less the slow ones; guarded by mutex_
};

}  // namespace pawl::durable::detail
