#include "text/time_zone.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/zone_files.h"
#include "text/timestamp.h"

namespace pawl::text {
namespace {

Timestamp at(std::string_view text) { return parse_timestamp(text)->ceil_to_milliseconds(); }
LocalTime local(std::string_view text) { return LocalTime(at(text).time_since_epoch()); }

// Local times are written with the Z of the timestamps that they are read from.
std::string shown(const TimeZone& zone, std::string_view utc) {
  return format_timestamp(Timestamp(zone.to_local(at(utc)).time_since_epoch()));
}
std::string instant(const TimeZone& zone, std::string_view shown) {
  return format_timestamp(zone.to_utc(local(shown)));
}

#define PAWL_REQUIRE_ZONES() \
  if (!has_zone_files()) GTEST_SKIP() << "this machine has no time zones (Debian's package tzdata)"

TEST(TimeZone, KnowsUtcWithoutFiles) {
  EXPECT_EQ(TimeZone::utc().name(), "UTC");
  EXPECT_EQ(shown(TimeZone::utc(), "2020-07-01T12:00:00.5Z"), "2020-07-01T12:00:00.500Z");
  EXPECT_EQ(find_time_zone("UTC")->name(), "UTC");
}

TEST(TimeZone, ChangesItsOffsetWithTheSeasons) {
  PAWL_REQUIRE_ZONES();
  const TimeZone berlin = find_time_zone("Europe/Berlin").value();
  EXPECT_EQ(shown(berlin, "2020-01-01T12:00:00Z"), "2020-01-01T13:00:00.000Z");
  EXPECT_EQ(shown(berlin, "2020-07-01T12:00:00Z"), "2020-07-01T14:00:00.000Z");
  EXPECT_EQ(shown(berlin, "2020-03-29T00:59:59Z"), "2020-03-29T01:59:59.000Z");
  EXPECT_EQ(shown(berlin, "2020-03-29T01:00:00Z"), "2020-03-29T03:00:00.000Z");
  const TimeZone lord_howe = find_time_zone("Australia/Lord_Howe").value();
  EXPECT_EQ(shown(lord_howe, "2020-01-01T00:00:00Z"), "2020-01-01T11:00:00.000Z");
  EXPECT_EQ(shown(lord_howe, "2020-07-01T00:00:00Z"), "2020-07-01T10:30:00.000Z");
}

TEST(TimeZone, KnowsTheTimeBeforeThereWereZones) {
  PAWL_REQUIRE_ZONES();
  EXPECT_EQ(find_time_zone("Europe/Berlin")->offset_at(at("1800-01-01T00:00:00Z")), std::chrono::seconds(3'208));
}

TEST(TimeZone, GoesOnByItsRuleInTheFarFuture) {
  PAWL_REQUIRE_ZONES();
  const TimeZone stockholm = find_time_zone("Europe/Stockholm").value();
  EXPECT_EQ(instant(stockholm, "2090-07-01T12:00:00Z"), "2090-07-01T10:00:00.000Z");
  EXPECT_EQ(instant(stockholm, "2090-12-01T12:00:00Z"), "2090-12-01T11:00:00.000Z");
  EXPECT_EQ(instant(stockholm, "2890-07-01T12:00:00Z"), "2890-07-01T10:00:00.000Z");
  EXPECT_EQ(instant(stockholm, "9890-07-01T12:00:00Z"), "9890-07-01T10:00:00.000Z");
  EXPECT_EQ(shown(stockholm, "9890-12-01T12:00:00Z"), "9890-12-01T13:00:00.000Z");
}

TEST(TimeZone, TakesASkippedTimeAsTheInstantOfTheChange) {
  PAWL_REQUIRE_ZONES();
  const TimeZone berlin = find_time_zone("Europe/Berlin").value();
  EXPECT_EQ(instant(berlin, "2020-03-29T01:59:59Z"), "2020-03-29T00:59:59.000Z");
  EXPECT_EQ(instant(berlin, "2020-03-29T02:00:00Z"), "2020-03-29T01:00:00.000Z");
  EXPECT_EQ(instant(berlin, "2020-03-29T02:59:59.999Z"), "2020-03-29T01:00:00.000Z");
  EXPECT_EQ(instant(berlin, "2020-03-29T03:00:00Z"), "2020-03-29T01:00:00.000Z");
  EXPECT_EQ(instant(berlin, "2420-03-29T02:30:00Z"), "2420-03-29T01:00:00.000Z");
  // Samoa had no December 30th in 2011.
  EXPECT_EQ(instant(find_time_zone("Pacific/Apia").value(), "2011-12-30T12:00:00Z"), "2011-12-30T10:00:00.000Z");
}

TEST(TimeZone, TakesTheFirstOfATimeThatIsShownTwice) {
  PAWL_REQUIRE_ZONES();
  const TimeZone new_york = find_time_zone("America/New_York").value();
  EXPECT_EQ(instant(new_york, "2020-11-01T00:59:59Z"), "2020-11-01T04:59:59.000Z");
  EXPECT_EQ(instant(new_york, "2020-11-01T01:00:00Z"), "2020-11-01T05:00:00.000Z");
  EXPECT_EQ(instant(new_york, "2020-11-01T01:59:59Z"), "2020-11-01T05:59:59.000Z");
  EXPECT_EQ(instant(new_york, "2020-11-01T02:00:00Z"), "2020-11-01T07:00:00.000Z");
  const TimeZone lord_howe = find_time_zone("Australia/Lord_Howe").value();
  EXPECT_EQ(instant(lord_howe, "2020-04-05T01:45:00Z"), "2020-04-04T14:45:00.000Z");
  EXPECT_EQ(instant(lord_howe, "2020-04-05T02:00:00Z"), "2020-04-04T15:30:00.000Z");
}

TEST(TimeZone, ComesBackToEachInstantOrToTheFirstOfTwo) {
  PAWL_REQUIRE_ZONES();
  SeededRandom random(1);
  for (const char* name : {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca",
                           "Pacific/Apia", "Asia/Kathmandu", "America/Sao_Paulo", "Antarctica/Troll", "Etc/GMT+5"}) {
    const TimeZone zone = find_time_zone(name).value();
    for (int i = 0; i < 20'000; ++i) {
      const Timestamp time(std::chrono::minutes(static_cast<int64_t>(random.next() % 150'000'000) - 40'000'000));
      const LocalTime shown_then = zone.to_local(time);
      const Timestamp back = zone.to_utc(shown_then);
      ASSERT_LE(back, time) << name;
      ASSERT_EQ(zone.to_local(back), shown_then) << name << " " << format_timestamp(time);
    }
  }
}

TEST(TimeZone, ReadsRules) {
  const TimeZone rule = TimeZone::from_posix("CET-1CEST,M3.5.0,M10.5.0/3").value();
  EXPECT_EQ(shown(rule, "2020-03-29T00:59:59Z"), "2020-03-29T01:59:59.000Z");
  EXPECT_EQ(shown(rule, "2020-03-29T01:00:00Z"), "2020-03-29T03:00:00.000Z");
  EXPECT_EQ(shown(rule, "2500-10-31T00:59:59Z"), "2500-10-31T02:59:59.000Z");
  EXPECT_EQ(shown(rule, "2500-10-31T01:00:00Z"), "2500-10-31T02:00:00.000Z");
  EXPECT_EQ(shown(TimeZone::from_posix("<+0530>-5:30").value(), "2020-01-01T00:00:00Z"), "2020-01-01T05:30:00.000Z");
  EXPECT_EQ(shown(TimeZone::from_posix("XST3").value(), "2020-01-01T12:00:00Z"), "2020-01-01T09:00:00.000Z");
  const TimeZone by_day = TimeZone::from_posix("AAA0BBB,J60/0,J300/0").value();
  EXPECT_EQ(shown(by_day, "2020-02-29T23:59:59Z"), "2020-02-29T23:59:59.000Z");
  EXPECT_EQ(shown(by_day, "2020-03-01T00:00:00Z"), "2020-03-01T01:00:00.000Z");
  const TimeZone by_leap_day = TimeZone::from_posix("AAA0BBB,59/0,300/0").value();
  EXPECT_EQ(shown(by_leap_day, "2020-02-29T00:00:00Z"), "2020-02-29T01:00:00.000Z");
}

TEST(TimeZone, MayHaveDaylightSavingTimeAllTheYear) {
  const TimeZone zone = TimeZone::from_posix("EST5EDT,0/0,J365/25").value();
  for (const char* time : {"2020-01-01T05:00:00Z", "2020-06-01T00:00:00Z", "2020-12-31T23:59:59Z"})
    EXPECT_EQ(zone.offset_at(at(time)), std::chrono::hours(-4)) << time;
}

TEST(TimeZone, RejectsWhatIsNoRule) {
  for (const char* text :
       {"", "X", "XST", "XST3EDT", "XST99", "XST3EDT,M13.1.0,M1.1.0", "XST3EDT,M1.6.0,M1.1.0", "XST3EDT,M1.1.7,M1.1.0",
        "XST3EDT,M3.2.0", "XST3EDT,J0,J10", "XST3EDT,366,10", "<+03-3", "XST3EDT,M3.2.0,M11.1.0,", "XST3x"})
    EXPECT_FALSE(TimeZone::from_posix(text)) << text;
}

TEST(TimeZone, RejectsADamagedFile) {
  PAWL_REQUIRE_ZONES();
  const std::string bytes = read_zone_file("Europe/Berlin").value();
  ASSERT_TRUE(TimeZone::from_tzif("x", bytes));
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto zone = TimeZone::from_tzif("x", std::string_view(bytes).substr(0, size));
    ASSERT_FALSE(zone) << size;
    ASSERT_EQ(zone.error().code, "TIME_ZONE_INVALID");
  }
  std::string old = bytes;
  old[4] = '\0';  // version 1
  EXPECT_FALSE(TimeZone::from_tzif("x", old));
}

TEST(FindTimeZone, RefusesNamesThatAreNone) {
  for (const char* name : {"", "Mars/Olympus", "Europe", "../../../etc/passwd", "/etc/localtime", "Europe/Berlin\n",
                           "Europe/../UTC", "tzdata.zi"})
    EXPECT_EQ(find_time_zone(name).error().code, "TIME_ZONE_UNKNOWN") << name;
}

TEST(LocalTimeZone, IsThereOnEveryMachine) {
  const auto zone = local_time_zone();
  ASSERT_TRUE(zone) << to_string(zone.error());
  EXPECT_FALSE(zone->name().empty());
}

// Sets TZ for as long as it lives.
class Variable {
 public:
  explicit Variable(const char* value) {
    if (const char* old = std::getenv("TZ")) old_ = old;
    setenv("TZ", value, 1);
  }
  ~Variable() { old_ ? setenv("TZ", old_->c_str(), 1) : unsetenv("TZ"); }

 private:
  std::optional<std::string> old_;
};

TEST(LocalTimeZone, FollowsTheVariable) {
  const Variable rule("XST3");
  EXPECT_EQ(local_time_zone()->offset_at(Timestamp{}), std::chrono::hours(-3));
  const Variable empty("");
  EXPECT_EQ(local_time_zone()->name(), "UTC");
  const Variable wrong(":No/Where");
  EXPECT_EQ(local_time_zone().error().code, "TIME_ZONE_UNKNOWN");
  PAWL_REQUIRE_ZONES();
  const Variable name(":Asia/Tokyo");
  EXPECT_EQ(local_time_zone()->name(), "Asia/Tokyo");
}

}  // namespace
}  // namespace pawl::text
