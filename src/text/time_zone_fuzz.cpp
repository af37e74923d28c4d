// Any bytes are refused, or are a time zone whose local times lead back.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "text/time_zone.h"

using namespace pawl;

namespace {

void check(const text::TimeZone& zone) {
  for (int year = -100; year <= 5'000; year += 75) {
    const Timestamp time = std::chrono::sys_days(std::chrono::year(year) / 3 / 29) + Duration(5'400'123);
    // A local time that is shown twice is the first of two instants.
    PAWL_ASSERT(zone.to_utc(zone.to_local(time)) <= time);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  if (const auto zone = text::TimeZone::from_tzif("fuzzed", bytes)) check(*zone);
  if (const auto zone = text::TimeZone::from_posix(bytes)) check(*zone);
  return 0;
}
