// Builtins on times: seconds since 1970, and broken-down time, an array
// [year, month from 0, day, hours, minutes, seconds, day of the week, day of the year]. There is one time zone, UTC.
#include <array>
#include <cmath>
#include <ctime>

#include "expr/jq/natives.h"
#include "expr/jq/numbers.h"

namespace pawl::jq::internal {

namespace {

constexpr double kSecondsMax = 1e14;  // some three million years, which every part of a date holds
constexpr size_t kFormatBytesMax = 4'096;

// Days since 1970 of a date of the proleptic Gregorian calendar; months count from 0 and may be any.
int64_t days_from_civil(int64_t year, int64_t month, int64_t day) {
  year += month / 12;
  month %= 12;
  if (month < 0) {
    month += 12;
    --year;
  }
  const int64_t shifted = month >= 2 ? year : year - 1;
  const int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400;
  const int64_t year_of_era = shifted - era * 400;
  const int64_t day_of_year = (153 * ((month + 10) % 12) + 2) / 5 + day - 1;
  return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719'468;
}

std::tm civil_from_seconds(int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  return parts;
}

Value broken_down(const std::tm& parts, double seconds) {
  json::ArrayBuilder list(8);
  for (const int part : {parts.tm_year + 1900, parts.tm_mon, parts.tm_mday, parts.tm_hour, parts.tm_min})
    list.push(Value::integer(part));
  list.push(number_of(seconds));
  list.push(Value::integer(parts.tm_wday));
  list.push(Value::integer(parts.tm_yday));
  return list.build();
}

Value gmtime(Context& context, const Arguments& a) {
  if (!a.input().is_number()) return context.raise("gmtime() requires a number");
  const double time = a.input().as_double();
  if (!(std::abs(time) < kSecondsMax))
    return context.raise("error converting number of seconds since epoch to datetime");
  const double whole = std::floor(time);
  const std::tm parts = civil_from_seconds(static_cast<int64_t>(whole));
  return broken_down(parts, parts.tm_sec + (time - whole));
}

// From an array of at least six numbers; false, and an error, where it is none.
bool read_parts(Context& context, const Value& list, std::string_view name, std::tm& parts) {
  if (!list.is_array() || list.size() < 6) {
    context.raise(std::string(name) + " requires array of 6 numbers");
    return false;
  }
  std::array<int, 8> fields{};
  for (size_t i = 0; i < std::min<size_t>(list.size(), fields.size()); ++i) {
    const bool is_good = list.at(i).is_number() && std::abs(list.at(i).as_double()) < 1e9;
    if (!is_good) {
      context.raise(std::string(name) + " requires parsed datetime inputs");
      return false;
    }
    fields[i] = static_cast<int>(list.at(i).as_double());
  }
  parts = {};
  parts.tm_year = fields[0] - 1900;
  parts.tm_mon = fields[1];
  parts.tm_mday = fields[2];
  parts.tm_hour = fields[3];
  parts.tm_min = fields[4];
  parts.tm_sec = fields[5];
  parts.tm_wday = fields[6];
  parts.tm_yday = fields[7];
  return true;
}

int64_t seconds_of(const std::tm& parts) {
  const int64_t days = days_from_civil(int64_t{parts.tm_year} + 1900, parts.tm_mon, parts.tm_mday);
  return days * 86'400 + int64_t{parts.tm_hour} * 3'600 + int64_t{parts.tm_min} * 60 + parts.tm_sec;
}

Value mktime(Context& context, const Arguments& a) {
  std::tm parts{};
  if (!a.input().is_array()) return context.raise("mktime requires array of 6 numbers");
  if (!read_parts(context, a.input(), "mktime", parts)) return Value();
  return Value::integer(seconds_of(parts));
}

Value strftime_of(Context& context, const Arguments& a, std::string_view name) {
  Value list = a.input();
  if (list.is_number()) list = gmtime(context, a);
  if (context.failed()) return Value();
  if (!list.is_array()) return context.raise(std::string(name) + "/1 requires parsed datetime inputs");
  if (!a[1].is_string()) return context.raise(std::string(name) + "/1 requires a string format");
  std::tm parts{};
  if (!read_parts(context, list, std::string(name) + "/1", parts)) return Value();
  parts.tm_zone = "UTC";
  const std::string format = std::string(a[1].as_string());
  if (format.empty()) return Value::string("");
  std::string text(kFormatBytesMax, '\0');
  const size_t size = std::strftime(text.data(), text.size(), format.c_str(), &parts);
  if (size == 0) return context.raise(std::string(name) + "/1: unknown system failure");
  return context.spend_bytes(size) ? Value::string(std::string_view(text).substr(0, size)) : Value();
}

Value strftime(Context& context, const Arguments& a) { return strftime_of(context, a, "strftime"); }
Value strflocaltime(Context& context, const Arguments& a) { return strftime_of(context, a, "strflocaltime"); }

// The day of the week and of the year are worked out, whatever the text says.
Value strptime(Context& context, const Arguments& a) {
  if (!a.input().is_string()) return context.raise("strptime/1 requires string inputs and arguments");
  if (!a[1].is_string()) return context.raise("strptime/1 requires string inputs and arguments");
  const std::string text(a.input().as_string()), format(a[1].as_string());
  std::tm parts{};
  const char* end = ::strptime(text.c_str(), format.c_str(), &parts);
  if (end == nullptr || (*end != '\0' && *end != ' '))
    return context.raise("date \"" + text + "\" does not match format \"" + format + "\"");
  const std::tm worked_out = civil_from_seconds(seconds_of(parts));
  parts.tm_wday = worked_out.tm_wday;
  parts.tm_yday = worked_out.tm_yday;
  const Value list = broken_down(parts, parts.tm_sec);
  return list;
}

Value now(Context& context, const Arguments&) {
  if (!context.now_seconds()) return context.raise("now is not known here");
  return number_of(*context.now_seconds());
}

constexpr Native kNatives[] = {
    {"gmtime", 0, gmtime},
    {"localtime", 0, gmtime},
    {"mktime", 0, mktime},
    {"strftime", 1, strftime},
    {"strflocaltime", 1, strflocaltime},
    {"strptime", 1, strptime},
    {"now", 0, now},
};

}  // namespace

std::span<const Native> date_natives() { return kNatives; }

}  // namespace pawl::jq::internal
