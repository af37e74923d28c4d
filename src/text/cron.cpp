// The next time of a cron expression: months, days, hours and so on are skipped as wholes, so that the search for a
// rare time is short too.
#include "text/cron.h"

#include <bit>

namespace pawl::text {

namespace {

using std::chrono::local_days;
using std::chrono::year_month;

constexpr int kNone = -1;
constexpr Timestamp kSearchedFrom = std::chrono::sys_days(std::chrono::year(-9'999) / 1 / 1);
constexpr Timestamp kSearchedUntil = std::chrono::sys_days(std::chrono::year(9'999) / 1 / 1);

constexpr uint64_t bit(unsigned number) { return uint64_t{1} << number; }
bool has(uint64_t bits, unsigned number) { return (bits & bit(number)) != 0; }

// The lowest value that is set from `low` on.
int lowest_from(uint64_t bits, int low) {
  const uint64_t left = bits >> low << low;
  return left == 0 ? kNone : std::countr_zero(left);
}

unsigned last_day_of(year_month month) { return static_cast<unsigned>((month / std::chrono::last).day()); }

unsigned first_weekday_of(year_month month) { return std::chrono::weekday(local_days(month / 1)).c_encoding(); }

// The day from Monday to Friday that is nearest to one, without leaving its month.
unsigned nearest_workday(unsigned day, unsigned weekday, unsigned last_day) {
  if (weekday == 6) return day == 1 ? 3 : day - 1;
  if (weekday == 0) return day == last_day ? day - 2 : day + 1;
  return day;
}

}  // namespace

// Which days of a month are named, by bits.
uint64_t Cron::days_of(year_month month) const {
  const unsigned last = last_day_of(month);
  const unsigned first_weekday = first_weekday_of(month);
  uint64_t by_date = fields_.days;
  uint64_t by_weekday = 0;
  for (unsigned day = 1; day <= last; ++day) {
    const unsigned weekday = (first_weekday + day - 1) % 7;
    const bool is_last_of_its_weekday = day + 7 > last;
    if (has(fields_.weekdays, weekday) || has(fields_.weekdays_nth[(day - 1) / 7 + 1], weekday) ||
        (is_last_of_its_weekday && has(fields_.weekdays_last, weekday)))
      by_weekday |= bit(day);
    if (has(fields_.days_before_last, last - day)) by_date |= bit(day);
    if (has(fields_.workdays_near, day) || has(fields_.workdays_before_last, last - day))
      by_date |= bit(nearest_workday(day, weekday, last));
  }
  const uint64_t in_month = bit(last + 1) - bit(1);
  return (fields_.one_day_is_enough ? by_date | by_weekday : by_date & by_weekday) & in_month;
}

bool Cron::has_month(year_month month) const {
  if (!has(fields_.months, static_cast<unsigned>(month.month()))) return false;
  if (!fields_.years) return true;
  const int year = static_cast<int>(month.year());
  return year >= kCronYearMin && year <= kCronYearMax && (*fields_.years)[static_cast<size_t>(year - kCronYearMin)];
}

std::optional<local_days> Cron::first_day_from(local_days day) const {
  const std::chrono::year_month_day date(day);
  year_month month = date.year() / date.month();
  int low = static_cast<int>(static_cast<unsigned>(date.day()));
  for (int months = 12 * kCronYearsSearched; months > 0; --months, month += std::chrono::months(1), low = 1) {
    if (!has_month(month)) continue;
    const int found = lowest_from(days_of(month), low);
    if (found != kNone) return local_days(month / found);
  }
  return std::nullopt;
}

std::optional<std::chrono::seconds> Cron::first_time_from(std::chrono::seconds of_day) const {
  const std::chrono::hh_mm_ss low(of_day);
  const int low_hour = static_cast<int>(low.hours().count());
  for (int hour = lowest_from(fields_.hours, low_hour); hour != kNone; hour = lowest_from(fields_.hours, hour + 1)) {
    const int low_minute = hour == low_hour ? static_cast<int>(low.minutes().count()) : 0;
    for (int minute = lowest_from(fields_.minutes, low_minute); minute != kNone;
         minute = lowest_from(fields_.minutes, minute + 1)) {
      const bool is_low = hour == low_hour && minute == low.minutes().count();
      const int second = lowest_from(fields_.seconds, is_low ? static_cast<int>(low.seconds().count()) : 0);
      if (second != kNone)
        return std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
    }
  }
  return std::nullopt;
}

// The first local time that is named after another one.
std::optional<LocalTime> Cron::next_local(LocalTime after) const {
  const auto from = std::chrono::floor<std::chrono::seconds>(after) + std::chrono::seconds(1);
  const local_days today = std::chrono::floor<std::chrono::days>(from);
  auto day = first_day_from(today);
  if (day == today) {
    if (const auto time = first_time_from(from - today)) return today + *time;
    day = first_day_from(today + std::chrono::days(1));
  }
  if (!day) return std::nullopt;
  return *day + first_time_from(std::chrono::seconds(0)).value();
}

std::optional<Timestamp> Cron::next_after(Timestamp time, const TimeZone& zone) const {
  if (time < kSearchedFrom || time > kSearchedUntil) return std::nullopt;
  // What the clocks show for the second time has fired already: the loop passes over it.
  for (auto local = next_local(zone.to_local(time)); local; local = next_local(*local)) {
    const Timestamp instant = zone.to_utc(*local);
    if (instant > time) return instant;
  }
  return std::nullopt;
}

}  // namespace pawl::text
