// Any text is refused with a code, or is a duration or an interval that keeps its promises.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "text/duration.h"
#include "text/interval.h"

using namespace pawl;

namespace {

const Timestamp kFrom = std::chrono::sys_days(std::chrono::year(2020) / 1 / 31);

void check_duration(std::string_view text) {
  const auto duration = text::parse_duration(text);
  if (!duration) {
    PAWL_ASSERT(!duration.error().code.empty() && !duration.error().fix.empty());
    return;
  }
  PAWL_ASSERT(text::parse_duration(text) == duration);
  if (const auto later = text::add(kFrom, *duration))
    PAWL_ASSERT(duration->is_negative() ? *later < kFrom : *later >= kFrom);
  PAWL_ASSERT(text::times(*duration, -1)->is_negative() != duration->is_negative() || duration->is_zero());
}

void check_interval(std::string_view text) {
  const auto interval = text::parse_interval(text);
  if (!interval) {
    PAWL_ASSERT(!interval.error().code.empty() && !interval.error().fix.empty());
    return;
  }
  const auto window = text::window_of(*interval, text::TimeZone::utc(), kFrom);
  const bool has_start = interval->form != text::IntervalForm::kDurationEnd;
  if (window && has_start) PAWL_ASSERT(window->start <= window->end);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  check_duration(text);
  check_interval(text);
  if (const auto repeated = text::parse_repeated_duration(text)) PAWL_ASSERT(!repeated->duration.is_negative());
  return 0;
}
