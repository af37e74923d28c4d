#include "text/interval.h"

#include <algorithm>

#include "text/iso_cursor.h"

namespace pawl::text {

namespace {

constexpr const char* kFix = "Write START/END, START/DURATION, DURATION/END or DURATION, as 2020-03-20T09:00:00Z/PT6H.";

std::unexpected<Error> wrong(std::string what, std::string where) {
  return fail("INTERVAL_INVALID", std::move(what), kFix, std::move(where));
}

std::optional<LocalTime> read_date(IsoCursor& cursor) {
  const int year = cursor.take_number(4);
  if (year < 0 || !cursor.take('-')) return std::nullopt;
  const int month = cursor.take_number(2);
  if (month < 0 || !cursor.take('-')) return std::nullopt;
  const int day = cursor.take_number(2);
  if (day < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::local_days(date);
}

// Hours and minutes; the seconds are added by the caller.
std::optional<std::chrono::minutes> read_hours_and_minutes(IsoCursor& cursor, bool colon_is_optional) {
  const int hours = cursor.take_number(2);
  if (hours < 0 || hours > 23) return std::nullopt;
  if (!cursor.take(':') && !colon_is_optional) return std::nullopt;
  const int minutes = cursor.take_number(2);
  if (minutes < 0 || minutes > 59) return std::nullopt;
  return std::chrono::hours(hours) + std::chrono::minutes(minutes);
}

std::optional<Duration> read_time(IsoCursor& cursor) {
  const auto minutes = read_hours_and_minutes(cursor, false);
  if (!minutes) return std::nullopt;
  Duration time = *minutes;
  if (!cursor.take(':')) return time;
  const int seconds = cursor.take_number(2);
  if (seconds < 0 || seconds > 59) return std::nullopt;
  time += std::chrono::seconds(seconds);
  if (!cursor.take('.') && !cursor.take(',')) return time;
  IsoFraction fraction;
  if (!fraction.read(cursor)) return std::nullopt;
  return time + Duration(fraction.of(1'000));
}

// False where what stands there is no offset. Nothing there is local time.
bool read_offset(IsoCursor& cursor, std::optional<std::chrono::minutes>& offset) {
  if (cursor.take('Z')) {
    offset = std::chrono::minutes::zero();
    return true;
  }
  const bool is_west = cursor.peek() == '-';
  if (!cursor.take('-') && !cursor.take('+')) return true;
  offset = read_hours_and_minutes(cursor, true);
  if (offset && is_west) offset = -*offset;
  return offset.has_value();
}

Result<DateTime> parse_date_time(std::string_view text, size_t begin) {
  IsoCursor cursor(text, begin);
  const auto date = read_date(cursor);
  if (!date) return wrong("The date is not YYYY-MM-DD, or there is no such day.", cursor.where());
  if (!cursor.take('T')) return wrong("T and a time must follow the date.", cursor.where());
  const auto time = read_time(cursor);
  if (!time) return wrong("The time is not hh:mm:ss, or there is no such time.", cursor.where());
  DateTime result{*date + *time, std::nullopt};
  if (!read_offset(cursor, result.offset)) return wrong("The offset from UTC is not hh:mm.", cursor.where());
  if (!cursor.at_end()) return wrong("The time must end here, with Z or with an offset as +01:00.", cursor.where());
  return result;
}

bool is_duration(std::string_view part) { return part.starts_with('P') || part.starts_with("-P"); }

Result<CalendarDuration> parse_part_duration(std::string_view part, size_t begin) {
  PAWL_TRY(const CalendarDuration duration, parse_duration(part, begin));
  if (duration.is_negative()) return wrong("The duration of an interval is negative.", IsoCursor(part, begin).where());
  return duration;
}

bool ends_before_start(const Interval& interval) {
  if (interval.form != IntervalForm::kStartEnd || interval.start.offset.has_value() != interval.end.offset.has_value())
    return false;
  const auto zero = std::chrono::minutes::zero();
  return interval.end.local - interval.end.offset.value_or(zero) <
         interval.start.local - interval.start.offset.value_or(zero);
}

std::unexpected<Error> ends_too_early() {
  return fail("INTERVAL_INVALID", "The interval ends before it starts.", "Write the earlier time first.");
}

Result<Interval> parse_interval_at(std::string_view text, size_t begin) {
  Interval interval;
  const size_t slash = text.find('/');
  const std::string_view first = text.substr(0, slash);
  if (slash == std::string_view::npos) {
    if (!is_duration(text))
      return wrong("There is one part only, and it is no duration.", IsoCursor(text, begin).where());
    PAWL_TRY(interval.duration, parse_part_duration(text, begin));
    return interval;
  }
  const std::string_view second = text.substr(slash + 1);
  const size_t second_begin = begin + slash + 1;
  if (is_duration(first)) {
    interval.form = IntervalForm::kDurationEnd;
    PAWL_TRY(interval.duration, parse_part_duration(first, begin));
    PAWL_TRY(interval.end, parse_date_time(second, second_begin));
    return interval;
  }
  PAWL_TRY(interval.start, parse_date_time(first, begin));
  if (is_duration(second)) {
    interval.form = IntervalForm::kStartDuration;
    PAWL_TRY(interval.duration, parse_part_duration(second, second_begin));
    return interval;
  }
  interval.form = IntervalForm::kStartEnd;
  PAWL_TRY(interval.end, parse_date_time(second, second_begin));
  if (ends_before_start(interval)) return ends_too_early();
  return interval;
}

Result<std::optional<uint32_t>> read_count(IsoCursor& cursor) {
  std::optional<uint32_t> count;
  while (cursor.next_is_digit()) {
    const uint64_t next = uint64_t{10} * count.value_or(0) + static_cast<uint64_t>(cursor.take_digit());
    if (next > kRepetitionsMax) return wrong("The number of repetitions is above one billion.", cursor.where());
    count = static_cast<uint32_t>(next);
  }
  return count;
}

}  // namespace

Timestamp DateTime::in(const TimeZone& zone) const {
  if (!offset) return zone.to_utc(local);
  return Timestamp((local - *offset).time_since_epoch());
}

Result<Interval> parse_interval(std::string_view text) { return parse_interval_at(text, 0); }

Result<RepeatingInterval> parse_repeating_interval(std::string_view text) {
  IsoCursor cursor(text);
  if (!cursor.take('R')) return wrong("A repeating interval begins with R.", cursor.where());
  RepeatingInterval repeating;
  PAWL_TRY(repeating.count, read_count(cursor));
  if (!cursor.take('/')) return wrong("A count and / must follow R, or only /.", cursor.where());
  const size_t begin = text.find('/') + 1;
  PAWL_TRY(repeating.interval, parse_interval_at(text.substr(begin), begin));
  return repeating;
}

Result<RepeatedDuration> parse_repeated_duration(std::string_view text) {
  if (!text.starts_with('R')) {
    PAWL_TRY(const CalendarDuration duration, parse_part_duration(text, 0));
    return RepeatedDuration{std::nullopt, duration};
  }
  PAWL_TRY(const RepeatingInterval repeating, parse_repeating_interval(text));
  if (repeating.interval.form != IntervalForm::kDuration)
    return fail("INTERVAL_INVALID", "Only a duration may be repeated here, without a date.", "Write it as R5/PT15M.");
  return RepeatedDuration{repeating.count, repeating.interval.duration};
}

Result<Window> window_of(const Interval& interval, const TimeZone& zone, Timestamp from) {
  Window window{from, kNever};
  const bool has_start = interval.form == IntervalForm::kStartEnd || interval.form == IntervalForm::kStartDuration;
  if (has_start) window.start = interval.start.in(zone);
  if (interval.form == IntervalForm::kStartEnd || interval.form == IntervalForm::kDurationEnd)
    window.end = interval.end.in(zone);
  if (interval.form != IntervalForm::kStartEnd) {
    PAWL_TRY(const Timestamp end, add(window.start, interval.duration));
    window.end = std::min(window.end, end);
  }
  if (has_start && window.end < window.start) return ends_too_early();
  return window;
}

}  // namespace pawl::text
