#include "lang/sm4c/timespan.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace pawl::sm4c {

namespace {

constexpr size_t kFractionDigitsMax = 7;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::unexpected<Error> invalid(std::string_view text) {
  return fail("TIMESPAN_INVALID", "\"" + std::string(text) + "\" is no timespan.",
              "Write it as hh:mm:ss, d.hh:mm:ss or an ISO 8601 duration: 00:00:10, 1.12:00:00, PT15M.");
}

// A number of at most `digits_max` digits that is not above `max`.
std::optional<int64_t> number(std::string_view text, int64_t max, size_t digits_max) {
  if (text.empty() || text.size() > digits_max || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value <= max ? std::optional(value) : std::nullopt;
}

// Cuts off what stands before the first `separator`; the whole where there is none.
std::string_view cut(std::string_view& rest, char separator) {
  const size_t at = rest.find(separator);
  const std::string_view head = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  return head;
}

// Ten-millionths of a second as milliseconds, rounded up.
std::optional<int64_t> fraction(std::string_view digits) {
  auto value = number(digits, 9'999'999, kFractionDigitsMax);
  if (!value) return std::nullopt;
  for (size_t i = digits.size(); i < kFractionDigitsMax; ++i) *value *= 10;
  return (*value + 9'999) / 10'000;
}

// "ss" or "ss.f" in milliseconds.
std::optional<int64_t> seconds(std::string_view text) {
  const bool has_fraction = text.contains('.');
  const auto whole = number(cut(text, '.'), 59, 2);
  const auto part = has_fraction ? fraction(text) : std::optional<int64_t>(0);
  if (!whole || !part) return std::nullopt;
  return *whole * 1000 + *part;
}

std::optional<Duration> clock_time(std::string_view text) {
  std::optional<int64_t> days = 0;
  const size_t point = text.find('.');
  if (point < text.find(':')) days = number(cut(text, '.'), kTimespanDaysMax, 8);
  const auto hours = number(cut(text, ':'), 23, 2);
  const bool has_seconds = text.contains(':');
  const auto minutes = number(cut(text, ':'), 59, 2);
  const auto rest = has_seconds ? seconds(text) : std::optional<int64_t>(0);
  if (!days || !hours || !minutes || !rest) return std::nullopt;
  return std::chrono::days(*days) + std::chrono::hours(*hours) + std::chrono::minutes(*minutes) + Duration(*rest);
}

}  // namespace

bool is_bare_days(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

Result<text::CalendarDuration> parse_timespan(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  const std::string_view rest = is_negative ? text.substr(1) : text;
  if (rest.starts_with('P') || rest.starts_with('p')) return text::parse_duration(text);
  std::optional<Duration> length;
  if (is_bare_days(rest)) {
    if (const auto days = number(rest, kTimespanDaysMax, 8)) length = std::chrono::days(*days);
  } else if (rest.contains(':')) {
    length = clock_time(rest);
  }
  if (!length) return invalid(text);
  return text::CalendarDuration{.months = 0, .rest = is_negative ? -*length : *length};
}

}  // namespace pawl::sm4c
