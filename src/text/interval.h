// ISO 8601 intervals and repetitions: 2020-03-20T09:00:00Z/PT6H, R5/PT15M.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "text/duration.h"
#include "text/time_zone.h"

namespace pawl::text {

// A date and time as written. Without an offset it is local time, of a zone that the reader has to name.
struct DateTime {
  LocalTime local{};
  std::optional<std::chrono::minutes> offset;  // east of UTC

  Timestamp in(const TimeZone& zone) const;
  friend bool operator==(const DateTime&, const DateTime&) = default;
};

enum class IntervalForm : uint8_t { kStartEnd, kStartDuration, kDurationEnd, kDuration };

// The members that the form names are set.
struct Interval {
  IntervalForm form = IntervalForm::kDuration;
  DateTime start;
  DateTime end;
  CalendarDuration duration;

  friend bool operator==(const Interval&, const Interval&) = default;
};

// From its first instant up to, and without, its last.
struct Window {
  Timestamp start;
  Timestamp end;

  bool contains(Timestamp time) const { return time >= start && time < end; }
  friend bool operator==(const Window&, const Window&) = default;
};

inline constexpr uint32_t kRepetitionsMax = 1'000'000'000;

// So many times, or without end where there is no count.
struct RepeatingInterval {
  std::optional<uint32_t> count;
  Interval interval;
};

struct RepeatedDuration {
  std::optional<uint32_t> count;
  CalendarDuration duration;
};

//   interval  = datetime "/" datetime | datetime "/" duration | duration "/" datetime | duration
//   repeating = "R" [count] "/" interval
//   datetime  = YYYY-MM-DD "T" hh ":" mm [":" ss ["." fraction]] ["Z" | ("+" | "-") hh [":"] mm]
//
// A duration in an interval is not negative, and an interval does not end before it starts.
// Errors: INTERVAL_INVALID, and of the durations DURATION_INVALID and DURATION_TOO_LONG; with the column in `where`.
Result<Interval> parse_interval(std::string_view text);
Result<RepeatingInterval> parse_repeating_interval(std::string_view text);

// The interval of a retry: "R5/PT15M" or "R/PT15M", or only "PT15M", which has no count.
Result<RepeatedDuration> parse_repeated_duration(std::string_view text);

// When an interval is open. `zone` is that of dates without an offset. A lone duration is counted from `from`. So is a
// duration before an end: the window closes with the duration or at the end, whichever is first.
// Errors: INTERVAL_INVALID where it ends before it starts, DURATION_TOO_LONG.
Result<Window> window_of(const Interval& interval, const TimeZone& zone, Timestamp from);

}  // namespace pawl::text
