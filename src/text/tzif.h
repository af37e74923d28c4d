// TZif files (RFC 8536): the form in which machines have the IANA time zone database.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::text {

inline constexpr size_t kZoneChangesMax = 10'000;

struct ZoneChange {
  int64_t instant = 0;  // seconds since 1970-01-01T00:00:00Z
  int32_t offset = 0;   // seconds east of UTC, from then on
};

struct ZoneTable {
  int32_t first_offset = 0;         // before the first change
  std::vector<ZoneChange> changes;  // by instant
};

struct TzifFile {
  ZoneTable table;
  std::string rule;  // for the time after the last change, as POSIX's variable TZ; empty: nothing changes any more
};

// Version 2 and later, without leap seconds. None where it is no such file.
std::optional<TzifFile> parse_tzif(std::string_view bytes);

}  // namespace pawl::text
