// The cases of callback/: answers of the outside world by id.
#include <charconv>
#include <chrono>
#include <cstdio>

#include "cases.h"

namespace pawl::conformance {
namespace {

using durable::Callback;
using durable::CallbackOptions;
using durable::Duration;
using namespace std::chrono_literals;

using Created = durable::Future<Callback<std::string>>;

Task<std::string> answer_of(Created created) {
  const auto callback = co_await created;
  co_return co_await callback.result();
}

Task<std::string> basic(Context& ctx, std::string name) { co_return co_await answer_of(ctx.create_callback(name)); }
Task<std::string> with_name(Context& ctx) { co_return co_await answer_of(ctx.create_callback("approval")); }

Task<std::string> times_out(Context& ctx, std::string name) {
  co_return co_await answer_of(ctx.create_callback(name, {.timeout = 5s}));
}
Task<std::string> heart_stops(Context& ctx, std::string name) {
  co_return co_await answer_of(ctx.create_callback(name, {.heartbeat_timeout = 5s}));
}
Task<std::string> heart_beats(Context& ctx, std::string name) {
  co_return co_await answer_of(ctx.create_callback(name, {.heartbeat_timeout = 10s}));
}

// --- another operation between the callback and its answer

Task<std::string> step_between(Context& ctx, std::string name, CallbackOptions options) {
  const auto callback = co_await ctx.create_callback(name, options);
  co_await ctx.step([] { return 1; });
  co_return co_await callback.result();
}
Task<std::string> step_between_basic(Context& ctx, std::string name) { co_return co_await step_between(ctx, name, {}); }
Task<std::string> step_between_times_out(Context& ctx, std::string name) {
  const CallbackOptions options{.timeout = 5s};
  co_return co_await step_between(ctx, name, options);
}

Task<std::string> wait_between(Context& ctx, std::string name, CallbackOptions options, Duration nap) {
  const auto callback = co_await ctx.create_callback(name, options);
  co_await ctx.wait(nap);
  co_return co_await callback.result();
}
Task<std::string> wait_between_basic(Context& ctx, std::string name) {
  co_return co_await wait_between(ctx, name, {}, 5s);
}
Task<std::string> wait_between_times_out(Context& ctx, std::string name) {
  const CallbackOptions options{.timeout = 3s};
  co_return co_await wait_between(ctx, name, options, 6s);
}

// --- a wait after the answer

Task<std::string> wait_after(Context& ctx, std::string name) {
  std::string answer = co_await answer_of(ctx.create_callback(name));
  co_await ctx.wait(2s);
  co_return answer;
}

Task<std::string> caught_then_wait(Context& ctx, std::string name, CallbackOptions options) {
  std::string message;
  try {
    message = co_await answer_of(ctx.create_callback(name, options));
  } catch (const durable::CallbackError& error) {
    message = error.what();
  }
  co_await ctx.wait(2s);
  co_return message;
}
Task<std::string> failure_caught(Context& ctx, std::string name) { co_return co_await caught_then_wait(ctx, name, {}); }
Task<std::string> timeout_caught(Context& ctx, std::string name) {
  const CallbackOptions options{.timeout = 3s};
  co_return co_await caught_then_wait(ctx, name, options);
}

// --- readers of one's own

struct Message {
  std::string id;
  std::string message;
  std::int64_t timestamp = 0;  // seconds
};
PAWL_DURABLE_FIELDS(Message, id, message, timestamp)

// "2026-01-01T00:00:00.000Z" to seconds since 1970.
std::int64_t seconds_of(const std::string& text) {
  int year = 0;
  unsigned month = 0, day = 0;
  int hour = 0, minute = 0, second = 0;
  if (std::sscanf(text.c_str(), "%d-%u-%uT%d:%d:%d", &year, &month, &day, &hour, &minute, &second) != 6)
    throw durable::SerializationError("no timestamp: " + text);
  const std::chrono::sys_days date{std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day)};
  const auto time = date + std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

Message read_message(std::string_view text) {
  const Json json = Json::parse(text);
  return {json["id"].as_string(), json["message"].as_string(), seconds_of(json["timestamp"].as_string())};
}

Task<Json> typed_answer(Context& ctx, std::string name) {
  const durable::Serdes<Message> serdes([](const Message& value) { return durable::to_text(value); }, read_message);
  const auto callback = co_await ctx.create_callback<Message>(name, {}, serdes);
  const Message message = co_await callback.result();
  Json received;
  to_json(received, message);
  co_return Json::object({{"received", received}});
}

std::int64_t read_number(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

Task<Json> number_answer(Context& ctx, std::string name) {
  const durable::Serdes<std::int64_t> serdes([](const std::int64_t& value) { return std::to_string(value); },
                                             read_number);
  const auto callback = co_await ctx.create_callback<std::int64_t>(name, {}, serdes);
  const std::int64_t count = co_await callback.result();
  co_return Json::object({{"count", count}, {"doubled", 2 * count}});
}

// --- two callbacks

using Names = std::vector<std::string>;

Task<Names> one_after_the_other(Context& ctx, Names names) {
  std::string first = co_await answer_of(ctx.create_callback(names.at(0)));
  std::string second = co_await answer_of(ctx.create_callback(names.at(1)));
  Names answers;
  answers.push_back(std::move(first));
  answers.push_back(std::move(second));
  co_return answers;
}

Task<Names> both_then_awaited(Context& ctx, const Names& names, bool second_first) {
  const auto a = co_await ctx.create_callback(names.at(0));
  const auto b = co_await ctx.create_callback(names.at(1));
  Names answers(2);
  if (second_first) answers[1] = co_await b.result();
  answers[0] = co_await a.result();
  if (!second_first) answers[1] = co_await b.result();
  co_return answers;
}
Task<Names> both_first_first(Context& ctx, Names names) { co_return co_await both_then_awaited(ctx, names, false); }
Task<Names> both_second_first(Context& ctx, Names names) { co_return co_await both_then_awaited(ctx, names, true); }

}  // namespace

void add_callback_cases(Cases& cases) {
  cases.add("4-1", basic);  // Spec: 4.6.2.1-2
  cases.add("4-2", with_name);
  cases.add("4-3", times_out);    // Spec: 4.6.5.1
  cases.add("4-4", heart_stops);  // Spec: 4.6.5.2
  cases.add("4-5", heart_beats);
  cases.add("4-6", basic);  // Spec: 4.6.2.4
  cases.add("4-7", step_between_basic);
  cases.add("4-8", step_between_times_out);
  cases.add("4-9", wait_between_basic);
  cases.add("4-10", wait_between_basic);
  cases.add("4-11", wait_between_times_out);
  cases.add("4-12", wait_after);
  cases.add("4-13", failure_caught);
  cases.add("4-14", timeout_caught);
  cases.add("4-15", typed_answer);
  cases.add("4-16", number_answer);
  cases.add("4-17", one_after_the_other);
  cases.add("4-18", both_first_first);
  cases.add("4-19", both_second_first);
}

}  // namespace pawl::conformance
