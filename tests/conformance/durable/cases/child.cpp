// The cases of child/: operations grouped in a context of their own.
#include <stdexcept>
#include <thread>

#include "cases.h"

namespace pawl::conformance {
namespace {

using durable::StepContext;
namespace retry = durable::retry;
using namespace std::chrono_literals;

constexpr std::size_t kLargeBytes = 300 * 1024;  // more than a checkpoint takes

std::string fails() { throw std::runtime_error("the step fails"); }

// The body of most children: a step that gives the text.
auto one_step(const std::string& text) {
  return [&text](Context& child) -> Task<std::string> { co_return co_await child.step([&] { return text; }); };
}

Task<std::string> failing_child(Context& child) { co_return co_await child.step(fails, {.retry = retry::none()}); }

Task<std::string> basic(Context& ctx, std::string text) { co_return co_await ctx.run_in_child_context(one_step(text)); }

Task<std::string> with_name(Context& ctx, Json event) {
  const std::string value = event["value"].as_string();
  co_return co_await ctx.run_in_child_context(event["name"].as_string(), one_step(value));
}

Task<std::string> two_steps(Context& ctx, std::string text) {
  co_return co_await ctx.run_in_child_context("two-steps", [&](Context& child) -> Task<std::string> {
    const std::string first = co_await child.step([&] { return text; });
    co_return co_await child.step([&] { return first; });
  });
}

// --- failures

Task<std::string> step_fails(Context& ctx) { co_return co_await ctx.run_in_child_context("failing", failing_child); }

Task<std::string> failure_is_caught(Context& ctx, std::string text) {
  try {
    co_await ctx.run_in_child_context(failing_child);
  } catch (const durable::ChildContextError& error) {
    ctx.logger().info(error.what());
  }
  co_return co_await ctx.step("recover", [&] { return text; });
}

Task<std::string> step_is_retried(Context& ctx, std::string text) {
  co_return co_await ctx.run_in_child_context("retrying", [&](Context& child) -> Task<std::string> {
    co_return co_await child.step(
        [&](StepContext& step) {
          if (step.attempt() == 1) throw std::runtime_error("not yet");
          return text;
        },
        {.retry = retry::fixed(3, 1s)});
  });
}

Task<std::string> retries_are_exhausted(Context& ctx) {
  co_return co_await ctx.run_in_child_context("exhausting", [](Context& child) -> Task<std::string> {
    co_return co_await child.step(fails, {.retry = retry::fixed(2, 1s)});
  });
}

Task<std::string> body_throws(Context& ctx) {
  co_return co_await ctx.run_in_child_context(
      "throwing", [](Context&) -> std::string { throw std::runtime_error("the child itself fails"); });
}

// --- nesting and replay

Task<std::string> nested(Context& ctx, std::string text) {
  co_return co_await ctx.run_in_child_context("outer", [&](Context& outer) -> Task<std::string> {
    co_await outer.step([&] { return text; });
    co_return co_await outer.run_in_child_context("inner", one_step(text));
  });
}

Task<std::string> replay_skips(Context& ctx, std::string text) {
  const std::string kept = co_await ctx.run_in_child_context("kept", one_step(text));
  co_await ctx.wait(1s);
  co_return kept;
}

Task<std::string> step_and_wait_inside(Context& ctx, const std::string& text) {
  co_return co_await ctx.run_in_child_context("step-and-wait", [&](Context& child) -> Task<std::string> {
    const std::string kept = co_await child.step([&] { return text; });
    co_await child.wait(1s);
    co_return kept;
  });
}

Task<std::string> step_and_wait(Context& ctx, std::string text) { co_return co_await step_and_wait_inside(ctx, text); }

Task<std::size_t> large_result(Context& ctx, std::string text) {
  ctx.log_in_replay(true);
  const std::string large = co_await ctx.run_in_child_context("large", [&](Context& child) -> Task<std::string> {
    child.logger().info(text);
    const std::string letter = co_await child.step([] { return std::string("x"); });
    co_return std::string(kLargeBytes, letter.front());
  });
  co_await ctx.wait(1s);
  co_return large.size();
}

Task<std::string> interrupted(Context& ctx, std::string text) {
  const std::string& arn = ctx.execution_arn();
  co_return co_await ctx.run_in_child_context([&](Context& child) -> Task<std::string> {
    co_return co_await child.step([&] {
      // Long enough for the START to be sent by itself.
      std::this_thread::sleep_for(200ms);
      crash_once(arn);
      return text;
    });
  });
}

Task<std::string> wait_inside(Context& ctx, std::string text) {
  const std::string kept = co_await ctx.run_in_child_context("waiting", [&](Context& child) -> Task<std::string> {
    co_await child.wait(1s);
    co_return text;
  });
  co_return co_await ctx.step([&] { return kept; });
}

Task<std::string> custom_serdes(Context& ctx, std::string text) {
  co_return co_await ctx.run_in_child_context("upper-case", one_step(text), upper_case_serdes());
}

Task<Json> null_result(Context& ctx) {
  co_return co_await ctx.run_in_child_context("nothing", [](Context&) { return Json(); });
}

Task<std::string> logs_once(Context& ctx, std::string text) {
  ctx.log_in_replay(true);
  const std::string kept = co_await ctx.run_in_child_context("logging", [&](Context& child) {
    child.logger().info(text);
    return text;
  });
  co_await ctx.wait(1s);
  co_return kept;
}

Task<std::string> mixed(Context& ctx, std::string text) {
  const std::string inner = co_await step_and_wait_inside(ctx, text);
  const std::string outer = co_await ctx.step([&] { return inner; });
  co_await ctx.wait(1s);
  co_return outer;
}

}  // namespace

void add_child_cases(Cases& cases) {
  cases.add("3-1", basic);  // Spec: 4.8.2.1-2
  cases.add("3-2", with_name);
  cases.add("3-3", two_steps);
  cases.add("3-4", step_fails);         // Spec: 8.3.2.2
  cases.add("3-5", failure_is_caught);  // Spec: 4.8.2.5
  cases.add("3-6", nested);
  cases.add("3-7", step_is_retried);
  cases.add("3-8", retries_are_exhausted);
  cases.add("3-9", replay_skips);  // Spec: 4.8.2.3
  cases.add("3-10", step_and_wait);
  cases.add("3-11", large_result);  // Spec: 4.8.5.1
  cases.add("3-12", interrupted);
  cases.add("3-13", wait_inside);
  cases.add("3-14", custom_serdes);
  cases.add("3-15", body_throws);
  cases.add("3-16", null_result);
  cases.add("3-17", logs_once);
  cases.add("3-18", mixed);
}

}  // namespace pawl::conformance
