// How long it takes to find the next time of a schedule.
#include <benchmark/benchmark.h>

#include "text/cron.h"

using namespace pawl;

namespace {

void bench_next(benchmark::State& state, const char* expression, const char* rule) {
  const text::Cron cron = text::parse_cron(expression).value();
  const text::TimeZone zone = text::TimeZone::from_posix(rule).value();
  const Timestamp first = std::chrono::sys_days(std::chrono::year(2020) / 1 / 1);
  Timestamp time = first;
  for (auto _ : state) {
    const auto next = cron.next_after(time, zone);
    time = next.value_or(first);
    benchmark::DoNotOptimize(time);
  }
}

constexpr const char* kBerlin = "CET-1CEST,M3.5.0,M10.5.0/3";
BENCHMARK_CAPTURE(bench_next, minutes_berlin, "*/5 * * * *", kBerlin)->Name("cron/next/five_minutes/berlin");
BENCHMARK_CAPTURE(bench_next, workdays_berlin, "0 0 9 ? * MON-FRI", kBerlin)->Name("cron/next/workdays/berlin");
BENCHMARK_CAPTURE(bench_next, leap_days, "0 0 29 2 *", "UTC0")->Name("cron/next/leap_days/utc");

void bench_parse(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(text::parse_cron("0 0/15 8-18 ? * MON-FRI"));
}
BENCHMARK(bench_parse)->Name("cron/parse");

}  // namespace
