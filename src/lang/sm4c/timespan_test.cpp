#include "lang/sm4c/timespan.h"

#include <gtest/gtest.h>

namespace pawl::sm4c {
namespace {

using namespace std::chrono_literals;

Duration parsed(std::string_view text) {
  const auto timespan = parse_timespan(text);
  EXPECT_TRUE(timespan.has_value()) << text;
  return timespan ? timespan->rest : Duration::min();
}

TEST(ParseTimespan, ReadsHoursMinutesSecondsAndFractions) {
  EXPECT_EQ(parsed("00:00:10"), 10s);
  EXPECT_EQ(parsed("01:02"), 1h + 2min);
  EXPECT_EQ(parsed("1.12:00:00"), 36h);
  EXPECT_EQ(parsed("00:00:00.5"), 500ms);
  EXPECT_EQ(parsed("10.00:00:01.25"), 240h + 1s + 250ms);
  EXPECT_EQ(parsed("-00:01"), -1min);
}

TEST(ParseTimespan, ReadsABareNumberAsDays) {
  EXPECT_EQ(parsed("10"), 240h);
  EXPECT_TRUE(is_bare_days("10"));
  EXPECT_FALSE(is_bare_days("10:00"));
}

TEST(ParseTimespan, ReadsIsoDurations) {
  EXPECT_EQ(parsed("PT15M"), 15min);
  EXPECT_EQ(parse_timespan("P1M")->months, 1);
}

TEST(ParseTimespan, RoundsUpBelowAMillisecond) { EXPECT_EQ(parsed("00:00:00.0000001"), 1ms); }

TEST(ParseTimespan, RejectsWhatIsNoTimespan) {
  for (const char* text : {"", "-", "24:00", "00:60", "00:00:60", "1:2:3:4", "00:00:01.12345678", "ten", "1.5", ":",
                           "1d", "00:", "PT", "99999999", "00:00:1.", "5.", "+1", " 00:01"})
    EXPECT_FALSE(parse_timespan(text).has_value()) << text;
}

}  // namespace
}  // namespace pawl::sm4c
