// RFC 3339 timestamps with the restrictions of the States Language: upper-case T, and upper-case Z or a numeric offset.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace pawl::text {

// An instant to the nanosecond, so that comparisons are exact for what users write.
struct Instant {
  int64_t seconds = 0;      // since 1970-01-01T00:00:00Z
  int32_t nanoseconds = 0;  // 0 to 999,999,999

  friend auto operator<=>(const Instant&, const Instant&) = default;
  Timestamp ceil_to_milliseconds() const;  // never earlier than the instant
};

// Every part is checked: the days of the month in leap years too, hours to 23, offsets to 23:59. A fraction may have
// any number of digits; those after the ninth are read and dropped. Seconds of 60 are a leap second: accepted, as RFC
// 3339 has it, only at the end of a UTC month, and the same instant as the second that follows, since Unix time has no
// other name for it.
std::optional<Instant> parse_timestamp(std::string_view text);

// 2016-03-14T01:59:00.123Z. Years beyond 9999 or before 0 get a sign and six digits or more, as in ISO 8601.
std::string format_timestamp(Timestamp time);

}  // namespace pawl::text
