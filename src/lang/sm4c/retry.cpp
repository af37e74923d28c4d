#include "lang/sm4c/retry.h"

#include <algorithm>
#include <cmath>

namespace pawl::sm4c {

namespace {

Result<double> milliseconds(const std::optional<Timespan>& timespan, Timestamp now) {
  if (!timespan) return 0.0;
  PAWL_TRY(const Timestamp end, text::add(now, timespan->value));
  return static_cast<double>((end - now).count());
}

// Anything from -1 to 1.
double swing(Random& random) { return 2 * random.unit() - 1; }

Result<Timestamp> time_of(const RetryPolicy& policy, uint32_t retries, Timestamp now, Random& random) {
  PAWL_TRY(double delay, milliseconds(policy.delay, now));
  PAWL_TRY(const double increment, milliseconds(policy.increment, now));
  PAWL_TRY(const double absolute, milliseconds(policy.absolute_jitter, now));
  if (policy.multiplier) delay *= std::pow(*policy.multiplier, retries);
  delay += increment * retries;
  if (policy.relative_jitter) delay *= 1 + *policy.relative_jitter * swing(random);
  if (policy.absolute_jitter) delay += absolute * swing(random);
  double most = kRetryDelayMsMax;
  if (policy.max_delay) {
    PAWL_TRY(most, milliseconds(policy.max_delay, now));
  }
  if (!(delay >= 0)) delay = 0;  // not a number where 0 was multiplied with infinity
  return text::add(now, {.months = 0, .rest = Duration(std::llround(std::min(delay, most)))});
}

}  // namespace

Attempt<Timestamp> next_try(const RetryPolicy& policy, uint32_t retries, Timestamp now, Random& random) {
  return attempt(time_of(policy, retries, now, random));
}

}  // namespace pawl::sm4c
