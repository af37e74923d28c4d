#include "text/cron.h"

#include <gtest/gtest.h>

#include "base/zone_files.h"
#include "text/timestamp.h"

namespace pawl::text {
namespace {

Timestamp at(std::string_view text) { return parse_timestamp(text)->ceil_to_milliseconds(); }

TimeZone berlin() { return TimeZone::from_posix("CET-1CEST,M3.5.0,M10.5.0/3").value(); }
TimeZone new_york() { return TimeZone::from_posix("EST5EDT,M3.2.0,M11.1.0").value(); }
TimeZone lord_howe() { return TimeZone::from_posix("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0").value(); }

using Times = std::vector<std::string>;

// The next so many times after another one, without their seconds' fraction.
Times next(std::string_view expression, std::string_view after, int count, const TimeZone& zone = TimeZone::utc()) {
  const auto cron = parse_cron(expression);
  if (!cron) return {to_string(cron.error())};
  Times times;
  std::optional<Timestamp> time = at(after);
  for (; count > 0; --count) {
    time = cron->next_after(*time, zone);
    if (!time) break;
    times.push_back(format_timestamp(*time).substr(0, sizeof "2020-01-01T00:00:00" - 1) + "Z");
  }
  return times;
}

std::string refusal(std::string_view expression) {
  const auto cron = parse_cron(expression);
  return cron ? "none" : cron.error().code + " " + cron.error().where;
}

TEST(Cron, FollowsTheExamplesOfTheText) {
  const char* from = "2020-03-20T09:07:30Z";
  EXPECT_EQ(next("0 0/5 * * * ?", from, 2), (Times{"2020-03-20T09:10:00Z", "2020-03-20T09:15:00Z"}));
  EXPECT_EQ(next("0 0/15 * * * ?", from, 2), (Times{"2020-03-20T09:15:00Z", "2020-03-20T09:30:00Z"}));
  EXPECT_EQ(next("* * * * *", from, 2), (Times{"2020-03-20T09:08:00Z", "2020-03-20T09:09:00Z"}));
  EXPECT_EQ(next("0 * * * *", from, 2), (Times{"2020-03-20T10:00:00Z", "2020-03-20T11:00:00Z"}));
  EXPECT_EQ(next("0 */2 * * *", from, 2), (Times{"2020-03-20T10:00:00Z", "2020-03-20T12:00:00Z"}));
  EXPECT_EQ(next("0 9 8 * *", from, 2), (Times{"2020-04-08T09:00:00Z", "2020-05-08T09:00:00Z"}));
  EXPECT_EQ(next("0 15,30,45 * ? * *", from, 2), (Times{"2020-03-20T09:15:00Z", "2020-03-20T09:30:00Z"}));
}

TEST(Cron, IsLaterThanTheTimeItIsAskedFor) {
  EXPECT_EQ(next("0 * * * *", "2020-01-01T09:59:59.999Z", 1), (Times{"2020-01-01T10:00:00Z"}));
  EXPECT_EQ(next("0 * * * *", "2020-01-01T10:00:00Z", 1), (Times{"2020-01-01T11:00:00Z"}));
  EXPECT_EQ(next("0 * * * *", "2020-01-01T10:00:00.001Z", 1), (Times{"2020-01-01T11:00:00Z"}));
}

TEST(Cron, ReadsListsRangesStepsAndNames) {
  EXPECT_EQ(next("5,10-12,50/5 0 * * *", "2020-01-01T00:00:00Z", 6),
            (Times{"2020-01-01T00:05:00Z", "2020-01-01T00:10:00Z", "2020-01-01T00:11:00Z", "2020-01-01T00:12:00Z",
                   "2020-01-01T00:50:00Z", "2020-01-01T00:55:00Z"}));
  EXPECT_EQ(next("0 0 1 jan,Jul *", "2020-01-01T00:00:00Z", 2),
            (Times{"2020-07-01T00:00:00Z", "2021-01-01T00:00:00Z"}));
  EXPECT_EQ(next("10-20/5 0 * * *", "2020-01-01T00:00:00Z", 3),
            (Times{"2020-01-01T00:10:00Z", "2020-01-01T00:15:00Z", "2020-01-01T00:20:00Z"}));
  EXPECT_EQ(next("  0\t0   1 1 *  ", "2020-01-01T00:00:00Z", 1), (Times{"2021-01-01T00:00:00Z"}));
}

TEST(Cron, CountsSundayAsUnixDoes) {
  for (const char* sunday : {"0 0 * * 0", "0 0 * * 7", "0 0 * * SUN", "0 0 * * sun", "0 0 * * SUN-SUN"})
    EXPECT_EQ(next(sunday, "2020-01-01T00:00:00Z", 1), (Times{"2020-01-05T00:00:00Z"})) << sunday;
  for (const char* weekend : {"0 0 * * 6-7", "0 0 * * SAT-SUN", "0 0 * * 6,0"})
    EXPECT_EQ(next(weekend, "2020-01-01T00:00:00Z", 3),
              (Times{"2020-01-04T00:00:00Z", "2020-01-05T00:00:00Z", "2020-01-11T00:00:00Z"}))
        << weekend;
  EXPECT_EQ(next("0 0 * * 1/2", "2020-01-01T12:00:00Z", 3),
            (Times{"2020-01-03T00:00:00Z", "2020-01-06T00:00:00Z", "2020-01-08T00:00:00Z"}));
}

TEST(Cron, CountsSundayAsQuartzDoes) {
  EXPECT_EQ(next("0 0 0 ? * 1", "2020-01-01T00:00:00Z", 1), (Times{"2020-01-05T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 ? * 7", "2020-01-01T00:00:00Z", 1), (Times{"2020-01-04T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 ? * MON-FRI", "2020-01-03T00:00:00Z", 1), (Times{"2020-01-06T00:00:00Z"}));
}

TEST(Cron, IsContentWithOneOfTwoDaysInUnix) {
  // Friday, or the 13th.
  EXPECT_EQ(next("0 0 13 * 5", "2020-01-01T00:00:00Z", 4),
            (Times{"2020-01-03T00:00:00Z", "2020-01-10T00:00:00Z", "2020-01-13T00:00:00Z", "2020-01-17T00:00:00Z"}));
  // A field with a star restricts the other one.
  EXPECT_EQ(next("0 0 */2 * 5", "2020-01-01T00:00:00Z", 2), (Times{"2020-01-03T00:00:00Z", "2020-01-17T00:00:00Z"}));
}

TEST(Cron, PassesTheMaximumInQuartz) {
  EXPECT_EQ(next("0 0 22-2/2 * * ?", "2020-01-01T12:00:00Z", 4),
            (Times{"2020-01-01T22:00:00Z", "2020-01-02T00:00:00Z", "2020-01-02T02:00:00Z", "2020-01-02T22:00:00Z"}));
  EXPECT_EQ(next("0 0 0 1 NOV-FEB ?", "2020-01-01T12:00:00Z", 3),
            (Times{"2020-02-01T00:00:00Z", "2020-11-01T00:00:00Z", "2020-12-01T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 ? * FRI-MON", "2020-01-01T12:00:00Z", 5),
            (Times{"2020-01-03T00:00:00Z", "2020-01-04T00:00:00Z", "2020-01-05T00:00:00Z", "2020-01-06T00:00:00Z",
                   "2020-01-10T00:00:00Z"}));
  EXPECT_EQ(refusal("0 22-2 * * *"), "CRON_INVALID column 3");
}

TEST(Cron, FindsTheLastDayOfAMonth) {
  EXPECT_EQ(next("0 0 0 L * ?", "2020-01-31T12:00:00Z", 3),
            (Times{"2020-02-29T00:00:00Z", "2020-03-31T00:00:00Z", "2020-04-30T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 L-3 * ?", "2020-02-01T00:00:00Z", 2), (Times{"2020-02-26T00:00:00Z", "2020-03-28T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 L-30 * ?", "2020-01-15T00:00:00Z", 2), (Times{"2020-03-01T00:00:00Z", "2020-05-01T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 1,L 2 ?", "2021-01-15T00:00:00Z", 2), (Times{"2021-02-01T00:00:00Z", "2021-02-28T00:00:00Z"}));
}

TEST(Cron, FindsTheNearestWorkday) {
  // February 1st, 2020, is a Saturday, March 1st a Sunday, May 31st a Sunday.
  EXPECT_EQ(next("0 0 0 15W * ?", "2020-02-01T00:00:00Z", 2), (Times{"2020-02-14T00:00:00Z", "2020-03-16T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 1W 2 ?", "2020-01-15T00:00:00Z", 1), (Times{"2020-02-03T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 31W 5 ?", "2020-01-15T00:00:00Z", 1), (Times{"2020-05-29T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 LW * ?", "2020-01-31T12:00:00Z", 4),
            (Times{"2020-02-28T00:00:00Z", "2020-03-31T00:00:00Z", "2020-04-30T00:00:00Z", "2020-05-29T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 L-1W 5 ?", "2020-01-15T00:00:00Z", 1), (Times{"2020-05-29T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 30W 2,3 ?", "2020-01-15T00:00:00Z", 1), (Times{"2020-03-30T00:00:00Z"}));
}

TEST(Cron, FindsTheLastAndTheNthWeekday) {
  EXPECT_EQ(next("0 0 0 ? * 6L", "2020-01-01T00:00:00Z", 2), (Times{"2020-01-31T00:00:00Z", "2020-02-28T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 ? * friL", "2020-01-01T00:00:00Z", 1), (Times{"2020-01-31T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 ? * 6#3", "2020-01-01T00:00:00Z", 2), (Times{"2020-01-17T00:00:00Z", "2020-02-21T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 ? * MON#5", "2020-01-01T00:00:00Z", 2),
            (Times{"2020-03-30T00:00:00Z", "2020-06-29T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 ? * L", "2020-01-01T00:00:00Z", 1), (Times{"2020-01-04T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 ? * MON#1,WED", "2020-01-06T00:00:00Z", 2),
            (Times{"2020-01-08T00:00:00Z", "2020-01-15T00:00:00Z"}));
}

TEST(Cron, KeepsToItsYears) {
  EXPECT_EQ(next("0 0 0 1 1 ? 2022-2026/2", "2020-01-01T00:00:00Z", 9),
            (Times{"2022-01-01T00:00:00Z", "2024-01-01T00:00:00Z", "2026-01-01T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 1 1 ? 2099", "1970-01-01T00:00:00Z", 2), (Times{"2099-01-01T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 1 1 ? *", "2020-01-01T00:00:00Z", 1), (Times{"2021-01-01T00:00:00Z"}));
  EXPECT_EQ(refusal("0 0 0 1 1 ? 1969"), "CRON_INVALID column 13");
}

TEST(Cron, FindsRareDays) {
  EXPECT_EQ(next("0 0 29 2 *", "2020-03-01T00:00:00Z", 2), (Times{"2024-02-29T00:00:00Z", "2028-02-29T00:00:00Z"}));
  EXPECT_EQ(next("0 0 29 2 *", "2096-03-01T00:00:00Z", 1), (Times{"2104-02-29T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 29 2 ? 2032/1", "2020-03-01T00:00:00Z", 1), (Times{"2032-02-29T00:00:00Z"}));
  EXPECT_EQ(next("0 0 0 ? 2 FRI#5", "2092-03-01T00:00:00Z", 1), (Times{"2104-02-29T00:00:00Z"}));
}

TEST(Cron, KnowsTheWordsOfUnix) {
  EXPECT_EQ(next("@yearly", "2020-02-01T00:00:00Z", 1), (Times{"2021-01-01T00:00:00Z"}));
  EXPECT_EQ(next("@annually", "2020-02-01T00:00:00Z", 1), (Times{"2021-01-01T00:00:00Z"}));
  EXPECT_EQ(next("@monthly", "2020-02-01T00:00:00Z", 1), (Times{"2020-03-01T00:00:00Z"}));
  EXPECT_EQ(next("@weekly", "2020-02-01T00:00:00Z", 1), (Times{"2020-02-02T00:00:00Z"}));
  EXPECT_EQ(next("@daily", "2020-02-01T00:00:00Z", 1), (Times{"2020-02-02T00:00:00Z"}));
  EXPECT_EQ(next(" @Midnight ", "2020-02-01T00:00:00Z", 1), (Times{"2020-02-02T00:00:00Z"}));
  EXPECT_EQ(next("@hourly", "2020-02-01T00:00:00Z", 1), (Times{"2020-02-01T01:00:00Z"}));
  EXPECT_EQ(refusal("@reboot"), "CRON_INVALID column 1");
}

TEST(ParseCron, TellsWhatIsWrongAndWhere) {
  EXPECT_EQ(refusal("99 * * * *"), "CRON_INVALID column 1");
  EXPECT_EQ(parse_cron("99 * * * *").error().what, "The minute is not a number from 0 to 59.");
  EXPECT_EQ(refusal("* 24 * * *"), "CRON_INVALID column 3");
  EXPECT_EQ(refusal("* * 0 * *"), "CRON_INVALID column 5");
  EXPECT_EQ(refusal("* * * 13 *"), "CRON_INVALID column 7");
  EXPECT_EQ(refusal("* * * * 8"), "CRON_INVALID column 9");
  EXPECT_EQ(refusal("0 0 0 ? * 0"), "CRON_INVALID column 11");
  EXPECT_EQ(refusal("1,2,x * * * *"), "CRON_INVALID column 5");
  EXPECT_EQ(refusal("1,,2 * * * *"), "CRON_INVALID column 3");
  EXPECT_EQ(refusal("10-5 * * * *"), "CRON_INVALID column 1");
  EXPECT_EQ(refusal("*/0 * * * *"), "CRON_INVALID column 3");
  EXPECT_EQ(refusal("*/61 * * * *"), "CRON_INVALID column 3");
  EXPECT_EQ(refusal("*/ * * * *"), "CRON_INVALID column 3");
  EXPECT_EQ(refusal("-5 * * * *"), "CRON_INVALID column 1");
  EXPECT_EQ(refusal("5- * * * *"), "CRON_INVALID column 3");
  EXPECT_EQ(refusal("99999999999999999999 * * * *"), "CRON_INVALID column 1");
  EXPECT_EQ(refusal("? * * * *"), "CRON_INVALID column 1");
  EXPECT_EQ(refusal("0 0 L * *"), "CRON_INVALID column 5");
  EXPECT_EQ(refusal("0 0 * * 5#2"), "CRON_INVALID column 9");
  EXPECT_EQ(refusal("0 0 0 LX * ?"), "CRON_INVALID column 7");
  EXPECT_EQ(refusal("0 0 0 L-31 * ?"), "CRON_INVALID column 9");
  EXPECT_EQ(refusal("0 0 0 W * ?"), "CRON_INVALID column 7");
  EXPECT_EQ(refusal("0 0 0 1-5W * ?"), "CRON_INVALID column 7");
  EXPECT_EQ(refusal("0 0 0 ? * 6#6"), "CRON_INVALID column 13");
  EXPECT_EQ(refusal("0 0 0 13 * FRI"), "CRON_INVALID column 12");
}

TEST(ParseCron, CountsTheFields) {
  for (const char* text : {"", " ", "* * * *", "* * * * * * * *", "every day"})
    EXPECT_EQ(refusal(text), "CRON_INVALID column 1") << text;
  EXPECT_EQ(refusal(std::string(2'000, '*')), "CRON_INVALID column 1");
}

TEST(ParseCron, RefusesWhatNeverComesTrue) {
  EXPECT_EQ(refusal("0 0 30 2 *"), "CRON_NEVER ");
  EXPECT_EQ(refusal("0 0 31 4,6,9,11 *"), "CRON_NEVER ");
  EXPECT_EQ(refusal("0 0 0 29 2 ? 2021"), "CRON_NEVER ");
  EXPECT_EQ(refusal("0 0 30 2 1"), "none");
}

TEST(CronInAZone, FiresSkippedTimesAtTheChange) {
  EXPECT_EQ(next("30 2 * * *", "2020-03-28T12:00:00Z", 2, berlin()),
            (Times{"2020-03-29T01:00:00Z", "2020-03-30T00:30:00Z"}));
  EXPECT_EQ(next("30 2 * * *", "2020-03-07T12:00:00Z", 2, new_york()),
            (Times{"2020-03-08T07:00:00Z", "2020-03-09T06:30:00Z"}));
  EXPECT_EQ(next("15 2 * * *", "2020-10-03T12:00:00Z", 2, lord_howe()),
            (Times{"2020-10-03T15:30:00Z", "2020-10-04T15:15:00Z"}));
}

TEST(CronInAZone, FiresManySkippedTimesOnce) {
  EXPECT_EQ(next("*/20 * * * *", "2020-03-29T00:30:00Z", 3, berlin()),
            (Times{"2020-03-29T00:40:00Z", "2020-03-29T01:00:00Z", "2020-03-29T01:20:00Z"}));
}

TEST(CronInAZone, FiresRepeatedTimesOnce) {
  EXPECT_EQ(next("30 2 * * *", "2020-10-24T12:00:00Z", 2, berlin()),
            (Times{"2020-10-25T00:30:00Z", "2020-10-26T01:30:00Z"}));
  EXPECT_EQ(next("30 1 * * *", "2020-10-31T12:00:00Z", 2, new_york()),
            (Times{"2020-11-01T05:30:00Z", "2020-11-02T06:30:00Z"}));
  EXPECT_EQ(next("45 1 * * *", "2020-04-04T12:00:00Z", 2, lord_howe()),
            (Times{"2020-04-04T14:45:00Z", "2020-04-05T15:15:00Z"}));
}

TEST(CronInAZone, IsSilentWhileTheClocksShowTheHourAgain) {
  EXPECT_EQ(next("0 * * * * ?", "2020-10-25T00:59:00Z", 1, berlin()), (Times{"2020-10-25T02:00:00Z"}));
  EXPECT_EQ(next("0 * * * * ?", "2020-10-25T01:20:00Z", 1, berlin()), (Times{"2020-10-25T02:00:00Z"}));
}

TEST(CronInAZone, FollowsTheMachinesFiles) {
  if (!has_zone_files()) GTEST_SKIP() << "this machine has no time zones (Debian's package tzdata)";
  EXPECT_EQ(next("30 2 * * *", "2020-03-28T12:00:00Z", 1, find_time_zone("Europe/Berlin").value()),
            (Times{"2020-03-29T01:00:00Z"}));
  EXPECT_EQ(next("30 1 * * *", "2090-11-04T12:00:00Z", 1, find_time_zone("America/New_York").value()),
            (Times{"2090-11-05T05:30:00Z"}));
}

TEST(Cron, HasNoTimeBeyondTheCalendar) {
  const Cron cron = parse_cron("* * * * *").value();
  EXPECT_EQ(cron.next_after(kNever, berlin()), std::nullopt);
  EXPECT_EQ(cron.next_after(Timestamp::min(), berlin()), std::nullopt);
}

}  // namespace
}  // namespace pawl::text
