// Retry policies: how often and after how long something is tried again.
#pragma once

#include <cstdint>
#include <optional>

#include "base/random.h"
#include "base/time.h"

namespace pawl::kernel {

struct RetryPolicy {
  Duration interval{1000};
  uint32_t attempts_max = 3;
  double backoff_rate = 2.0;
  std::optional<Duration> delay_max;
  bool full_jitter = false;  // applied after the cap: anything from 0 to the delay
};

// The wait before retry number `attempt` (0: the first).
Duration retry_delay(const RetryPolicy& policy, uint32_t attempt, Random& random);

}  // namespace pawl::kernel
