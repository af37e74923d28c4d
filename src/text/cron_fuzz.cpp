// Any text is refused with a code and a fix, or names times that only go forward.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "text/cron.h"

using namespace pawl;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const text::TimeZone zone = text::TimeZone::from_posix("CET-1CEST,M3.5.0,M10.5.0/3").value();
  const auto cron = text::parse_cron({reinterpret_cast<const char*>(data), size});
  if (!cron) {
    PAWL_ASSERT(!cron.error().code.empty() && !cron.error().fix.empty());
    return 0;
  }
  Timestamp time = std::chrono::sys_days(std::chrono::year(2020) / 3 / 28);
  for (int i = 0; i < 100; ++i) {
    const auto next = cron->next_after(time, zone);
    if (!next) break;
    PAWL_ASSERT(*next > time);
    time = *next;
  }
  return 0;
}
