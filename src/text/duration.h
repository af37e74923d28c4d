// ISO 8601 durations: P1Y2M10DT2H30M, P3W, PT0.5S, -PT5M.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace pawl::text {

inline constexpr int64_t kDurationYearsMax = 10'000;
inline constexpr int kCalendarYearMax = 9'999;  // a sum beyond it, or before its negative, is an error

// A length of time whose years and months are kept apart, because how long they are depends on where they begin.
// Both parts have the sign of the duration.
struct CalendarDuration {
  int64_t months = 0;  // 12 for each year
  Duration rest{0};    // from weeks to fractions of a second; a day has 24 hours, as it has in UTC

  bool is_negative() const { return months < 0 || rest < Duration::zero(); }
  bool is_zero() const { return months == 0 && rest == Duration::zero(); }
  friend bool operator==(const CalendarDuration&, const CalendarDuration&) = default;
};

//   duration = ["-"] "P" ( n "W" | [n "Y"][n "M"][n "D"]["T"[n "H"][n "M"][n "S"]] )
//
// At least one part; the last one may have a fraction behind a point or a comma. What is below a millisecond is rounded
// up, so that no timer is early. A fraction of a year is months, a fraction of a month is counted in months of 30
// days. PT1D is read as P1D, because the texts that people copy from have it.
//
// Errors: DURATION_INVALID with the column in `where`, DURATION_TOO_LONG above kDurationYearsMax. The column counts
// from `begin`, where the duration stands in a longer text.
Result<CalendarDuration> parse_duration(std::string_view text, size_t begin = 0);

// The time so much later, in UTC: first the months, where a day that the month does not have becomes its last one
// (January 31st and P1M is February 28th or 29th), then the rest. Error: DURATION_TOO_LONG beyond kCalendarYearMax.
Result<Timestamp> add(Timestamp time, const CalendarDuration& duration);

// Part by part. Error: DURATION_TOO_LONG.
Result<CalendarDuration> plus(const CalendarDuration& a, const CalendarDuration& b);
Result<CalendarDuration> times(const CalendarDuration& duration, int64_t factor);

}  // namespace pawl::text
