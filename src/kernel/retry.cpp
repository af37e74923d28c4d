#include "kernel/retry.h"

#include <algorithm>
#include <cmath>

namespace pawl::kernel {

namespace {
constexpr double kDelayMsMax =
    100.0 * 366 * 24 * 3600 * 1000;  // a century: beyond it the arithmetic of time would overflow
}

Duration retry_delay(const RetryPolicy& policy, uint32_t attempt, Random& random) {
  double delay_ms = static_cast<double>(policy.interval.count()) * std::pow(policy.backoff_rate, attempt);
  if (policy.delay_max) delay_ms = std::min(delay_ms, static_cast<double>(policy.delay_max->count()));
  delay_ms = std::min(delay_ms, kDelayMsMax);
  if (policy.full_jitter) delay_ms *= random.unit();
  return Duration(static_cast<int64_t>(std::ceil(delay_ms)));
}

}  // namespace pawl::kernel
