#include "text/duration.h"

#include <gtest/gtest.h>

#include "text/timestamp.h"

namespace pawl::text {
namespace {

constexpr int64_t kSecond = 1'000;
constexpr int64_t kHour = 3'600 * kSecond;
constexpr int64_t kDay = 24 * kHour;

CalendarDuration duration(int64_t months, int64_t milliseconds) { return {months, Duration(milliseconds)}; }

Timestamp at(std::string_view text) { return parse_timestamp(text)->ceil_to_milliseconds(); }

std::string code_of(std::string_view text) {
  const auto result = parse_duration(text);
  return result ? "none" : result.error().code;
}

std::string sum(std::string_view time, std::string_view text) {
  const auto result = add(at(time), parse_duration(text).value());
  return result ? format_timestamp(*result) : result.error().code;
}

TEST(ParseDuration, ReadsEveryPart) {
  EXPECT_EQ(parse_duration("P1Y2M10DT2H30M5S"), duration(14, 10 * kDay + 2 * kHour + 1'805 * kSecond));
  EXPECT_EQ(parse_duration("P2DT3H4M"), duration(0, 2 * kDay + 3 * kHour + 240 * kSecond));
  EXPECT_EQ(parse_duration("PT15M"), duration(0, 900 * kSecond));
  EXPECT_EQ(parse_duration("P3W"), duration(0, 21 * kDay));
  EXPECT_EQ(parse_duration("P0D"), duration(0, 0));
  EXPECT_EQ(parse_duration("PT0036H"), duration(0, 36 * kHour));
}

TEST(ParseDuration, TellsMonthsFromMinutes) {
  EXPECT_EQ(parse_duration("P5M"), duration(5, 0));
  EXPECT_EQ(parse_duration("PT5M"), duration(0, 300 * kSecond));
  EXPECT_EQ(parse_duration("P5MT5M"), duration(5, 300 * kSecond));
}

TEST(ParseDuration, ReadsADayBehindT) {
  EXPECT_EQ(parse_duration("PT1D"), duration(0, kDay));
  EXPECT_EQ(parse_duration("PT1DT1H").error().code, "DURATION_INVALID");
  EXPECT_EQ(parse_duration("P1DT1D").error().code, "DURATION_INVALID");
}

TEST(ParseDuration, GivesBothPartsTheSign) {
  EXPECT_EQ(parse_duration("-P1YT1S"), duration(-12, -kSecond));
  EXPECT_TRUE(parse_duration("-PT0.5S")->is_negative());
  EXPECT_FALSE(parse_duration("-PT0S")->is_negative());
  EXPECT_TRUE(parse_duration("-PT0S")->is_zero());
}

TEST(ParseDuration, ReadsAFractionOfTheLastPart) {
  EXPECT_EQ(parse_duration("PT0.5S"), duration(0, 500));
  EXPECT_EQ(parse_duration("PT1,25H"), duration(0, 75 * 60 * kSecond));
  EXPECT_EQ(parse_duration("P0.5W"), duration(0, 3 * kDay + 12 * kHour));
  EXPECT_EQ(parse_duration("P1DT0.1M"), duration(0, kDay + 6 * kSecond));
  EXPECT_EQ(parse_duration("P1.5Y"), duration(18, 0));
  EXPECT_EQ(parse_duration("P0.5M"), duration(0, 15 * kDay));
  EXPECT_EQ(parse_duration("P0.125Y"), duration(1, 15 * kDay));
}

TEST(ParseDuration, RoundsUpSoThatNoTimerIsEarly) {
  EXPECT_EQ(parse_duration("PT0.0001S"), duration(0, 1));
  EXPECT_EQ(parse_duration("PT0.001S"), duration(0, 1));
  EXPECT_EQ(parse_duration("PT0.0010000000001S"), duration(0, 2));
  EXPECT_EQ(parse_duration("PT0.0010000000000S"), duration(0, 1));
  EXPECT_EQ(parse_duration("-PT0.0001S"), duration(0, -1));
}

TEST(ParseDuration, RejectsOtherForms) {
  for (const char* text :
       {"",       "P",        "PT",      "-",     "-P",      "P1",       "1D",       "p1d",   "P1d",   "+P1D",
        "--P1D",  "P-1D",     "P1DT",    "PT1",   "P1H",     "PT1Y",     "PT1W",     "P1W2D", "P1D2W", "P1WT1H",
        "P1M1Y",  "PT1S1M",   "P1D1D",   "PT1.S", "PT.5S",   "P0.5DT1H", "PT1H ",    " PT1H", "PT1H/", "P1Y 2M",
        "PT1e3S", "PT1.5.5S", "P1DTT1H", "PTT1H", "R5/PT1M", "10",       "P\xC3\xA4"})
    EXPECT_EQ(code_of(text), "DURATION_INVALID") << text;
}

TEST(ParseDuration, TellsTheColumn) {
  EXPECT_EQ(parse_duration("P").error().where, "column 2");
  EXPECT_EQ(parse_duration("P1DT5X").error().where, "column 6");
  EXPECT_EQ(parse_duration("PT5X", 10).error().where, "column 14");
}

TEST(ParseDuration, RejectsWhatIsTooLong) {
  for (const char* text : {"P10001Y", "PT99999999999999999999S", "PT9223372036854775807H", "P9223372036854775807Y",
                           "P120001M", "P9999999D", "PT9223372036854775807.9S"})
    EXPECT_EQ(code_of(text), "DURATION_TOO_LONG") << text;
  EXPECT_TRUE(parse_duration("P10000Y"));
}

TEST(AddDuration, CountsMonthsOnTheCalendar) {
  EXPECT_EQ(sum("2020-03-20T13:00:00Z", "P1Y2M10DT2H30M"), "2021-05-30T15:30:00.000Z");
  EXPECT_EQ(sum("2020-12-15T00:00:00Z", "P1M"), "2021-01-15T00:00:00.000Z");
  EXPECT_EQ(sum("2020-03-31T12:00:00Z", "-P1M"), "2020-02-29T12:00:00.000Z");
  EXPECT_EQ(sum("2020-03-01T00:00:00Z", "-PT1S"), "2020-02-29T23:59:59.000Z");
}

TEST(AddDuration, StaysInTheMonthWhereItHasNoSuchDay) {
  EXPECT_EQ(sum("2021-01-31T08:00:00Z", "P1M"), "2021-02-28T08:00:00.000Z");
  EXPECT_EQ(sum("2020-01-31T08:00:00Z", "P1M"), "2020-02-29T08:00:00.000Z");
  EXPECT_EQ(sum("2020-02-29T00:00:00Z", "P1Y"), "2021-02-28T00:00:00.000Z");
  EXPECT_EQ(sum("2020-02-29T00:00:00Z", "P4Y"), "2024-02-29T00:00:00.000Z");
  EXPECT_EQ(sum("2021-01-31T00:00:00Z", "P1M1D"), "2021-03-01T00:00:00.000Z");
}

TEST(AddDuration, RefusesToLeaveTheCalendar) {
  EXPECT_EQ(sum("9999-12-31T23:59:59Z", "PT0.999S"), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(sum("9999-12-31T23:59:59Z", "PT1S"), "DURATION_TOO_LONG");
  EXPECT_EQ(sum("2020-01-01T00:00:00Z", "P10000Y"), "DURATION_TOO_LONG");
  EXPECT_EQ(sum("0000-01-01T00:00:00Z", "-P10000Y"), "DURATION_TOO_LONG");
  EXPECT_EQ(add(kNever, CalendarDuration{}).error().code, "DURATION_TOO_LONG");
  EXPECT_EQ(add(Timestamp::min(), CalendarDuration{}).error().code, "DURATION_TOO_LONG");
}

TEST(CalendarDuration, IsAddedAndMultipliedPartByPart) {
  EXPECT_EQ(plus(duration(1, 2), duration(10, 20)), duration(11, 22));
  EXPECT_EQ(times(duration(2, -3), 4), duration(8, -12));
  EXPECT_EQ(plus(duration(120'000, 0), duration(1, 0)).error().code, "DURATION_TOO_LONG");
  EXPECT_EQ(times(duration(0, kDay), INT64_MAX).error().code, "DURATION_TOO_LONG");
  EXPECT_EQ(times(duration(1, 0), INT64_MIN).error().code, "DURATION_TOO_LONG");
}

}  // namespace
}  // namespace pawl::text
