// Timespans: [-][d.]hh:mm[:ss[.f]], a plain number of days, or an ISO 8601 duration.
#pragma once

#include <string_view>

#include "base/result.h"
#include "text/duration.h"

namespace pawl::sm4c {

inline constexpr int64_t kTimespanDaysMax = 3'650'000;  // as long as the longest ISO 8601 duration

//   timespan = ["-"] ( days | [days "."] hh ":" mm [":" ss ["." f{1,7}]] ) | ISO 8601
//
// Hours go to 23, minutes and seconds to 59. What is below a millisecond is rounded up, so that no timer is early.
//
// Error: TIMESPAN_INVALID; DURATION_INVALID and DURATION_TOO_LONG of ISO 8601.
Result<text::CalendarDuration> parse_timespan(std::string_view text);

// Whether the text is a number and nothing else: so many days, which few who write it mean.
bool is_bare_days(std::string_view text);

}  // namespace pawl::sm4c
