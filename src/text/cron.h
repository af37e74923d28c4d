// Cron expressions: the five fields of Unix and the six or seven of Quartz.
#pragma once

#include <array>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "text/time_zone.h"

namespace pawl::text {

inline constexpr int kCronYearMin = 1970;  // of the field for years
inline constexpr int kCronYearMax = 2099;
inline constexpr int kCronYearsSearched = 130;  // without that field no expression takes longer than 40 years
inline constexpr size_t kCronBytesMax = 1'024;

// Which values an expression names. Bit n stands for the value n.
struct CronFields {
  uint64_t seconds = 1;
  uint64_t minutes = 0;
  uint64_t hours = 0;
  uint64_t months = 0;
  uint64_t days = 0;
  uint64_t days_before_last = 0;           // L-n; bit 0 is L itself
  uint64_t workdays_near = 0;              // nW: the day from Monday to Friday nearest to n, in the same month
  uint64_t workdays_before_last = 0;       // L-nW; bit 0 is LW
  uint64_t weekdays = 0;                   // 0 is Sunday
  uint64_t weekdays_last = 0;              // nL
  std::array<uint64_t, 6> weekdays_nth{};  // n#k, by k
  bool one_day_is_enough = false;          // a day that either its date or its weekday names; else both must
  std::optional<std::bitset<kCronYearMax - kCronYearMin + 1>> years;  // from kCronYearMin; none: every year
};

// The local times that an expression names. A value: immutable, safe on many threads.
class Cron {
 public:
  explicit Cron(const CronFields& fields) : fields_(fields) {}

  // The first instant after `time` at which the clocks of `zone` show a time that the expression names. None where
  // there is no such time any more.
  //
  // Each local time counts once. Those that the clocks skip fire together, at the instant when they are skipped; those
  // that the clocks show twice fire the first time only.
  std::optional<Timestamp> next_after(Timestamp time, const TimeZone& zone) const;

 private:
  std::optional<LocalTime> next_local(LocalTime after) const;
  std::optional<std::chrono::local_days> first_day_from(std::chrono::local_days day) const;
  std::optional<std::chrono::seconds> first_time_from(std::chrono::seconds of_day) const;
  uint64_t days_of(std::chrono::year_month month) const;
  bool has_month(std::chrono::year_month month) const;

  CronFields fields_;
};

// 5 fields: minute hour day-of-month month day-of-week. Sunday is 0, 7 or SUN. Where neither day field has a star, a
// day that one of them names is enough.
// 6 or 7 fields: second minute hour day-of-month month day-of-week [year]. Sunday is 1 or SUN. One of the two day
// fields is ? or *. A range may pass its maximum (22-2). For days L, L-n, nW, LW and L-nW, for weekdays L, nL and n#k.
// Both: lists, ranges, steps, names in any case. Instead: @yearly, @annually, @monthly, @weekly, @daily, @midnight,
// @hourly.
//
// Errors: CRON_INVALID with the column in `where`; CRON_NEVER where no year has such a day.
Result<Cron> parse_cron(std::string_view text);

}  // namespace pawl::text
