// Random expressions, held against a search that looks at every minute.
#include <bitset>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/random.h"
#include "text/cron.h"
#include "text/timestamp.h"

namespace pawl::text {
namespace {

using std::chrono::minutes;

// A field's text and the values that it names, made together so that neither is derived from the other.
struct RandomField {
  std::string text;
  std::bitset<64> values;
};

int between(Random& random, int low, int high) {
  return low + static_cast<int>(random.next() % static_cast<uint64_t>(high - low + 1));
}

RandomField random_field(Random& random, int low, int high) {
  RandomField field;
  const auto name_range = [&](int from, int to, int step) {
    for (int value = from; value <= to; value += step) field.values.set(static_cast<size_t>(value));
  };
  const int from = between(random, low, high);
  const int to = between(random, from, high);
  const int step = between(random, 1, std::max(1, (high - low) / 2));
  switch (random.next() % 6) {
    case 0:
      name_range(low, high, 1);
      field.text = "*";
      break;
    case 1:
      name_range(low, high, step);
      field.text = "*/" + std::to_string(step);
      break;
    case 2:
      name_range(from, from, 1);
      field.text = std::to_string(from);
      break;
    case 3:
      name_range(from, to, 1);
      field.text = std::to_string(from) + "-" + std::to_string(to);
      break;
    case 4:
      name_range(from, to, step);
      field.text = std::to_string(from) + "-" + std::to_string(to) + "/" + std::to_string(step);
      break;
    default: {
      const int other = between(random, low, high);
      name_range(from, from, 1);
      name_range(other, other, 1);
      field.text = std::to_string(from) + "," + std::to_string(other);
    }
  }
  return field;
}

// An expression in the Unix form, and the rule by which a minute is named.
struct RandomCron {
  RandomField minute, hour, day, month, weekday;

  explicit RandomCron(Random& random)
      : minute(random_field(random, 0, 59)),
        hour(random_field(random, 0, 23)),
        day(random_field(random, 1, 31)),
        month(random_field(random, 1, 12)),
        weekday(random_field(random, 0, 6)) {}

  std::string text() const {
    return minute.text + " " + hour.text + " " + day.text + " " + month.text + " " + weekday.text;
  }

  bool names(LocalTime time) const {
    const auto midnight = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(midnight);
    const auto of_day = static_cast<size_t>(std::chrono::floor<minutes>(time - midnight).count());
    if (!minute.values[of_day % 60] || !hour.values[of_day / 60] || !month.values[static_cast<unsigned>(date.month())])
      return false;
    const bool by_day = day.values[static_cast<unsigned>(date.day())];
    const bool by_weekday = weekday.values[std::chrono::weekday(midnight).c_encoding()];
    const bool has_star = day.text.starts_with('*') || weekday.text.starts_with('*');
    return has_star ? by_day && by_weekday : by_day || by_weekday;
  }
};

Timestamp at(std::string_view text) { return parse_timestamp(text)->ceil_to_milliseconds(); }

using Minutes = std::vector<std::pair<LocalTime, Timestamp>>;

// For each local minute of a stretch of time the first instant that shows it; for a skipped one the next instant that
// shows anything later.
Minutes instants_by_local_minute(const TimeZone& zone, Timestamp from, Timestamp until) {
  std::map<LocalTime, Timestamp> shown;
  for (Timestamp time = from; time < until; time += minutes(1)) shown.emplace(zone.to_local(time), time);
  Minutes all;
  const LocalTime last = shown.rbegin()->first;
  for (LocalTime local = shown.begin()->first; local <= last; local += minutes(1))
    all.emplace_back(local, shown.lower_bound(local)->second);
  return all;
}

void expect_same(const RandomCron& random_cron, const TimeZone& zone, Timestamp from, Timestamp until,
                 const Minutes& instants) {
  const auto cron = parse_cron(random_cron.text());
  ASSERT_TRUE(cron || cron.error().code == "CRON_NEVER") << random_cron.text();
  std::set<Timestamp> expected;
  for (const auto& [local, instant] : instants)
    if (instant > from && instant < until && random_cron.names(local)) expected.insert(instant);
  if (!cron) {
    ASSERT_TRUE(expected.empty()) << random_cron.text();
    return;
  }
  std::optional<Timestamp> time = from;
  for (const Timestamp instant : expected) {
    time = cron->next_after(*time, zone);
    ASSERT_TRUE(time) << random_cron.text();
    ASSERT_EQ(format_timestamp(*time), format_timestamp(instant)) << random_cron.text();
  }
  time = cron->next_after(*time, zone);
  ASSERT_TRUE(!time || *time >= until) << random_cron.text() << " " << format_timestamp(*time);
}

TEST(CronReference, AgreesForEveryMinuteOfAYear) {
  SeededRandom random(7);
  const Timestamp from = at("2019-12-31T00:00:00Z"), until = at("2021-01-01T00:00:00Z");
  Minutes instants;
  for (Timestamp time = from; time < until; time += minutes(1))
    instants.emplace_back(LocalTime(time.time_since_epoch()), time);
  for (int i = 0; i < 20 && !testing::Test::HasFatalFailure(); ++i)
    expect_same(RandomCron(random), TimeZone::utc(), from, until, instants);
}

struct Change {
  const char* rule;
  const char* day;
};

class CronReferenceInAZone : public testing::TestWithParam<Change> {};

TEST_P(CronReferenceInAZone, AgreesForEveryMinuteAroundAChange) {
  SeededRandom random(11);
  const TimeZone zone = TimeZone::from_posix(GetParam().rule).value();
  const Timestamp from = at(GetParam().day) - std::chrono::hours(60), until = from + std::chrono::hours(120);
  const auto instants = instants_by_local_minute(zone, from - std::chrono::hours(48), until + std::chrono::hours(48));
  for (int i = 0; i < 100 && !HasFatalFailure(); ++i) expect_same(RandomCron(random), zone, from, until, instants);
}

constexpr const char* kBerlin = "CET-1CEST,M3.5.0,M10.5.0/3";
constexpr const char* kNewYork = "EST5EDT,M3.2.0,M11.1.0";
constexpr const char* kLordHowe = "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0";
INSTANTIATE_TEST_SUITE_P(
    Changes, CronReferenceInAZone,
    testing::Values(Change{kBerlin, "2020-03-29T01:00:00Z"}, Change{kBerlin, "2020-10-25T01:00:00Z"},
                    Change{kNewYork, "2020-03-08T07:00:00Z"}, Change{kNewYork, "2020-11-01T06:00:00Z"},
                    Change{kLordHowe, "2020-04-04T15:00:00Z"}, Change{kLordHowe, "2020-10-03T15:30:00Z"}));

}  // namespace
}  // namespace pawl::text
