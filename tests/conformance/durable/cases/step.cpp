// The cases of step/: attempts, retries, results, at most once.
#include <stdexcept>

#include "cases.h"

namespace pawl::conformance {
namespace {

using durable::Jitter;
using durable::StepContext;
using durable::StepSemantics;
namespace retry = durable::retry;
using namespace std::chrono_literals;

class TransientError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Fails until that attempt.
auto succeeds_at(int attempt, std::string result) {
  return [attempt, result](StepContext& step) {
    if (step.attempt() < attempt) throw std::runtime_error("attempt " + std::to_string(step.attempt()) + " fails");
    return result;
  };
}

std::string always_fails() { throw std::runtime_error("this always fails"); }

// --- results

Task<std::string> basic(Context& ctx, std::string name) {
  co_return co_await ctx.step([&] { return "Hello, " + name + "!"; });
}

Task<std::string> with_name(Context& ctx, std::string name) {
  co_return co_await ctx.step("custom_step_name", [&] { return "Hello, " + name + "!"; });
}

Task<std::string> second_depends_on_first(Context& ctx) {
  const std::string first = co_await ctx.step([] { return std::string("first"); });
  co_return co_await ctx.step([&] { return first + "_second"; });
}

Task<Json> complex_object(Context& ctx, Json event) {
  co_return co_await ctx.step([&] {
    return Json::object(
        {{"user", Json::object({{"name", event["name"]}, {"tags", event["tags"]}})}, {"count", event["tags"].size()}});
  });
}

Task<Json> null_result(Context& ctx) {
  co_return co_await ctx.step([] { return Json(); });
}

Task<std::string> custom_serdes(Context& ctx, std::string text) {
  co_return co_await ctx.step("return_input", [&] { return text; }, {}, upper_case_serdes());
}

Task<std::string> with_logger(Context& ctx, std::string name) {
  co_return co_await ctx.step([&](StepContext& step) {
    step.logger().info("Greeting step started for: " + name);
    const std::string greeting = "Hello, " + name + "!";
    step.logger().info("Greeting step completed with: " + greeting);
    return greeting;
  });
}

// --- replay

Task<std::string> replay_skips(Context& ctx, durable::Duration nap, std::string result) {
  const std::string kept = co_await ctx.step([&](StepContext& step) {
    step.logger().info("step executed");
    return result;
  });
  co_await ctx.wait(nap);
  co_return kept;
}

Task<std::string> step_and_wait(Context& ctx) { co_return co_await replay_skips(ctx, 2s, "computed"); }
Task<std::string> replay_skips_succeeded(Context& ctx) { co_return co_await replay_skips(ctx, 1s, "cached_value"); }

Task<void> replay_throws_again(Context& ctx) {
  try {
    co_await ctx.step(always_fails, {.retry = retry::none()});
  } catch (const durable::StepError& error) {
    ctx.logger().info(error.what());
  }
  co_await ctx.wait(1s);
}

// --- retries

Task<std::string> retried(Context& ctx) {
  co_return co_await ctx.step(succeeds_at(2, "Operation succeeded"), {.retry = retry::fixed(3, 1s)});
}

Task<std::string> retries_exhausted(Context& ctx) {
  co_return co_await ctx.step(always_fails, {.retry = retry::fixed(4, 1s)});
}

Task<std::string> default_retries(Context& ctx) { co_return co_await ctx.step(succeeds_at(3, "done")); }

Task<std::string> custom_retries(Context& ctx) {
  const auto strategy = retry::backoff({.attempts = 5, .first = 2s, .factor = 3, .jitter = Jitter::None});
  co_return co_await ctx.step(succeeds_at(3, "done"), {.retry = strategy});
}

Task<std::string> retries_transient_errors(Context& ctx) {
  const auto strategy = [](const durable::Failure& failure) -> std::optional<durable::Duration> {
    if (!failure.is<TransientError>() || failure.attempt() >= 3) return std::nullopt;
    return 1s;
  };
  co_return co_await ctx.step(
      [](StepContext& step) {
        if (step.attempt() == 1) throw TransientError("try again");
        return std::string("done");
      },
      {.retry = strategy});
}

Task<std::string> does_not_retry_transient_errors(Context& ctx) {
  const auto strategy = retry::backoff(
      {.attempts = 3, .only_if = [](const durable::Failure& failure) { return !failure.is<TransientError>(); }});
  co_return co_await ctx.step([]() -> std::string { throw TransientError("never again"); }, {.retry = strategy});
}

Task<std::string> fails_for_good(Context& ctx) { co_return co_await ctx.step(always_fails, {.retry = retry::none()}); }

Task<std::string> falls_back(Context& ctx) {
  std::string value;
  try {
    value = co_await ctx.step(always_fails, {.retry = retry::none()});
  } catch (const durable::StepError&) {
    value = "fallback";
  }
  co_return co_await ctx.step([&] { return value + "_result"; });
}

// --- at most once

Task<std::string> interrupted(Context& ctx, std::string text) {
  co_return co_await ctx.step("at_most_once_flaky_step",
                              [&](StepContext& step) -> std::string {
                                step.logger().info(text);
                                crash();
                              },
                              {.retry = retry::none(), .semantics = StepSemantics::AtMostOnce});
}

Task<std::string> interrupted_and_retried(Context& ctx, std::string text) {
  co_return co_await ctx.step(
      [&](StepContext& step) -> std::string {
        step.logger().info(text);
        if (step.attempt() == 1) crash();
        return "succeeded on second attempt";
      },
      {.retry = retry::fixed(2, 1s), .semantics = StepSemantics::AtMostOnce});
}

}  // namespace

void add_step_cases(Cases& cases) {
  cases.add("1-1", basic);      // Spec: 4.4.2.4-5
  cases.add("1-2", with_name);  // Spec: 5.4.1-3
  cases.add("1-3", second_depends_on_first);
  cases.add("1-4", complex_object);
  cases.add("1-5", null_result);
  cases.add("1-6", custom_serdes);  // Spec: 9.2.1
  cases.add("1-7", with_logger);    // Spec: 10.1.1-2, 10.2.1
  cases.add("1-8", step_and_wait);
  cases.add("1-9", replay_skips_succeeded);  // Spec: 2.3.2, 4.4.2.3
  cases.add("1-10", replay_throws_again);    // Spec: 2.5.7
  cases.add("1-11", retried);                // Spec: 4.4.5.3-4
  cases.add("1-12", retries_exhausted);      // Spec: 8.3.1.3
  cases.add("1-13", default_retries);
  cases.add("1-14", custom_retries);            // Spec: 4.4.5.2
  cases.add("1-15", retries_transient_errors);  // Spec: 4.4.5.1
  cases.add("1-16", does_not_retry_transient_errors);
  cases.add("1-17", interrupted);  // Spec: 2.5.9
  cases.add("1-18", interrupted_and_retried);
  cases.add("1-19", fails_for_good);
  cases.add("1-20", falls_back);
}

}  // namespace pawl::conformance
