#include "text/timestamp.h"

#include <gtest/gtest.h>

namespace pawl::text {
namespace {

std::string canonical(std::string_view text) {
  const auto instant = parse_timestamp(text);
  return instant ? format_timestamp(instant->ceil_to_milliseconds()) : "no timestamp";
}

TEST(ParseTimestamp, ReadsUtcAndOffsets) {
  EXPECT_EQ(canonical("2016-03-14T01:59:00Z"), "2016-03-14T01:59:00.000Z");
  EXPECT_EQ(canonical("2016-03-14T01:59:00+05:30"), "2016-03-13T20:29:00.000Z");
  EXPECT_EQ(canonical("2016-12-31T23:59:00-00:01"), "2017-01-01T00:00:00.000Z");
  EXPECT_EQ(canonical("0000-01-01T00:00:00Z"), "0000-01-01T00:00:00.000Z");
  EXPECT_EQ(canonical("9999-12-31T23:59:59.999Z"), "9999-12-31T23:59:59.999Z");
}

TEST(ParseTimestamp, KeepsNanoseconds) {
  EXPECT_EQ(parse_timestamp("1970-01-01T00:00:01.123456789Z"), (Instant{1, 123456789}));
  EXPECT_EQ(parse_timestamp("1970-01-01T00:00:01.5Z"), (Instant{1, 500000000}));
  EXPECT_EQ(parse_timestamp("1970-01-01T00:00:01.1234567899999Z"), (Instant{1, 123456789}));
  EXPECT_EQ(parse_timestamp("1969-12-31T23:59:59.25Z"), (Instant{-1, 250000000}));
}

TEST(ParseTimestamp, OrdersByInstant) {
  EXPECT_LT(parse_timestamp("2020-01-01T00:00:00.000000001Z"), parse_timestamp("2020-01-01T00:00:00.000000002Z"));
  EXPECT_EQ(parse_timestamp("2020-01-01T01:00:00+01:00"), parse_timestamp("2020-01-01T00:00:00Z"));
}

TEST(ParseTimestamp, RejectsOtherForms) {
  for (const char* text : {"", "2016-03-14", "2016-03-14T01:59:00", "2016-03-14t01:59:00Z", "2016-03-14T01:59:00z",
                           "2016-03-14 01:59:00Z", "2016-03-14T01:59Z", "2016-3-14T01:59:00Z", "14-03-2016T01:59:00Z",
                           "2016-03-14T01:59:00.Z", "2016-03-14T01:59:00,5Z", "2016-03-14T01:59:00+0530",
                           "2016-03-14T01:59:00+05", "2016-03-14T01:59:00Z ", " 2016-03-14T01:59:00Z",
                           "+2016-03-14T01:59:00Z", "20160314T015900Z", "2016-03-14T01:59:00+05:30Z", "{% $now() %}"})
    EXPECT_FALSE(parse_timestamp(text)) << text;
}

TEST(ParseTimestamp, ChecksTheRangeOfEveryPart) {
  for (const char* text :
       {"2016-00-14T01:59:00Z", "2016-13-14T01:59:00Z", "2016-03-00T01:59:00Z", "2016-03-32T01:59:00Z",
        "2016-04-31T01:59:00Z", "2016-03-14T24:00:00Z", "2016-03-14T25:59:00Z", "2016-03-14T01:60:00Z",
        "2016-03-14T01:59:61Z", "2016-03-14T01:59:00+24:00", "2016-03-14T01:59:00+05:60"})
    EXPECT_FALSE(parse_timestamp(text)) << text;
}

TEST(ParseTimestamp, KnowsLeapYears) {
  EXPECT_TRUE(parse_timestamp("2016-02-29T00:00:00Z"));
  EXPECT_TRUE(parse_timestamp("2000-02-29T00:00:00Z"));
  EXPECT_FALSE(parse_timestamp("2015-02-29T00:00:00Z"));
  EXPECT_FALSE(parse_timestamp("1900-02-29T00:00:00Z"));
}

TEST(ParseTimestamp, AcceptsALeapSecondAtTheEndOfAMonth) {
  EXPECT_EQ(canonical("2016-12-31T23:59:60Z"), "2017-01-01T00:00:00.000Z");
  EXPECT_EQ(canonical("1990-12-31T15:59:60-08:00"), "1991-01-01T00:00:00.000Z");
  EXPECT_FALSE(parse_timestamp("2016-12-30T23:59:60Z"));
  EXPECT_FALSE(parse_timestamp("2016-12-31T23:58:60Z"));
  EXPECT_FALSE(parse_timestamp("2016-12-31T23:59:60+01:00"));
}

TEST(Instant, IsNeverEarlierInMilliseconds) {
  EXPECT_EQ(canonical("2020-01-01T00:00:00.000000001Z"), "2020-01-01T00:00:00.001Z");
  EXPECT_EQ(canonical("2020-01-01T00:00:00.001Z"), "2020-01-01T00:00:00.001Z");
  EXPECT_EQ(canonical("1969-12-31T23:59:59.9999Z"), "1970-01-01T00:00:00.000Z");
}

TEST(FormatTimestamp, WritesFarYearsWithASign) {
  EXPECT_EQ(format_timestamp(Timestamp(Duration(253402300800000))), "+010000-01-01T00:00:00.000Z");
  EXPECT_EQ(format_timestamp(Timestamp(Duration(-62167219200001))), "-000001-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace pawl::text
