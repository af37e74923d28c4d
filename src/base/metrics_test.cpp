#include "base/metrics.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace pawl {
namespace {

constexpr std::array<uint64_t, 2> kBounds = {10, 100};

TEST(Histogram, PutsAnAmountIntoTheFirstBucketThatHoldsIt) {
  Histogram histogram(kBounds);
  for (const uint64_t amount : {0, 10, 11, 100, 101}) histogram.observe(amount);
  EXPECT_EQ(histogram.bucket(0), 2u);
  EXPECT_EQ(histogram.bucket(1), 2u);
  EXPECT_EQ(histogram.bucket(2), 1u);
  EXPECT_EQ(histogram.sum(), 222u);
}

TEST(Histogram, CountsWhatManyThreadsObserve) {
  Histogram histogram(kBounds);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int n = 0; n < 10'000; ++n) histogram.observe(1);
      });
  }
  EXPECT_EQ(histogram.bucket(0), 40'000u);
}

}  // namespace
}  // namespace pawl
