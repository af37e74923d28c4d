#include "text/interval.h"

#include <gtest/gtest.h>

#include "text/timestamp.h"

namespace pawl::text {
namespace {

Timestamp at(std::string_view text) { return parse_timestamp(text)->ceil_to_milliseconds(); }

const Timestamp kDeployed = at("2020-01-01T00:00:00Z");

TimeZone berlin() { return TimeZone::from_posix("CET-1CEST,M3.5.0,M10.5.0/3").value(); }

std::string window(std::string_view text) {
  const auto interval = parse_interval(text);
  if (!interval) return interval.error().code + " " + interval.error().where;
  const auto found = window_of(*interval, berlin(), kDeployed);
  return found ? format_timestamp(found->start) + " " + format_timestamp(found->end) : found.error().code;
}

TEST(ParseInterval, ReadsTheFourForms) {
  EXPECT_EQ(window("2020-03-20T13:00:00Z/2021-05-11T15:30:00Z"), "2020-03-20T13:00:00.000Z 2021-05-11T15:30:00.000Z");
  EXPECT_EQ(window("2020-03-20T13:00:00Z/P1Y2M10DT2H30M"), "2020-03-20T13:00:00.000Z 2021-05-30T15:30:00.000Z");
  EXPECT_EQ(window("P1Y2M10DT2H30M/2020-05-11T15:30:00Z"), "2020-01-01T00:00:00.000Z 2020-05-11T15:30:00.000Z");
  EXPECT_EQ(window("P1Y2M10DT2H30M"), "2020-01-01T00:00:00.000Z 2021-03-11T02:30:00.000Z");
}

TEST(ParseInterval, ClosesWithADurationThatIsOverBeforeTheEnd) {
  EXPECT_EQ(window("PT1H/2020-05-11T15:30:00Z"), "2020-01-01T00:00:00.000Z 2020-01-01T01:00:00.000Z");
}

TEST(ParseInterval, NeverOpensWhereItsEndIsOver) {
  const auto closed = window_of(parse_interval("PT1H/2019-05-11T15:30:00Z").value(), berlin(), kDeployed);
  ASSERT_TRUE(closed);
  EXPECT_FALSE(closed->contains(kDeployed));
  EXPECT_FALSE(closed->contains(at("2019-05-11T15:00:00Z")));
}

TEST(ParseInterval, ReadsOffsetsAndLocalTimes) {
  EXPECT_EQ(window("2020-03-20T13:00:00+05:30/PT1H"), "2020-03-20T07:30:00.000Z 2020-03-20T08:30:00.000Z");
  EXPECT_EQ(window("2020-03-20T13:00:00-0100/PT1H"), "2020-03-20T14:00:00.000Z 2020-03-20T15:00:00.000Z");
  EXPECT_EQ(window("2020-01-20T13:00/2020-07-20T13:00:00.5"), "2020-01-20T12:00:00.000Z 2020-07-20T11:00:00.500Z");
}

TEST(ParseInterval, TakesASkippedLocalTimeAsTheInstantOfTheChange) {
  EXPECT_EQ(window("2020-03-29T02:30:00/PT1H"), "2020-03-29T01:00:00.000Z 2020-03-29T02:00:00.000Z");
}

TEST(ParseInterval, RejectsOtherForms) {
  EXPECT_EQ(window(""), "INTERVAL_INVALID column 1");
  EXPECT_EQ(window("/"), "INTERVAL_INVALID column 1");
  EXPECT_EQ(window("2020-03-20T13:00:00Z"), "INTERVAL_INVALID column 1");
  EXPECT_EQ(window("2020-03-20T13:00:00Z/"), "INTERVAL_INVALID column 22");
  EXPECT_EQ(window("PT1H/PT1H"), "INTERVAL_INVALID column 6");
  EXPECT_EQ(window("2020-03-20T13:00:00Z/PT1H/PT1H"), "DURATION_INVALID column 26");
  EXPECT_EQ(window("2020-03-20T13:00:00Z/15:30"), "INTERVAL_INVALID column 24");
  EXPECT_EQ(window("2020-02-30T13:00:00Z/PT1H"), "INTERVAL_INVALID column 11");
  EXPECT_EQ(window("2020-02-20 13:00:00Z/PT1H"), "INTERVAL_INVALID column 11");
  EXPECT_EQ(window("2020-02-20T25:00:00Z/PT1H"), "INTERVAL_INVALID column 14");
  EXPECT_EQ(window("2020-02-20T13:00:00+1/PT1H"), "INTERVAL_INVALID column 22");
  EXPECT_EQ(window("2020-02-20T13:00:00ZZ/PT1H"), "INTERVAL_INVALID column 21");
  EXPECT_EQ(window("2020-02-20T13:00:00Z/P"), "DURATION_INVALID column 23");
  EXPECT_EQ(window("2020-02-20T13:00:00Z/-PT1H"), "INTERVAL_INVALID column 22");
  EXPECT_EQ(window("R5/PT1H"), "INTERVAL_INVALID column 1");
  EXPECT_EQ(window("9999-12-31T00:00:00Z/P2D"), "DURATION_TOO_LONG");
}

TEST(ParseInterval, RejectsAnEndBeforeTheStart) {
  EXPECT_EQ(window("2021-01-01T00:00:00Z/2020-01-01T00:00:00Z"), "INTERVAL_INVALID ");
  EXPECT_EQ(window("2020-01-01T00:00:00Z/2020-01-01T00:30:00+01:00"), "INTERVAL_INVALID ");
  EXPECT_EQ(window("2020-06-01T00:30:00/2020-05-31T22:00:00Z"), "INTERVAL_INVALID");
}

TEST(Window, HasItsFirstInstantAndNotItsLast) {
  const Window window{Timestamp(Duration(10)), Timestamp(Duration(20))};
  EXPECT_FALSE(window.contains(Timestamp(Duration(9))));
  EXPECT_TRUE(window.contains(Timestamp(Duration(10))));
  EXPECT_TRUE(window.contains(Timestamp(Duration(19))));
  EXPECT_FALSE(window.contains(Timestamp(Duration(20))));
}

TEST(ParseRepeatingInterval, ReadsTheCount) {
  const auto five = parse_repeating_interval("R5/2020-03-20T13:00:00Z/PT1H");
  ASSERT_TRUE(five);
  EXPECT_EQ(five->count, 5u);
  EXPECT_EQ(five->interval, parse_interval("2020-03-20T13:00:00Z/PT1H"));
  EXPECT_EQ(parse_repeating_interval("R/PT1H")->count, std::nullopt);
  EXPECT_EQ(parse_repeating_interval("R0/PT1H")->count, 0u);
}

TEST(ParseRepeatingInterval, RejectsOtherForms) {
  const auto where = [](std::string_view text) { return parse_repeating_interval(text).error().where; };
  EXPECT_EQ(where("PT1H"), "column 1");
  EXPECT_EQ(where("R"), "column 2");
  EXPECT_EQ(where("R-1/PT1H"), "column 2");
  EXPECT_EQ(where("R5PT1H"), "column 3");
  EXPECT_EQ(where("R5/P"), "column 5");
  EXPECT_EQ(where("R99999999999/PT1H"), "column 12");
}

TEST(ParseRepeatedDuration, ReadsRetries) {
  const auto five = parse_repeated_duration("R5/PT15M");
  ASSERT_TRUE(five);
  EXPECT_EQ(five->count, 5u);
  EXPECT_EQ(five->duration, parse_duration("PT15M"));
  const auto plain = parse_repeated_duration("PT2M");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->count, std::nullopt);
  EXPECT_EQ(plain->duration, parse_duration("PT2M"));
}

TEST(ParseRepeatedDuration, RejectsDatesAndNegativeDurations) {
  EXPECT_EQ(parse_repeated_duration("R5/2020-03-20T13:00:00Z/PT1H").error().code, "INTERVAL_INVALID");
  EXPECT_EQ(parse_repeated_duration("-PT2M").error().code, "INTERVAL_INVALID");
  EXPECT_EQ(parse_repeated_duration("two minutes").error().code, "DURATION_INVALID");
}

}  // namespace
}  // namespace pawl::text
