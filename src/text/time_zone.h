// Time zones of the IANA database, read from the machine's own files, and the rules of POSIX's TZ strings.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace pawl::text {

// What a clock on the wall shows, in milliseconds.
using LocalTime = std::chrono::local_time<Duration>;

// The offsets of a zone from UTC, past and future. A value: immutable, cheap to copy, shared by threads as it is.
//
// A zone knows each change of its offset up to 400 years after the last one that its file lists. Later times are looked
// up that many years earlier, because the calendar, with its weekdays, repeats itself after 400 years.
class TimeZone {
 public:
  static TimeZone utc();

  // The bytes of a TZif file (RFC 8536), of version 2 or later. Error: TIME_ZONE_INVALID.
  static Result<TimeZone> from_tzif(std::string name, std::string_view bytes);

  // A rule as the variable TZ has it: CET-1CEST,M3.5.0,M10.5.0/3. Error: TIME_ZONE_INVALID.
  static Result<TimeZone> from_posix(std::string_view rule);

  const std::string& name() const;
  std::chrono::seconds offset_at(Timestamp time) const;  // east of UTC
  LocalTime to_local(Timestamp time) const;

  // When the clocks show a time. One that is skipped, because they are set forward over it, is the instant at which
  // they are; of one that they show twice, the first.
  Timestamp to_utc(LocalTime local) const;

 private:
  struct Data;
  explicit TimeZone(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

// The zone of a name as Europe/Berlin, from the machine's files (Debian's package tzdata). UTC is known without them.
// Errors: TIME_ZONE_UNKNOWN, TIME_ZONE_INVALID where the file is damaged.
Result<TimeZone> find_time_zone(std::string_view name);

// The machine's zone: of the variable TZ, else of /etc/localtime, else UTC. Errors as above where TZ names none.
Result<TimeZone> local_time_zone();

}  // namespace pawl::text
