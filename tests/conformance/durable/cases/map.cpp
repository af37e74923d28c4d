// The cases of map/: a function for each item.
#include <stdexcept>

#include "batch.h"
#include "cases.h"

namespace pawl::conformance {
namespace {

using durable::BatchOptions;
using durable::BatchResult;
using durable::Completion;
using namespace std::chrono_literals;

using Texts = std::vector<std::string>;
using Numbers = std::vector<int>;

constexpr std::size_t kLargeBytes = 70 * 1024;  // four of them are more than a checkpoint takes

BatchOptions one_at_a_time(Completion completion = {}) { return {.max_concurrency = 1, .completion = completion}; }

// An item "fail" does.
std::string gives_itself(Context&, const std::string& item) {
  if (item == "fail") throw std::runtime_error("the item fails");
  return item;
}
std::string gives_upper_case(Context&, const std::string& item) { return upper_case(item); }
Task<std::string> step_gives_itself(Context& child, const std::string& item) {
  co_return co_await child.step([&] { return item; });
}

// 'S' for an item that succeeds, 'F' for one that fails.
Texts of(std::string_view outcomes) {
  Texts items;
  for (const char outcome : outcomes) items.emplace_back(outcome == 'S' ? "ok" : "fail");
  return items;
}

Texts texts(const char* first, const char* second) {
  Texts made;
  made.emplace_back(first);
  made.emplace_back(second);
  return made;
}

template <typename T>
Task<std::vector<T>> results_of(durable::Future<BatchResult<T>> batch) {
  const auto done = co_await batch;
  co_return done.results();
}

Task<Json> summary(durable::Future<BatchResult<std::string>> batch) {
  const auto done = co_await batch;
  co_return summary_of(done);
}

Task<Json> counts_of(durable::Future<BatchResult<std::string>> batch) {
  const Json told = co_await summary(std::move(batch));
  co_return only(told, {"completionReason", "successCount", "failureCount", "totalCount"});
}

// --- results

Task<std::string> greet(Context& child, const std::string& item) {
  co_return co_await child.step([&] { return "Hello, " + item + "!"; });
}
Task<Texts> basic(Context& ctx, Texts items) {
  co_return co_await results_of(ctx.map("map", items, greet, one_at_a_time()));
}

Task<Numbers> without_name(Context& ctx, Numbers items) {
  const auto twice = [](Context&, const int& item) { return 2 * item; };
  co_return co_await results_of(ctx.map(items, twice, one_at_a_time()));
}

Task<Numbers> with_index(Context& ctx, Numbers items) {
  const auto sum = [](Context&, const int& item, std::size_t index) { return item + static_cast<int>(index); };
  co_return co_await results_of(ctx.map("indexed", items, sum, one_at_a_time()));
}

Task<Numbers> none(Context& ctx, Numbers items) {
  co_return co_await results_of(ctx.map("empty", items, [](Context&, const int& item) { return item; }));
}

Task<Texts> two_at_a_time(Context& ctx) {
  const Numbers items{0, 1, 2};
  const auto name = [](Context&, const int& item) { return "r" + std::to_string(item); };
  co_return co_await results_of(ctx.map("concurrent", items, name, {.max_concurrency = 2}));
}

Task<Texts> flat(Context& ctx) {
  BatchOptions options = one_at_a_time();
  options.nesting = durable::Nesting::Flat;
  co_return co_await results_of(ctx.map("flat", texts("fa", "fb"), step_gives_itself, options));
}

Task<Numbers> with_item_names(Context& ctx, Numbers items) {
  const auto name_of = [&items](std::size_t index) { return "item-" + std::to_string(items[index]); };
  BatchOptions options = one_at_a_time();
  options.name_of = name_of;
  const auto tenfold = [](Context&, const int& item) { return 10 * item; };
  co_return co_await results_of(ctx.map("named-items", items, tenfold, options));
}

// --- forms of one's own

Task<Texts> item_serdes(Context& ctx) {
  static constexpr std::string_view kMark = "wrapped:";
  const durable::Serdes<std::string> wrapped([](const std::string& value) { return std::string(kMark) + value; },
                                             [](std::string_view text) {
                                               if (!text.starts_with(kMark))
                                                 throw durable::SerializationError("not wrapped");
                                               return std::string(text.substr(kMark.size()));
                                             });
  co_return co_await results_of(ctx.map("serdes", texts("x", "y"), gives_upper_case, one_at_a_time(), wrapped));
}

std::string write_all(const BatchResult<std::string>& batch) {
  std::string text = "OPSERDE:";
  for (const std::string& result : batch.results()) text += (text.back() == ':' ? "" : ",") + result;
  return text;
}

BatchResult<std::string> read_all(std::string_view text) {
  if (!text.starts_with("OPSERDE:")) throw durable::SerializationError("not written by write_all");
  text.remove_prefix(std::string_view("OPSERDE:").size());
  std::vector<durable::BatchItem<std::string>> items;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    items.push_back({items.size(), durable::ItemStatus::Succeeded, std::string(text.substr(0, end)), {}});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {std::move(items), durable::CompletionReason::AllCompleted};
}

Task<Texts> whole_serdes_as(Context& ctx, std::string name) {
  const durable::Serdes<BatchResult<std::string>> whole(write_all, read_all);
  co_return co_await results_of(ctx.map(name, texts("x", "y"), gives_upper_case, one_at_a_time(), {}, whole));
}
Task<Texts> whole_serdes(Context& ctx) { co_return co_await whole_serdes_as(ctx, "op-serde"); }
Task<Texts> whole_serdes_replayed(Context& ctx) {
  Texts results = co_await whole_serdes_as(ctx, "op-serde-replay");
  co_await ctx.wait(1s);
  co_return results;
}

// --- replay

Task<std::string> second_waits(Context& child, const std::string& item, std::size_t index) {
  if (index == 1) co_await child.wait(1s);
  co_return co_await child.step([&] { return item; });
}
Task<Texts> wait_in_an_item(Context& ctx) {
  co_return co_await results_of(ctx.map("suspend", texts("r0", "r1"), second_waits, one_at_a_time()));
}

Task<Json> large(Context& ctx) {
  const Numbers items{0, 1, 2, 3};
  const auto fill = [](Context&, const int& item) { return std::string(kLargeBytes, static_cast<char>('a' + item)); };
  const auto done = co_await ctx.map("large", items, fill, one_at_a_time());
  co_return Json::object({{"successCount", done.success_count()}, {"totalCount", done.total_count()}});
}

Task<Texts> then_wait(Context& ctx) {
  Texts results = co_await results_of(ctx.map("then-wait", texts("a", "b"), gives_upper_case, one_at_a_time()));
  co_await ctx.wait(1s);
  co_return results;
}

Task<Json> failure_then_wait(Context& ctx) {
  Json told =
      co_await summary(ctx.map("fail-then-wait", of("SF"), gives_itself, one_at_a_time({.tolerated_failures = 1})));
  co_await ctx.wait(1s);
  co_return told;
}

// --- when it ends

Task<Json> fail_fast(Context& ctx) {
  co_return co_await summary(ctx.map("failfast", of("SFS"), gives_itself, one_at_a_time({.tolerated_failures = 0})));
}

Task<Json> throws(Context& ctx) {
  const auto done = co_await ctx.map("throwing", of("FS"), gives_itself, one_at_a_time({.tolerated_failures = 0}));
  done.throw_if_error();
  co_return Json();
}

Task<Json> min_successful(Context& ctx) {
  const Json told =
      co_await summary(ctx.map("min-successful", of("SSSS"), gives_itself, one_at_a_time({.min_successful = 2})));
  co_return only(told, {"completionReason", "successCount", "totalCount"});
}

Task<Json> tolerated(Context& ctx) {
  co_return co_await summary(ctx.map("tolerated", of("SFS"), gives_itself, one_at_a_time({.tolerated_failures = 1})));
}

Task<Json> tolerance_exceeded(Context& ctx) {
  co_return co_await counts_of(
      ctx.map("tolerated-exceeded", of("FFS"), gives_itself, one_at_a_time({.tolerated_failures = 1})));
}

Task<Json> percentage_exceeded(Context& ctx) {
  co_return co_await counts_of(
      ctx.map("tolerated-pct", of("FFSS"), gives_itself, one_at_a_time({.tolerated_failure_percentage = 25})));
}

}  // namespace

void add_map_cases(Cases& cases) {
  cases.add("9-1", basic);  // Spec: 6.1.2.1-4, 6.1.3.1-2
  cases.add("9-2", without_name);
  cases.add("9-3", with_index);
  cases.add("9-4", none);
  cases.add("9-5", fail_fast);
  cases.add("9-6", throws);
  cases.add("9-7", min_successful);  // Spec: 6.1.4.1
  cases.add("9-8", tolerated);       // Spec: 6.1.4.2
  cases.add("9-9", tolerance_exceeded);
  cases.add("9-10", percentage_exceeded);  // Spec: 6.1.4.3
  cases.add("9-11", two_at_a_time);        // Spec: 6.1.3.3
  cases.add("9-12", flat);
  cases.add("9-13", with_item_names);
  cases.add("9-14", item_serdes);
  cases.add("9-15", wait_in_an_item);
  cases.add("9-16", large);
  cases.add("9-17", then_wait);
  cases.add("9-18", failure_then_wait);
  cases.add("9-19", whole_serdes);
  cases.add("9-20", whole_serdes_replayed);
}

}  // namespace pawl::conformance
