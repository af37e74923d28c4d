#include "text/duration.h"

#include <algorithm>
#include <optional>
#include <span>

#include "text/iso_cursor.h"

namespace pawl::text {

namespace {

using std::chrono::days;
using std::chrono::sys_days;

constexpr int64_t kMonthsMax = 12 * kDurationYearsMax;
constexpr int64_t kMillisecondsMax = kDurationYearsMax * 366 * 86'400'000;
constexpr Timestamp kCalendarFirst = sys_days(std::chrono::year(-kCalendarYearMax) / 1 / 1);
constexpr Timestamp kCalendarEnd = sys_days(std::chrono::year(kCalendarYearMax + 1) / 1 / 1);

// One letter of a duration. Ranks rise from left to right.
struct Unit {
  char letter;
  int rank;
  int64_t months;
  int64_t milliseconds;
};

constexpr Unit kYear{'Y', 1, 12, 0};
constexpr Unit kWeek{'W', 3, 0, 7 * 86'400'000};
constexpr Unit kDay{'D', 4, 0, 86'400'000};
constexpr Unit kDateUnits[] = {kYear, {'M', 2, 1, 0}, kWeek, kDay};
constexpr Unit kTimeUnits[] = {kDay, {'H', 5, 0, 3'600'000}, {'M', 6, 0, 60'000}, {'S', 7, 0, 1'000}};
constexpr int64_t kMillisecondsInFractionsOfMonths = 30 * kDay.milliseconds;

std::unexpected<Error> too_long() {
  return fail("DURATION_TOO_LONG", "The duration is longer than " + std::to_string(kDurationYearsMax) + " years.",
              "Write a shorter one.");
}

std::unexpected<Error> too_far() {
  return fail("DURATION_TOO_LONG",
              "The duration leads beyond the year " + std::to_string(kCalendarYearMax) + " or before its negative.",
              "Write a shorter one.");
}

bool is_in_range(int64_t months, int64_t milliseconds) {
  return months >= -kMonthsMax && months <= kMonthsMax && milliseconds >= -kMillisecondsMax &&
         milliseconds <= kMillisecondsMax;
}

// sum += a * b; false on overflow.
bool add_product(int64_t& sum, int64_t a, int64_t b) {
  int64_t product = 0;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(sum, product, &sum);
}

class DurationParser {
 public:
  DurationParser(std::string_view text, size_t begin) : cursor_(text, begin) {}

  Result<CalendarDuration> parse() {
    const bool is_negative = cursor_.take('-');
    if (!cursor_.take('P')) return wrong("A duration begins with P.");
    while (!cursor_.at_end()) {
      if (auto error = read_part()) return std::unexpected(std::move(*error));
    }
    if (rank_ == 0 || is_behind_t_) return wrong(is_in_time_ ? "A part must follow T." : "A part must follow P.");
    if (!is_in_range(months_, milliseconds_)) return too_long();
    const int sign = is_negative ? -1 : 1;
    return CalendarDuration{sign * months_, Duration(sign * milliseconds_)};
  }

 private:
  std::unexpected<Error> wrong(std::string what) const {
    return fail("DURATION_INVALID", std::move(what), "Write a duration as P1Y2M10DT2H30M, PT15M or P2W.",
                cursor_.where());
  }

  // T, or a number with its letter.
  std::optional<Error> read_part() {
    if (has_fraction_) return wrong("Only the last part of a duration may have a fraction.").error();
    if (rank_ == kWeek.rank) return wrong("Weeks stand alone in a duration.").error();
    if (!is_in_time_ && cursor_.take('T')) {
      is_in_time_ = is_behind_t_ = true;
      return std::nullopt;
    }
    if (!cursor_.next_is_digit()) return wrong("A number is missing.").error();
    int64_t whole = 0;
    while (cursor_.next_is_digit()) {
      if (__builtin_mul_overflow(whole, 10, &whole) || __builtin_add_overflow(whole, cursor_.take_digit(), &whole))
        return too_long().error();
    }
    IsoFraction fraction;
    if (cursor_.take('.') || cursor_.take(',')) {
      has_fraction_ = true;
      if (!fraction.read(cursor_)) return wrong("A digit must follow the point.").error();
    }
    return read_unit(whole, fraction);
  }

  std::optional<Error> read_unit(int64_t whole, const IsoFraction& fraction) {
    const std::span<const Unit> units = is_in_time_ ? std::span(kTimeUnits) : std::span(kDateUnits);
    const auto unit = std::ranges::find(units, cursor_.peek(), &Unit::letter);
    if (unit == units.end())
      return wrong(is_in_time_ ? "H, M or S must follow a number behind T." : "Y, M, W or D must follow the number.")
          .error();
    if (unit->rank <= rank_ || (unit->rank == kWeek.rank && rank_ != 0))
      return wrong(std::string(1, unit->letter) + " cannot stand here.").error();
    cursor_.take(unit->letter);
    rank_ = unit->rank;
    is_behind_t_ = false;
    if (!count(*unit, whole, fraction)) return too_long().error();
    return std::nullopt;
  }

  bool count(const Unit& unit, int64_t whole, const IsoFraction& fraction) {
    if (unit.months == 0)
      return add_product(milliseconds_, whole, unit.milliseconds) &&
             add_product(milliseconds_, 1, fraction.of(unit.milliseconds));
    const int64_t billionths = fraction.billionths * unit.months;  // of a month
    const IsoFraction of_month{billionths % IsoFraction::kWhole, fraction.more};
    return add_product(months_, whole, unit.months) && add_product(months_, 1, billionths / IsoFraction::kWhole) &&
           add_product(milliseconds_, 1, of_month.of(kMillisecondsInFractionsOfMonths));
  }

  IsoCursor cursor_;
  int64_t months_ = 0;
  int64_t milliseconds_ = 0;
  int rank_ = 0;              // of the last part
  bool is_in_time_ = false;   // T has been read
  bool is_behind_t_ = false;  // and nothing since
  bool has_fraction_ = false;
};

}  // namespace

Result<CalendarDuration> parse_duration(std::string_view text, size_t begin) {
  return DurationParser(text, begin).parse();
}

Result<Timestamp> add(Timestamp time, const CalendarDuration& duration) {
  if (time < kCalendarFirst || time >= kCalendarEnd || !is_in_range(duration.months, duration.rest.count()))
    return too_far();
  const sys_days day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date(day);
  const auto month = date.year() / date.month() + std::chrono::months(static_cast<int>(duration.months));
  const auto day_of_month = std::min(date.day(), (month / std::chrono::last).day());
  const Timestamp sum = sys_days(month / day_of_month) + (time - day) + duration.rest;
  if (sum < kCalendarFirst || sum >= kCalendarEnd) return too_far();
  return sum;
}

Result<CalendarDuration> plus(const CalendarDuration& a, const CalendarDuration& b) {
  int64_t months = a.months;
  int64_t milliseconds = a.rest.count();
  if (!add_product(months, b.months, 1) || !add_product(milliseconds, b.rest.count(), 1) ||
      !is_in_range(months, milliseconds))
    return too_long();
  return CalendarDuration{months, Duration(milliseconds)};
}

Result<CalendarDuration> times(const CalendarDuration& duration, int64_t factor) {
  int64_t months = 0;
  int64_t milliseconds = 0;
  if (!add_product(months, duration.months, factor) || !add_product(milliseconds, duration.rest.count(), factor) ||
      !is_in_range(months, milliseconds))
    return too_long();
  return CalendarDuration{months, Duration(milliseconds)};
}

}  // namespace pawl::text
