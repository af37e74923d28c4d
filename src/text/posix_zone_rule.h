// The rule of a time zone for the years to come, as POSIX's variable TZ and the last line of a TZif file have it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pawl::text {

inline constexpr int32_t kZoneOffsetSecondsMax = 26 * 3600;  // RFC 8536 allows from -25 to +26 hours

// A day of the year and a time on it at which the clocks are changed.
struct ZoneRuleDate {
  enum class Kind : uint8_t { kDayWithoutLeap, kDay, kWeekday };
  Kind kind = Kind::kDay;
  int day = 0;             // 1 to 365, never February 29th; or 0 to 365; or the weekday, 0 being Sunday
  int week = 0;            // 1 to 5, 5 being the last of the month
  int month = 0;           // 1 to 12
  int seconds = 2 * 3600;  // after midnight; may be negative or beyond the day

  int64_t seconds_in(int year) const;  // since 1970, by the clocks that are valid until then
};

struct PosixZoneRule {
  int32_t standard_seconds = 0;  // east of UTC
  bool has_daylight = false;
  int32_t daylight_seconds = 0;
  ZoneRuleDate start;  // of daylight-saving time
  ZoneRuleDate end;
};

//   rule   = name offset [name [offset] "," date ["/" time] "," date ["/" time]]
//   date   = "J" day | day | "M" month "." week "." weekday
//
// Offsets count west of Greenwich. Daylight-saving time without dates is none here: which dates those are differs.
std::optional<PosixZoneRule> parse_posix_zone_rule(std::string_view text);

}  // namespace pawl::text
