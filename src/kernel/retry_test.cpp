#include "kernel/retry.h"

#include <gtest/gtest.h>

namespace pawl::kernel {
namespace {

TEST(RetryDelay, GrowsByTheBackoffRate) {
  SeededRandom random(1);
  RetryPolicy policy;
  policy.interval = Duration(3000);
  policy.backoff_rate = 1.5;
  EXPECT_EQ(retry_delay(policy, 0, random), Duration(3000));
  EXPECT_EQ(retry_delay(policy, 1, random), Duration(4500));
}

TEST(RetryDelay, IsCappedBeforeJitterIsApplied) {
  SeededRandom random(1);
  RetryPolicy policy;
  policy.delay_max = Duration(5000);
  EXPECT_EQ(retry_delay(policy, 10, random), Duration(5000));
  policy.full_jitter = true;
  for (int i = 0; i < 1000; ++i) {
    const Duration delay = retry_delay(policy, 10, random);
    EXPECT_GE(delay, Duration(0));
    EXPECT_LE(delay, Duration(5000));
  }
}

TEST(RetryDelay, StaysFiniteWhateverTheAttempt) {
  SeededRandom random(1);
  const RetryPolicy policy;
  EXPECT_GT(retry_delay(policy, 100'000, random), Duration(0));
}

}  // namespace
}  // namespace pawl::kernel
