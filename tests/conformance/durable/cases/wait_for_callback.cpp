// The cases of wait_for_callback/: a callback, the step that hands its id out, and its answer.
#include <optional>
#include <stdexcept>

#include "cases.h"

namespace pawl::conformance {
namespace {

using Options = durable::WaitForCallbackOptions;
using namespace std::chrono_literals;

void hands_out(const std::string& id) {
  if (id.empty()) throw std::logic_error("a callback without an id");
}
void throws(const std::string&) { throw std::runtime_error("the submitter fails"); }

Task<std::string> basic(Context& ctx, std::string name) { co_return co_await ctx.wait_for_callback(name, hands_out); }
Task<std::string> with_name(Context& ctx) { co_return co_await ctx.wait_for_callback("approval", hands_out); }
Task<std::string> without_name(Context& ctx) { co_return co_await ctx.wait_for_callback("", hands_out); }

Task<std::string> times_out(Context& ctx, std::string name) {
  co_return co_await ctx.wait_for_callback(name, hands_out, {.timeout = 3s});
}

Task<std::string> recovers(Context& ctx, std::string name, Options options, std::string fallback) {
  try {
    co_return co_await ctx.wait_for_callback(name, hands_out, options);
  } catch (const durable::Error&) {
    co_return fallback;
  }
}
Task<std::string> failure_is_caught(Context& ctx, std::string name) {
  co_return co_await recovers(ctx, name, {}, "recovered");
}
Task<std::string> timeout_is_caught(Context& ctx, std::string name) {
  const Options options{.timeout = 3s};
  co_return co_await recovers(ctx, name, options, "timed-out-handled");
}

Task<std::string> submitter_throws(Context& ctx, std::string name) {
  co_return co_await ctx.wait_for_callback(name, throws, {.retry = durable::retry::fixed(2, 1s)});
}

Task<std::string> in_a_child(Context& ctx, std::string name) {
  co_return co_await ctx.run_in_child_context("wrapper", [&](Context& child) -> Task<std::string> {
    co_return co_await child.wait_for_callback(name, hands_out);
  });
}

Task<std::string> two_in_a_row(Context& ctx) {
  co_await ctx.wait_for_callback("first", hands_out);
  co_return co_await ctx.wait_for_callback("second", hands_out);
}

Task<std::string> after_a_wait_and_a_step(Context& ctx, std::string name) {
  co_await ctx.wait(1s);
  co_await ctx.step([] { return std::string("fixed data"); });
  co_return co_await ctx.wait_for_callback(name, hands_out);
}

Task<std::string> json_answer(Context& ctx, std::string name) {
  const Json answer = co_await ctx.wait_for_callback<Json>(name, hands_out);
  co_return answer["status"].as_string();
}

Task<std::string> heart_stops(Context& ctx, std::string name) {
  co_return co_await ctx.wait_for_callback(name, hands_out, {.heartbeat_timeout = 5s});
}
Task<std::string> heart_beats(Context& ctx, std::string name) {
  co_return co_await ctx.wait_for_callback(name, hands_out, {.heartbeat_timeout = 10s});
}

Task<std::optional<std::string>> empty_answer(Context& ctx, std::string name) {
  co_return co_await ctx.wait_for_callback<std::optional<std::string>>(name, hands_out);
}

}  // namespace

void add_wait_for_callback_cases(Cases& cases) {
  cases.add("7-1", basic);  // Spec: 7.2.2.1-4
  cases.add("7-2", with_name);
  cases.add("7-3", without_name);
  cases.add("7-4", basic);
  cases.add("7-5", times_out);
  cases.add("7-6", failure_is_caught);
  cases.add("7-7", submitter_throws);  // Spec: 7.2.2.5
  cases.add("7-8", in_a_child);
  cases.add("7-9", two_in_a_row);
  cases.add("7-10", after_a_wait_and_a_step);
  cases.add("7-11", json_answer);
  cases.add("7-12", heart_stops);
  cases.add("7-13", heart_beats);
  cases.add("7-14", timeout_is_caught);
  cases.add("7-15", empty_answer);
}

}  // namespace pawl::conformance
