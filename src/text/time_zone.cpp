// TimeZone: the changes of an offset in a sorted table, made from a TZif file and the rule on its last line.
#include "text/time_zone.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/zone_files.h"
#include "text/posix_zone_rule.h"
#include "text/tzif.h"

namespace pawl::text {

using std::chrono::seconds;

struct TimeZone::Data {
  std::string name;
  ZoneTable table;
  bool repeats = false;  // the last 400 years of the table go on for ever
};

namespace {

constexpr int kYearsOfCycle = 400;
constexpr int64_t kSecondsOfCycle = int64_t{146'097} * 86'400;
constexpr int64_t kLocalWindowSeconds = kZoneOffsetSecondsMax + 3600;  // a local time is no farther from its instant

constexpr std::chrono::sys_seconds kRulesFrom = std::chrono::sys_days(std::chrono::year(1900) / 1 / 1);
constexpr std::chrono::sys_seconds kRulesUntil = std::chrono::sys_days(std::chrono::year(2500) / 1 / 1);

// Of an instant that a file has, which may be long before there were zones.
int year_of(int64_t instant) {
  const auto time = std::clamp(std::chrono::sys_seconds(seconds(instant)), kRulesFrom, kRulesUntil);
  return static_cast<int>(std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(time)).year());
}

// Adds the changes that a rule implies after the last one of the table, for one cycle and a year.
void extend(ZoneTable& table, const PosixZoneRule& rule) {
  const bool was_empty = table.changes.empty();
  const int first_year = was_empty ? 1970 : year_of(table.changes.back().instant);
  if (was_empty) table.first_offset = rule.standard_seconds;
  for (int year = first_year; year <= first_year + kYearsOfCycle + 1; ++year) {
    ZoneChange first{rule.start.seconds_in(year) - rule.standard_seconds, rule.daylight_seconds};
    ZoneChange second{rule.end.seconds_in(year) - rule.daylight_seconds, rule.standard_seconds};
    if (second.instant < first.instant) std::swap(first, second);
    for (const ZoneChange& change : {first, second})
      if (table.changes.empty() || change.instant >= table.changes.back().instant) table.changes.push_back(change);
  }
}

std::unexpected<Error> unknown_zone(std::string_view name) {
  return fail("TIME_ZONE_UNKNOWN", "There is no time zone named \"" + std::string(name) + "\" on this machine.",
              has_zone_files() ? "Write a name of the IANA database, as Europe/Berlin."
                               : "Install the time zones of the IANA database (Debian's package tzdata).");
}

}  // namespace

TimeZone TimeZone::utc() { return TimeZone(std::make_shared<const Data>(Data{"UTC", {}, false})); }

Result<TimeZone> TimeZone::from_tzif(std::string name, std::string_view bytes) {
  Data data{std::move(name), {}, false};
  std::optional<PosixZoneRule> rule;
  auto file = parse_tzif(bytes);
  if (file && !file->rule.empty()) rule = parse_posix_zone_rule(file->rule);
  if (!file || (!file->rule.empty() && !rule))
    return fail("TIME_ZONE_INVALID", "The file of the time zone \"" + data.name + "\" is damaged.",
                "Install the time zones of the IANA database again (Debian's package tzdata).");
  data.table = std::move(file->table);
  if (rule && rule->has_daylight) {
    extend(data.table, *rule);
    data.repeats = true;
  } else if (rule && data.table.changes.empty()) {
    data.table.first_offset = rule->standard_seconds;
  }
  return TimeZone(std::make_shared<const Data>(std::move(data)));
}

Result<TimeZone> TimeZone::from_posix(std::string_view text) {
  const auto rule = parse_posix_zone_rule(text);
  if (!rule)
    return fail("TIME_ZONE_INVALID", "\"" + std::string(text) + "\" is no rule of a time zone.",
                "Write a name as Europe/Berlin, or a rule as CET-1CEST,M3.5.0,M10.5.0/3.");
  Data data{std::string(text), {}, rule->has_daylight};
  data.table.first_offset = rule->standard_seconds;
  if (rule->has_daylight) extend(data.table, *rule);
  return TimeZone(std::make_shared<const Data>(std::move(data)));
}

const std::string& TimeZone::name() const { return data_->name; }

seconds TimeZone::offset_at(Timestamp time) const {
  const std::vector<ZoneChange>& changes = data_->table.changes;
  int64_t instant = std::chrono::floor<seconds>(time).time_since_epoch().count();
  if (data_->repeats && instant >= changes.back().instant)
    instant -= ((instant - changes.back().instant) / kSecondsOfCycle + 1) * kSecondsOfCycle;
  const auto after = std::ranges::upper_bound(changes, instant, {}, &ZoneChange::instant);
  return seconds(after == changes.begin() ? data_->table.first_offset : std::prev(after)->offset);
}

LocalTime TimeZone::to_local(Timestamp time) const { return LocalTime((time + offset_at(time)).time_since_epoch()); }

Timestamp TimeZone::to_utc(LocalTime local) const {
  const std::vector<ZoneChange>& changes = data_->table.changes;
  const auto whole = std::chrono::floor<seconds>(local);
  int64_t shown = whole.time_since_epoch().count();
  int64_t cycles = 0;
  if (data_->repeats && shown >= changes.back().instant - kLocalWindowSeconds) {
    cycles = (shown - changes.back().instant + kLocalWindowSeconds) / kSecondsOfCycle + 1;
    shown -= cycles * kSecondsOfCycle;
  }
  // From one stretch of one offset to the next: the first one that ends after the time is shown has it, or begins
  // where the clocks skipped it.
  auto next = std::ranges::upper_bound(changes, shown - kLocalWindowSeconds, {}, &ZoneChange::instant);
  int64_t begin = INT64_MIN;
  int64_t offset = next == changes.begin() ? data_->table.first_offset : std::prev(next)->offset;
  for (; next != changes.end() && shown - offset >= next->instant; ++next) {
    begin = next->instant;
    offset = next->offset;
  }
  const bool is_skipped = shown - offset < begin;
  const int64_t instant = (is_skipped ? begin : shown - offset) + cycles * kSecondsOfCycle;
  return Timestamp(seconds(instant)) + (is_skipped ? Duration::zero() : local - whole);
}

Result<TimeZone> find_time_zone(std::string_view name) {
  if (name == "UTC" || name == "Etc/UTC" || name == "Z") return TimeZone::utc();
  const auto bytes = read_zone_file(name);
  if (!bytes) return unknown_zone(name);
  return TimeZone::from_tzif(std::string(name), *bytes);
}

Result<TimeZone> local_time_zone() {
  const LocalZone local = read_local_zone();
  if (local.variable) {
    const std::string_view text = local.variable->starts_with(':') ? std::string_view(*local.variable).substr(1)
                                                                   : std::string_view(*local.variable);
    if (text.empty()) return TimeZone::utc();
    if (auto named = find_time_zone(text); named || !parse_posix_zone_rule(text)) return named;
    return TimeZone::from_posix(text);
  }
  if (local.bytes.empty()) return TimeZone::utc();
  return TimeZone::from_tzif(local.name.empty() ? "the machine's own" : local.name, local.bytes);
}

}  // namespace pawl::text
