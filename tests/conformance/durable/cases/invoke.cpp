// The cases of invoke/, and the functions that they invoke.
#include <stdexcept>

#include "cases.h"

namespace pawl::conformance {
namespace {

using namespace std::chrono_literals;

// Durable functions are invoked by a qualified name.
constexpr const char* kEcho = "case-echo:$LATEST";
constexpr const char* kFail = "case-fail:$LATEST";
constexpr const char* kMeasure = "case-measure:$LATEST";

constexpr std::size_t kLargeBytes = 1'000'000;  // near the limit of 1,048,576

// --- what is invoked
//
// The cases expect that whoever invokes has returned when the answer comes, so it does not come at once.

Task<Json> echo(Context& ctx, Json event) {
  co_await ctx.wait(1s);
  co_return event;
}
Task<Json> fail(Context& ctx) {
  co_await ctx.wait(1s);
  throw std::runtime_error("the invoked function fails");
}
Task<std::size_t> measure(Context& ctx, std::string text) {
  co_await ctx.wait(1s);
  co_return text.size();
}

// --- the cases

Task<Json> basic(Context& ctx, Json event) { co_return co_await ctx.invoke("", kEcho, event); }

Task<Json> with_name(Context& ctx, Json event) {
  co_return co_await ctx.invoke(event["name"].as_string(), kEcho, event["payload"]);
}

Task<Json> fails(Context& ctx) { co_return co_await ctx.invoke("", kFail, Json()); }

Task<std::string> failure_is_caught(Context& ctx) {
  try {
    co_await ctx.invoke("", kFail, Json());
  } catch (const durable::InvokeError&) {
    co_return "fallback";
  }
  co_return "it did not fail";
}

Task<std::size_t> large_payload(Context& ctx) {
  const std::string payload(kLargeBytes, 'x');
  co_return co_await ctx.invoke<std::size_t>("", kMeasure, payload);
}

Task<Json> with_tenant(Context& ctx, Json event) {
  const std::string tenant = event["tenantId"].as_string();
  co_return co_await ctx.invoke("", kEcho, event["payload"], {.tenant_id = tenant});
}

Task<Json> then_wait(Context& ctx) {
  Json result = co_await ctx.invoke("", kEcho, Json());
  co_await ctx.wait(1s);
  co_return result;
}

Task<std::string> failure_then_wait(Context& ctx) {
  std::string message;
  try {
    co_await ctx.invoke("", kFail, Json());
  } catch (const durable::InvokeError& error) {
    message = error.what();
  }
  co_await ctx.wait(1s);
  co_return message;
}

Task<Json> after_a_step(Context& ctx) {
  const std::string text = co_await ctx.step([] { return std::string("from the step"); });
  co_return co_await ctx.invoke("", kEcho, text);
}

Task<Json> before_a_step(Context& ctx) {
  const Json echoed = co_await ctx.invoke("", kEcho, Json("from the invoke"));
  co_return co_await ctx.step([&] { return echoed; });
}

Task<Json> in_a_child(Context& ctx) {
  co_return co_await ctx.run_in_child_context(
      [](Context& child) -> Task<Json> { co_return co_await child.invoke("", kEcho, Json("from the child")); });
}

Task<Json> two_in_a_row(Context& ctx) {
  const Json first = co_await ctx.invoke("", kEcho, Json(1));
  co_return co_await ctx.invoke("", kEcho, first);
}

Task<Json> payload_serdes(Context& ctx, Json event) {
  const std::string data = event["data"].as_string();
  const durable::Serdes<std::string> loud([](const std::string& value) { return Json(upper_case(value)).dump(); }, {});
  co_return co_await ctx.invoke<Json>("", kEcho, data, {}, loud);
}

Task<std::string> result_serdes(Context& ctx, std::string text) {
  const durable::Serdes<std::string> loud({}, [](std::string_view read) { return upper_case(read); });
  co_return co_await ctx.invoke<std::string>("", kEcho, text, {}, {}, loud);
}

}  // namespace

void add_invoke_cases(Cases& cases) {
  cases.add("echo", echo);
  cases.add("fail", fail);
  cases.add("measure", measure);
  cases.add("5-1", basic);  // Spec: 4.7.2.1-4, 4.7.2.6
  cases.add("5-2", with_name);
  cases.add("5-3", basic);
  cases.add("5-4", basic);
  cases.add("5-5", fails);  // Spec: 4.7.2.5
  cases.add("5-6", failure_is_caught);
  cases.add("5-7", large_payload);
  cases.add("5-8", with_tenant);
  cases.add("5-9", then_wait);
  cases.add("5-10", failure_then_wait);
  cases.add("5-11", after_a_step);
  cases.add("5-12", before_a_step);
  cases.add("5-13", in_a_child);
  cases.add("5-14", two_in_a_row);
  cases.add("5-15", payload_serdes);
  cases.add("5-16", result_serdes);
}

}  // namespace pawl::conformance
