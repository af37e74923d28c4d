// When a retry comes: the delay, how it grows, how far it swings, and its bound.
#include "lang/sm4c/retry.h"

#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "lang/sm4c/timespan.h"

namespace pawl::sm4c {
namespace {

using std::chrono::seconds;

// Gives the same number always: unit() is 0, a half, or as good as 1.
class Fixed final : public Random {
 public:
  explicit Fixed(uint64_t number) : number_(number) {}
  uint64_t next() override { return number_; }

 private:
  uint64_t number_;
};

constexpr uint64_t kLowest = 0;
constexpr uint64_t kMiddle = 1ULL << 63;
constexpr uint64_t kHighest = ~0ULL;

std::optional<Timespan> timespan(std::string_view text) {
  return Timespan{std::string(text), parse_timespan(text).value()};
}

// How long the wait before this retry is.
Duration wait_before(const RetryPolicy& policy, uint32_t retries, uint64_t chance = kMiddle) {
  Fixed random(chance);
  const auto due = next_try(policy, retries, Timestamp(), random);
  EXPECT_TRUE(due.has_value());
  return due.has_value() ? *due - Timestamp() : Duration::min();
}

RetryPolicy with_delay(std::string_view delay) {
  RetryPolicy policy;
  policy.delay = timespan(delay);
  return policy;
}

TEST(NextTry, IsTheSameAfterEachTryWithADelayAlone) {
  EXPECT_EQ(wait_before(with_delay("00:00:04"), 0), seconds(4));
  EXPECT_EQ(wait_before(with_delay("00:00:04"), 7), seconds(4));
}

TEST(NextTry, ComesLaterByTheIncrementEachTime) {
  RetryPolicy policy = with_delay("00:00:04");
  policy.increment = timespan("00:00:03");
  EXPECT_EQ(wait_before(policy, 0), seconds(4));
  EXPECT_EQ(wait_before(policy, 1), seconds(7));
  EXPECT_EQ(wait_before(policy, 2), seconds(10));
}

TEST(NextTry, ComesLaterByTheMultiplierEachTimeUpToMaxDelay) {
  RetryPolicy policy = with_delay("00:00:01");
  policy.multiplier = 3;
  policy.max_delay = timespan("00:00:08");
  EXPECT_EQ(wait_before(policy, 0), seconds(1));
  EXPECT_EQ(wait_before(policy, 1), seconds(3));
  EXPECT_EQ(wait_before(policy, 2), seconds(8));
}

TEST(NextTry, SwingsByAPartOfTheDelayInEitherDirection) {
  RetryPolicy policy = with_delay("00:00:10");
  policy.relative_jitter = 0.5;
  EXPECT_EQ(wait_before(policy, 0, kLowest), seconds(5));
  EXPECT_EQ(wait_before(policy, 0, kMiddle), seconds(10));
  EXPECT_EQ(wait_before(policy, 0, kHighest), seconds(15));
}

TEST(NextTry, SwingsByATimeInEitherDirectionButNeverBeforeNow) {
  RetryPolicy policy = with_delay("00:00:01");
  policy.absolute_jitter = timespan("00:00:03");
  EXPECT_EQ(wait_before(policy, 0, kLowest), seconds(0));
  EXPECT_EQ(wait_before(policy, 0, kHighest), seconds(4));
}

TEST(NextTry, StaysBelowMaxDelayWhateverTheJitter) {
  RetryPolicy policy = with_delay("00:00:10");
  policy.relative_jitter = 1;
  policy.max_delay = timespan("00:00:12");
  EXPECT_EQ(wait_before(policy, 0, kHighest), seconds(12));
}

TEST(NextTry, BoundsWhatGrowsBeyondAllTimes) {
  RetryPolicy policy = with_delay("00:00:00.001");
  policy.multiplier = 1e300;
  EXPECT_EQ(wait_before(policy, 4), Duration(static_cast<int64_t>(kRetryDelayMsMax)));
  policy.delay = timespan("00:00");
  EXPECT_EQ(wait_before(policy, 4), Duration(0));
}

}  // namespace
}  // namespace pawl::sm4c
