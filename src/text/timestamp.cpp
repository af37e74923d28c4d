#include "text/timestamp.h"

#include <chrono>
#include <cstdlib>

namespace pawl::text {

namespace {

constexpr int kNanosecondDigits = 9;

// Reads the fixed parts of a timestamp from left to right. The first part that does not fit makes it fail for good.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool failed() const { return failed_; }
  bool at_end() const { return rest_.empty(); }
  bool next_is(char c) const { return !rest_.empty() && rest_.front() == c; }

  void literal(char c) {
    if (next_is(c))
      rest_.remove_prefix(1);
    else
      failed_ = true;
  }

  int number(size_t digits, int low, int high) {
    int value = 0;
    for (size_t i = 0; i < digits && !failed_; ++i) value = value * 10 + digit();
    if (value < low || value > high) failed_ = true;
    return value;
  }

  // A point and at least one digit.
  int32_t fraction_in_nanoseconds() {
    literal('.');
    int32_t value = digit();
    int digits = 1;
    for (; !failed_ && !rest_.empty() && is_digit(rest_.front()); ++digits) {
      const int next = digit();
      if (digits < kNanosecondDigits) value = value * 10 + next;
    }
    for (; digits < kNanosecondDigits; ++digits) value *= 10;
    return value;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  int digit() {
    if (rest_.empty() || !is_digit(rest_.front())) {
      failed_ = true;
      return 0;
    }
    const int value = rest_.front() - '0';
    rest_.remove_prefix(1);
    return value;
  }

  std::string_view rest_;
  bool failed_ = false;
};

std::optional<std::chrono::sys_days> scan_date(Scanner& scanner) {
  const int year = scanner.number(4, 0, 9999);
  scanner.literal('-');
  const int month = scanner.number(2, 1, 12);
  scanner.literal('-');
  const int day = scanner.number(2, 1, 31);
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (scanner.failed() || !date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

// What must be subtracted from local time to get UTC.
int scan_offset_minutes(Scanner& scanner) {
  if (scanner.next_is('Z')) {
    scanner.literal('Z');
    return 0;
  }
  const bool is_west = scanner.next_is('-');
  scanner.literal(is_west ? '-' : '+');
  const int hours = scanner.number(2, 0, 23);
  scanner.literal(':');
  const int minutes = hours * 60 + scanner.number(2, 0, 59);
  return is_west ? -minutes : minutes;
}

bool begins_a_month(int64_t seconds) {
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  return time == day && std::chrono::year_month_day(day).day() == std::chrono::day(1);
}

// A sign, then the number in so many digits at least.
void append_digits(std::string& text, char sign, unsigned number, int digits) {
  char buffer[12];
  char* at = buffer + sizeof buffer;
  for (; number != 0 || digits > 0; number /= 10, --digits) *--at = static_cast<char>('0' + number % 10);
  *--at = sign;
  text.append(at, buffer + sizeof buffer);
}

std::string format_year(int year) {
  std::string text;
  text.reserve(sizeof "2016-03-14T01:59:00.123Z");
  const bool is_plain = year >= 0 && year <= 9999;
  append_digits(text, year < 0 ? '-' : '+', static_cast<unsigned>(std::abs(year)), is_plain ? 4 : 6);
  if (is_plain) text.erase(0, 1);
  return text;
}

}  // namespace

std::optional<Instant> parse_timestamp(std::string_view text) {
  Scanner scanner(text);
  const auto date = scan_date(scanner);
  if (!date) return std::nullopt;
  scanner.literal('T');
  const int hour = scanner.number(2, 0, 23);
  scanner.literal(':');
  const int minute = scanner.number(2, 0, 59);
  scanner.literal(':');
  const int second = scanner.number(2, 0, 60);
  const int32_t nanoseconds = scanner.next_is('.') ? scanner.fraction_in_nanoseconds() : 0;
  const int offset_minutes = scan_offset_minutes(scanner);
  if (scanner.failed() || !scanner.at_end()) return std::nullopt;
  const int64_t minutes = date->time_since_epoch().count() * int64_t{1440} + hour * 60 + minute - offset_minutes;
  const Instant instant{minutes * 60 + second, nanoseconds};
  if (second == 60 && !begins_a_month(instant.seconds)) return std::nullopt;
  return instant;
}

Timestamp Instant::ceil_to_milliseconds() const {
  const auto whole = std::chrono::duration_cast<Duration>(std::chrono::seconds(seconds));
  return Timestamp(whole + std::chrono::ceil<Duration>(std::chrono::nanoseconds(nanoseconds)));
}

// Written digit by digit: every state's entry has one, and printf takes longer than the rest of it.
std::string format_timestamp(Timestamp time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss<Duration> clock(time - day);
  std::string text = format_year(static_cast<int>(date.year()));
  append_digits(text, '-', static_cast<unsigned>(date.month()), 2);
  append_digits(text, '-', static_cast<unsigned>(date.day()), 2);
  append_digits(text, 'T', static_cast<unsigned>(clock.hours().count()), 2);
  append_digits(text, ':', static_cast<unsigned>(clock.minutes().count()), 2);
  append_digits(text, ':', static_cast<unsigned>(clock.seconds().count()), 2);
  append_digits(text, '.', static_cast<unsigned>(clock.subseconds().count()), 3);
  text += 'Z';
  return text;
}

}  // namespace pawl::text
