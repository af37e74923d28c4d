#include "lang/serverless/retry.h"

#include <gtest/gtest.h>

#include "text/duration.h"

namespace pawl::serverless {
namespace {

// Always the same: 0 is the least that there is, UINT64_MAX the most.
class Loaded final : public Random {
 public:
  explicit Loaded(uint64_t number) : number_(number) {}
  uint64_t next() override { return number_; }

 private:
  uint64_t number_;
};

DurationField duration(std::string_view text) {
  return {.text = std::string(text), .value = text::parse_duration(text).value()};
}

Retry every(std::string_view interval) {
  Retry retry;
  retry.interval = duration(interval);
  return retry;
}

constexpr Timestamp kNow = Timestamp(Duration(1'000'000));
constexpr uint64_t kMost = UINT64_MAX;
constexpr uint64_t kMiddle = uint64_t{1} << 63;

// How long the first retry waits.
Duration wait_of(const Retry& retry, uint64_t number) {
  Loaded random(number);
  const Value error = Value::empty_object().with_member("name", Value::string("E"));
  const auto due = find_retry({retry}, Value::empty_object(), error, {}, kNow, random);
  return due && *due ? (*due)->time - kNow : Duration(-1);
}

TEST(RetryJitter, SwingsByAPartOfTheWaitToBothSides) {
  Retry retry = every("PT10S");
  retry.relative_jitter = 0.3;
  EXPECT_EQ(wait_of(retry, 0), Duration(7'000));
  EXPECT_EQ(wait_of(retry, kMiddle), Duration(10'000));
  EXPECT_EQ(wait_of(retry, kMost), Duration(13'000));
}

TEST(RetryJitter, SwingsByATimeOfItsOwn) {
  Retry retry = every("PT10S");
  retry.absolute_jitter = duration("PT4S");
  EXPECT_EQ(wait_of(retry, 0), Duration(6'000));
  EXPECT_EQ(wait_of(retry, kMost), Duration(14'000));
}

TEST(RetryJitter, NeverLeadsIntoThePast) {
  Retry retry = every("PT1S");
  retry.absolute_jitter = duration("PT1M");
  EXPECT_EQ(wait_of(retry, 0), Duration(0));
}

TEST(RetryJitter, IsNoneWhereNoneIsGiven) {
  EXPECT_EQ(wait_of(every("PT10S"), 0), Duration(10'000));
  EXPECT_EQ(wait_of(every("PT10S"), kMost), Duration(10'000));
}

TEST(Fits, IsForTheErrorOfTheNameOnly) {
  const Value error = Value::empty_object().with_member("name", Value::string("Busy"));
  EXPECT_TRUE(fits(std::nullopt, "Busy", Value::empty_object(), error).value());
  EXPECT_FALSE(fits(std::nullopt, "busy", Value::empty_object(), error).value());
  EXPECT_TRUE(fits(std::nullopt, "", Value::empty_object(), error).value());
  EXPECT_FALSE(fits(std::nullopt, "", Value::empty_object(), Value()).value());
}

}  // namespace
}  // namespace pawl::serverless
