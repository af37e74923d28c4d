#include "text/posix_zone_rule.h"

#include <chrono>

#include "text/iso_cursor.h"

namespace pawl::text {

namespace {

using std::chrono::days;
using std::chrono::sys_days;

constexpr int kRuleTimeHoursMax = 167;
constexpr int kNumberMax = 100'000;  // above every limit that is checked

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class RuleParser {
 public:
  explicit RuleParser(std::string_view text) : cursor_(text) {}

  std::optional<PosixZoneRule> parse() {
    PosixZoneRule rule;
    read_name();
    rule.standard_seconds = -read_time(kRuleTimeHoursMax);
    rule.has_daylight = !cursor_.at_end();
    if (rule.has_daylight) read_daylight(rule);
    const auto is_possible = [](int32_t offset) { return std::abs(offset) <= kZoneOffsetSecondsMax; };
    if (failed_ || !cursor_.at_end() || !is_possible(rule.standard_seconds) || !is_possible(rule.daylight_seconds))
      return std::nullopt;
    return rule;
  }

 private:
  void read_daylight(PosixZoneRule& rule) {
    read_name();
    rule.daylight_seconds = cursor_.peek() == ',' ? rule.standard_seconds + 3600 : -read_time(kRuleTimeHoursMax);
    rule.start = read_date();
    rule.end = read_date();
  }

  void expect(char c) {
    if (!cursor_.take(c)) failed_ = true;
  }

  // Three letters or more, or what stands between < and >.
  void read_name() {
    int letters = 0;
    if (cursor_.take('<')) {
      while (!cursor_.at_end() && cursor_.peek() != '>') cursor_.take(cursor_.peek());
      return expect('>');
    }
    for (; is_letter(cursor_.peek()); ++letters) cursor_.take(cursor_.peek());
    if (letters < 3) failed_ = true;
  }

  int read_number(int low, int high) {
    if (!cursor_.next_is_digit()) failed_ = true;
    int value = 0;
    while (cursor_.next_is_digit() && value < kNumberMax) value = value * 10 + cursor_.take_digit();
    if (value < low || value > high) failed_ = true;
    return failed_ ? low : value;
  }

  // [+-]hh[:mm[:ss]] in seconds.
  int read_time(int hours_max) {
    const bool is_negative = cursor_.take('-');
    if (!is_negative) cursor_.take('+');
    int seconds = read_number(0, hours_max) * 3600;
    if (cursor_.take(':')) seconds += read_number(0, 59) * 60;
    if (cursor_.take(':')) seconds += read_number(0, 59);
    return is_negative ? -seconds : seconds;
  }

  ZoneRuleDate read_date() {
    ZoneRuleDate date;
    expect(',');
    if (cursor_.take('M')) {
      date.kind = ZoneRuleDate::Kind::kWeekday;
      date.month = read_number(1, 12);
      expect('.');
      date.week = read_number(1, 5);
      expect('.');
      date.day = read_number(0, 6);
    } else if (cursor_.take('J')) {
      date.kind = ZoneRuleDate::Kind::kDayWithoutLeap;
      date.day = read_number(1, 365);
    } else {
      date.day = read_number(0, 365);
    }
    if (cursor_.take('/')) date.seconds = read_time(kRuleTimeHoursMax);
    return date;
  }

  IsoCursor cursor_;
  bool failed_ = false;
};

sys_days day_of(const ZoneRuleDate& date, std::chrono::year year) {
  const sys_days first = year / 1 / 1;
  switch (date.kind) {
    case ZoneRuleDate::Kind::kDay:
      return first + days(date.day);
    case ZoneRuleDate::Kind::kDayWithoutLeap: {
      const bool is_behind_leap_day = year.is_leap() && date.day > 31 + 28;
      return first + days(date.day - 1 + (is_behind_leap_day ? 1 : 0));
    }
    case ZoneRuleDate::Kind::kWeekday:
      break;
  }
  const auto month = year / std::chrono::month(static_cast<unsigned>(date.month));
  const std::chrono::weekday weekday(static_cast<unsigned>(date.day));
  if (date.week == 5) return month / weekday[std::chrono::last];
  return month / weekday[static_cast<unsigned>(date.week)];
}

}  // namespace

int64_t ZoneRuleDate::seconds_in(int year) const {
  const sys_days changed_on = day_of(*this, std::chrono::year(year));
  return std::chrono::sys_seconds(changed_on).time_since_epoch().count() + seconds;
}

std::optional<PosixZoneRule> parse_posix_zone_rule(std::string_view text) { return RuleParser(text).parse(); }

}  // namespace pawl::text
