// RFC 3339 timestamps with the restrictions of the States Language: upper-case T, and Z or a numeric offset.
#pragma once

#include <compare>
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

std::optional<Instant> parse_timestamp(std::string_view text);

std::string format_timestamp(Timestamp time);  // 2016-03-14T01:59:00.123Z

}  // namespace pawl::text
