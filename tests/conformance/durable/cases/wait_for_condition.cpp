// The cases of wait_for_condition/: checks that are repeated until a state is final.
#include <stdexcept>

#include "cases.h"

namespace pawl::conformance {
namespace {

using durable::Duration;
using durable::Jitter;
using durable::Polling;
using durable::WaitStrategy;
using namespace std::chrono_literals;

int increment(int state) { return state + 1; }

WaitStrategy<int> until(int threshold, Duration delay = 1s) {
  return [threshold, delay](const int& state, int) -> std::optional<Duration> {
    if (state >= threshold) return std::nullopt;
    return delay;
  };
}

Task<int> counts_up(Context& ctx, int threshold) {
  co_return co_await ctx.wait_for_condition("", increment, 0, until(threshold));
}

Task<int> is_met_at_once(Context& ctx, int threshold) {
  co_return co_await ctx.wait_for_condition("", [](int state) { return state; }, 5, until(threshold));
}

Task<int> with_name(Context& ctx, int threshold) {
  co_return co_await ctx.wait_for_condition("poll-status", increment, 0, until(threshold));
}

Task<int> with_initial_state(Context& ctx, int threshold) {
  co_return co_await ctx.wait_for_condition("", increment, 5, until(threshold));
}

Task<int> with_fixed_delay(Context& ctx, int threshold) {
  co_return co_await ctx.wait_for_condition("", increment, 0, until(threshold, 2s));
}

Task<int> is_never_met(Context& ctx) {
  const Polling polling{.attempts = 3, .first = 1s, .factor = 1, .jitter = Jitter::None};
  const auto strategy = durable::poll_while<int>([](int) { return true; }, polling);
  co_return co_await ctx.wait_for_condition("", increment, 0, strategy);
}

int throws(int) { throw std::runtime_error("the check fails"); }

Task<int> check_throws(Context& ctx) { co_return co_await ctx.wait_for_condition("", throws, 0, until(1)); }

Task<std::string> throw_is_caught(Context& ctx) {
  try {
    co_await ctx.wait_for_condition("", throws, 0, until(1));
  } catch (const durable::WaitConditionError&) {
    co_return "recovered";
  }
  co_return "it did not throw";
}

struct Job {
  std::string status;
  int attempts = 0;
};
PAWL_DURABLE_FIELDS(Job, status, attempts)

Job look_at(Job job) {
  ++job.attempts;
  if (job.attempts >= 2) job.status = "DONE";
  return job;
}

Task<Job> structured_state(Context& ctx) {
  const Job initial{"PENDING", 0};
  const Polling polling{.first = 1s, .factor = 1, .jitter = Jitter::None};
  const auto strategy = durable::poll_while<Job>([](const Job& job) { return job.status == "PENDING"; }, polling);
  co_return co_await ctx.wait_for_condition("", look_at, initial, strategy);
}

Task<Json> null_state(Context& ctx) {
  const WaitStrategy<Json> at_once = [](const Json&, int) { return std::nullopt; };
  co_return co_await ctx.wait_for_condition("", [](Json) { return Json(); }, Json(), at_once);
}

Task<std::string> custom_serdes(Context& ctx) {
  const WaitStrategy<std::string> strategy = [](const std::string& state, int) -> std::optional<Duration> {
    if (state.size() >= 2) return std::nullopt;
    return 1s;
  };
  const durable::Serdes<std::string> wrapped([](const std::string& state) { return "<" + state + ">"; },
                                             [](std::string_view text) {
                                               if (text.size() < 2 || text.front() != '<' || text.back() != '>')
                                                 throw durable::SerializationError("not wrapped");
                                               return std::string(text.substr(1, text.size() - 2));
                                             });
  const std::string empty;
  co_return co_await ctx.wait_for_condition(
      "", [](std::string state) { return state + "x"; }, empty, strategy, wrapped);
}

Task<int> then_a_step(Context& ctx, int threshold) {
  const int state = co_await ctx.wait_for_condition("", increment, 0, until(threshold));
  co_return co_await ctx.step([&] { return 10 * state; });
}

Task<int> two_in_a_row(Context& ctx) {
  const int first = co_await ctx.wait_for_condition("", increment, 0, until(2));
  co_return co_await ctx.wait_for_condition("", increment, first, until(4));
}

}  // namespace

void add_wait_for_condition_cases(Cases& cases) {
  cases.add("6-1", counts_up);  // Spec: 7.1.2.1-6
  cases.add("6-2", is_met_at_once);
  cases.add("6-3", with_name);
  cases.add("6-4", with_initial_state);
  cases.add("6-5", with_fixed_delay);
  cases.add("6-6", is_never_met);
  cases.add("6-7", check_throws);
  cases.add("6-8", throw_is_caught);
  cases.add("6-9", structured_state);
  cases.add("6-10", null_state);
  cases.add("6-11", custom_serdes);
  cases.add("6-12", then_a_step);
  cases.add("6-13", two_in_a_row);
}

}  // namespace pawl::conformance
