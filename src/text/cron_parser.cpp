// parse_cron: an expression's fields from left to right.
#include <algorithm>
#include <cctype>
#include <span>
#include <string>
#include <vector>

#include "text/cron.h"

namespace pawl::text {

namespace {

constexpr std::string_view kMonthNames[] = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                            "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
constexpr std::string_view kWeekdayNames[] = {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"};
constexpr int kNumberMax = 100'000;  // above every limit that is checked
constexpr int kDaysBeforeLastMax = 30;

struct Macro {
  std::string_view name;
  std::string_view expression;
};
constexpr Macro kMacros[] = {{"@yearly", "0 0 1 1 *"}, {"@annually", "0 0 1 1 *"}, {"@monthly", "0 0 1 * *"},
                             {"@weekly", "0 0 * * 0"}, {"@daily", "0 0 * * *"},    {"@midnight", "0 0 * * *"},
                             {"@hourly", "0 * * * *"}};

// What may stand in a field.
struct FieldKind {
  std::string_view name;
  int low;
  int high;
  std::span<const std::string_view> value_names;
  int first_name;  // the value of the first name
  bool may_wrap;
};

constexpr FieldKind kSecond{"second", 0, 59, {}, 0, true};
constexpr FieldKind kMinute{"minute", 0, 59, {}, 0, true};
constexpr FieldKind kHour{"hour", 0, 23, {}, 0, true};
constexpr FieldKind kDay{"day of the month", 1, 31, {}, 0, true};
constexpr FieldKind kMonth{"month", 1, 12, kMonthNames, 1, true};
constexpr FieldKind kUnixWeekday{"day of the week", 0, 7, kWeekdayNames, 0, false};
constexpr FieldKind kQuartzWeekday{"day of the week", 1, 7, kWeekdayNames, 1, true};
constexpr FieldKind kYear{"year", kCronYearMin, kCronYearMax, {}, 0, false};

// A part of the expression, and where it begins there.
struct Part {
  std::string_view text;
  size_t begin = 0;

  Part sub(size_t offset, size_t count = std::string_view::npos) const {
    return {text.substr(offset, count), begin + offset};
  }
};

std::vector<Part> split(Part whole, std::string_view separators, bool keep_empty) {
  std::vector<Part> parts;
  for (size_t at = 0; at <= whole.text.size();) {
    const size_t end = std::min(whole.text.find_first_of(separators, at), whole.text.size());
    if (keep_empty || end > at) parts.push_back(whole.sub(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

std::unexpected<Error> wrong(const Part& part, std::string what, std::string fix = {}) {
  if (fix.empty()) fix = "Write 5 fields (minute hour day month weekday) or 6 to 7 (second first, year last).";
  return fail("CRON_INVALID", std::move(what), std::move(fix), "column " + std::to_string(part.begin + 1));
}

std::optional<int> to_number(std::string_view text) {
  if (text.empty() || !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
  int value = 0;
  for (const char c : text) value = std::min(value * 10 + (c - '0'), kNumberMax);
  return value;
}

Result<int> parse_number(const Part& part, std::string_view what, int low, int high) {
  const auto number = to_number(part.text);
  if (!number || *number < low || *number > high)
    return wrong(part, "The " + std::string(what) + " is not a number from " + std::to_string(low) + " to " +
                           std::to_string(high) + ".");
  return *number;
}

// A number or a name of the field.
Result<int> parse_value(const FieldKind& kind, const Part& part) {
  const auto name = std::ranges::find(kind.value_names, upper_case(part.text));
  if (name != kind.value_names.end()) return kind.first_name + static_cast<int>(name - kind.value_names.begin());
  return parse_number(part, kind.name, kind.low, kind.high);
}

struct Range {
  int from = 0;
  int to = 0;  // may be above the field's maximum: then it wraps
  int step = 1;
};

bool is_unix_weekday(const FieldKind& kind) { return kind.high == 7 && kind.low == 0; }

// The last of different values: the 7 of Unix's weekdays is Sunday once more.
int last_value(const FieldKind& kind) { return is_unix_weekday(kind) ? 6 : kind.high; }

Result<Range> parse_bounds(const FieldKind& kind, const Part& bounds, bool has_step) {
  if (bounds.text == "*" || bounds.text == "?") return Range{kind.low, last_value(kind)};
  const size_t dash = bounds.text.find('-');
  Range range;
  PAWL_TRY(range.from, parse_value(kind, bounds.sub(0, dash)));
  range.to = has_step ? std::max(range.from, last_value(kind)) : range.from;
  if (dash == std::string_view::npos) return range;
  const Part end = bounds.sub(dash + 1);
  PAWL_TRY(range.to, parse_value(kind, end));
  if (is_unix_weekday(kind) && range.to < range.from && upper_case(end.text) == "SUN") range.to = 7;
  if (range.to >= range.from) return range;
  if (!kind.may_wrap) return wrong(bounds, "The range ends before it begins.", "Write the lower value first.");
  range.to += kind.high - kind.low + 1;
  return range;
}

// * ? n n-m, each with /step.
Result<Range> parse_range(const FieldKind& kind, const Part& item) {
  const size_t slash = item.text.find('/');
  const bool has_step = slash != std::string_view::npos;
  PAWL_TRY(Range range, parse_bounds(kind, item.sub(0, slash), has_step));
  if (has_step) {
    PAWL_TRY(range.step, parse_number(item.sub(slash + 1), "step", 1, kind.high - kind.low + 1));
  }
  return range;
}

template <typename Visit>
void for_each_value(const FieldKind& kind, const Range& range, Visit visit) {
  const int count = kind.high - kind.low + 1;
  for (int value = range.from; value <= range.to; value += range.step)
    visit(static_cast<size_t>(value > kind.high ? value - count : value));
}

class CronParser {
 public:
  explicit CronParser(Part whole) : fields_(split(whole, " \t", false)) {}

  Result<Cron> parse() {
    const size_t count = fields_.size();
    if (count < 5 || count > 7) return wrong({}, "There are " + std::to_string(count) + " fields, not 5, 6 or 7.");
    is_unix_ = count == 5;
    if (is_unix_) fields_.insert(fields_.begin(), Part{"0", 0});
    PAWL_TRY(cron_.seconds, parse_bits(kSecond, fields_[0]));
    PAWL_TRY(cron_.minutes, parse_bits(kMinute, fields_[1]));
    PAWL_TRY(cron_.hours, parse_bits(kHour, fields_[2]));
    if (auto error = parse_days(fields_[3])) return std::unexpected(std::move(*error));
    PAWL_TRY(cron_.months, parse_bits(kMonth, fields_[4]));
    if (auto error = parse_weekdays(fields_[5])) return std::unexpected(std::move(*error));
    if (auto error = join_days(fields_[3], fields_[5])) return std::unexpected(std::move(*error));
    if (count == 7)
      if (auto error = parse_years(fields_[6])) return std::unexpected(std::move(*error));
    return checked();
  }

 private:
  Result<uint64_t> parse_bits(FieldKind kind, const Part& field) const {
    uint64_t bits = 0;
    for (const Part& item : split(field, ",", true)) {
      PAWL_TRY(const uint64_t more, parse_item(kind, item));
      bits |= more;
    }
    return bits;
  }

  Result<uint64_t> parse_item(FieldKind kind, const Part& item) const {
    const bool is_day = kind.name == kDay.name || kind.name == kUnixWeekday.name;
    if (item.text.starts_with('?') && !is_day)
      return wrong(item, "? is for the day of the month or of the week.",
                   "Write * for every " + std::string(kind.name) + ".");
    if (is_unix_) kind.may_wrap = false;
    PAWL_TRY(const Range range, parse_range(kind, item));
    uint64_t bits = 0;
    for_each_value(kind, range, [&](size_t value) { bits |= uint64_t{1} << value; });
    return bits;
  }

  // L, L-n, nW, LW, L-nW, or days as in the other fields.
  std::optional<Error> parse_days(const Part& field) {
    for (const Part& item : split(field, ",", true)) {
      const bool is_workday = !is_unix_ && item.text.size() > 1 && upper_case(item.text).ends_with('W');
      const bool is_from_last = !is_unix_ && upper_case(item.text).starts_with('L');
      const Part number = item.sub(0, item.text.size() - (is_workday ? 1 : 0));
      if (is_from_last) {
        const auto offset = parse_days_before_last(number);
        if (!offset) return offset.error();
        (is_workday ? cron_.workdays_before_last : cron_.days_before_last) |= uint64_t{1} << *offset;
      } else if (is_workday) {
        const auto day = parse_value(kDay, number);
        if (!day) return day.error();
        cron_.workdays_near |= uint64_t{1} << *day;
      } else {
        const auto bits = parse_item(kDay, item);
        if (!bits) return bits.error();
        cron_.days |= *bits;
      }
    }
    return std::nullopt;
  }

  Result<int> parse_days_before_last(const Part& part) const {
    if (part.text.size() == 1) return 0;
    if (part.text[1] != '-') return wrong(part, "After L comes W, or - and a number of days.");
    return parse_number(part.sub(2), "number of days before the last", 0, kDaysBeforeLastMax);
  }

  // L, nL, n#k, or weekdays as in the other fields.
  std::optional<Error> parse_weekdays(const Part& field) {
    for (const Part& item : split(field, ",", true)) {
      const size_t hash = item.text.find('#');
      const auto error = is_unix_                               ? parse_plain_weekdays(item)
                         : hash != std::string_view::npos       ? parse_nth_weekday(item, hash)
                         : upper_case(item.text).ends_with('L') ? parse_last_weekday(item)
                                                                : parse_plain_weekdays(item);
      if (error) return error;
    }
    return std::nullopt;
  }

  // As in the expression; Sunday is 0 here, in both families.
  unsigned weekday_of(int value) const { return static_cast<unsigned>(is_unix_ ? value % 7 : value - 1); }

  std::optional<Error> parse_plain_weekdays(const Part& item) {
    const auto bits = parse_item(is_unix_ ? kUnixWeekday : kQuartzWeekday, item);
    if (!bits) return bits.error();
    for (int value = 0; value <= 7; ++value)
      if ((*bits >> value & 1) != 0) cron_.weekdays |= uint64_t{1} << weekday_of(value);
    return std::nullopt;
  }

  std::optional<Error> parse_nth_weekday(const Part& item, size_t hash) {
    const auto value = parse_value(kQuartzWeekday, item.sub(0, hash));
    if (!value) return value.error();
    const auto nth = parse_number(item.sub(hash + 1), "number behind #", 1, 5);
    if (!nth) return nth.error();
    cron_.weekdays_nth[static_cast<size_t>(*nth)] |= uint64_t{1} << weekday_of(*value);
    return std::nullopt;
  }

  // L alone is Saturday, the last day of a week.
  std::optional<Error> parse_last_weekday(const Part& item) {
    if (item.text.size() == 1) {
      cron_.weekdays |= uint64_t{1} << 6;
      return std::nullopt;
    }
    const auto value = parse_value(kQuartzWeekday, item.sub(0, item.text.size() - 1));
    if (!value) return value.error();
    cron_.weekdays_last |= uint64_t{1} << weekday_of(*value);
    return std::nullopt;
  }

  std::optional<Error> join_days(const Part& days, const Part& weekdays) {
    if (is_unix_) {
      const auto is_restricted = [](const Part& field) {
        return field.text.find_first_of("*?") == std::string_view::npos;
      };
      cron_.one_day_is_enough = is_restricted(days) && is_restricted(weekdays);
      return std::nullopt;
    }
    const auto is_open = [](const Part& field) { return field.text == "*" || field.text == "?"; };
    if (is_open(days) || is_open(weekdays)) return std::nullopt;
    return wrong(weekdays, "Both the day of the month and the day of the week are set.", "Write ? for one of them.")
        .error();
  }

  std::optional<Error> parse_years(const Part& field) {
    if (field.text == "*") return std::nullopt;
    cron_.years.emplace();
    for (const Part& item : split(field, ",", true)) {
      const auto range = parse_range(kYear, item);
      if (!range) return range.error();
      for_each_value(kYear, *range, [&](size_t year) { cron_.years->set(year - kCronYearMin); });
    }
    return std::nullopt;
  }

  Result<Cron> checked() const {
    const Cron cron(cron_);
    const Timestamp first = std::chrono::sys_days(std::chrono::year(kCronYearMin) / 1 / 1) - Duration(1);
    if (cron.next_after(first, TimeZone::utc())) return cron;
    return fail("CRON_NEVER", "The expression never comes true: no year that it names has such a day.",
                "Look at the fields for days, months and years.");
  }

  std::vector<Part> fields_;
  bool is_unix_ = false;
  CronFields cron_;
};

}  // namespace

Result<Cron> parse_cron(std::string_view text) {
  if (text.size() > kCronBytesMax)
    return wrong({}, "The expression is longer than " + std::to_string(kCronBytesMax) + " bytes.");
  const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const size_t end = text.find_last_not_of(" \t") + 1;
  const Part whole{text.substr(begin, end < begin ? 0 : end - begin), begin};
  if (!whole.text.starts_with('@')) return CronParser(whole).parse();
  for (const Macro& macro : kMacros)
    if (upper_case(macro.name) == upper_case(whole.text)) return CronParser({macro.expression, 0}).parse();
  return wrong(whole, "There is no such word.", "Write @yearly, @monthly, @weekly, @daily or @hourly.");
}

}  // namespace pawl::text
