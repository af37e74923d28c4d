// The cases of parallel/: branches in contexts of their own.
#include <stdexcept>

#include "batch.h"
#include "cases.h"

namespace pawl::conformance {
namespace {

using durable::BatchOptions;
using durable::Branch;
using durable::branches;
using durable::Completion;
using namespace std::chrono_literals;

using Texts = std::vector<std::string>;
using Branches = std::vector<Branch<std::string>>;

auto gives(std::string text) {
  return [text](Context&) { return text; };
}
std::string fails(Context&) { throw std::runtime_error("the branch fails"); }
auto step_gives(std::string text) {
  return [text](Context& branch) -> Task<std::string> { co_return co_await branch.step([&] { return text; }); };
}

// 'S' for a branch that succeeds, 'F' for one that fails.
Branches of(std::string_view outcomes) {
  Branches made;
  for (const char outcome : outcomes) {
    if (outcome == 'S') {
      made.emplace_back(gives("ok"));
    } else {
      made.emplace_back(fails);
    }
  }
  return made;
}

BatchOptions one_at_a_time(Completion completion = {}) { return {.max_concurrency = 1, .completion = completion}; }

Task<Texts> results_of(durable::Future<durable::BatchResult<std::string>> batch) {
  const auto done = co_await batch;
  co_return done.results();
}

Task<Json> summary(durable::Future<durable::BatchResult<std::string>> batch) {
  const auto done = co_await batch;
  co_return summary_of(done);
}

// --- results

Task<Texts> basic(Context& ctx) {
  co_return co_await results_of(
      ctx.parallel("parallel", branches(step_gives("task-1"), step_gives("task-2")), one_at_a_time()));
}

Task<Texts> without_name(Context& ctx) {
  co_return co_await results_of(ctx.parallel(branches(gives("alpha"), gives("beta")), one_at_a_time()));
}

Task<Texts> with_names(Context& ctx) {
  co_return co_await results_of(
      ctx.parallel("named", branches(durable::branch("first", gives("one")), durable::branch("second", gives("two"))),
                   one_at_a_time()));
}

Task<Json> several_types(Context& ctx) {
  const auto done =
      co_await ctx.parallel("hetero",
                            branches([](Context&) { return Json("hello"); }, [](Context&) { return Json(42); },
                                     [](Context&) { return Json::object({{"k", "v"}}); }),
                            one_at_a_time());
  co_return Json(done.results());
}

Task<Texts> none(Context& ctx) { co_return co_await results_of(ctx.parallel("empty", Branches())); }

Task<Texts> two_at_a_time(Context& ctx) {
  co_return co_await results_of(
      ctx.parallel("concurrent", branches(gives("r0"), gives("r1"), gives("r2")), {.max_concurrency = 2}));
}

Task<Texts> flat(Context& ctx) {
  BatchOptions options = one_at_a_time();
  options.nesting = durable::Nesting::Flat;
  co_return co_await results_of(ctx.parallel("flat", branches(step_gives("fa"), step_gives("fb")), options));
}

Task<Texts> wait_in_a_branch(Context& ctx) {
  const auto waits = [](Context& branch) -> Task<std::string> {
    co_await branch.wait(2s);
    co_return "b1";
  };
  co_return co_await results_of(ctx.parallel("replay", branches(step_gives("b0"), waits), one_at_a_time()));
}

Task<Texts> custom_serdes(Context& ctx) {
  const durable::Serdes<std::string> wrapped(
      [](const std::string& value) { return Json::object({{"wrapped", value}}).dump(); },
      [](std::string_view text) { return Json::parse(text)["wrapped"].as_string(); });
  co_return co_await results_of(
      ctx.parallel<std::string>("serde", branches(gives("x"), gives("y")), one_at_a_time(), wrapped));
}

Task<Texts> inner_parallel(Context& branch) {
  co_return co_await results_of(
      branch.parallel("inner", branches(step_gives("i1"), step_gives("i2")), one_at_a_time()));
}
Task<std::vector<Texts>> nested(Context& ctx) {
  const auto done = co_await ctx.parallel("outer", branches(inner_parallel), one_at_a_time());
  co_return done.results();
}

// --- when it ends

Task<Json> fail_fast(Context& ctx) {
  co_return co_await summary(ctx.parallel("failfast", of("SFS"), one_at_a_time({.tolerated_failures = 0})));
}

Task<Json> throws(Context& ctx) {
  const auto done = co_await ctx.parallel("throwing", of("FS"), one_at_a_time({.tolerated_failures = 0}));
  done.throw_if_error();
  co_return Json();
}

Task<Json> min_successful(Context& ctx) {
  const Json told = co_await summary(ctx.parallel("min-successful", of("SSSS"), one_at_a_time({.min_successful = 2})));
  co_return only(told, {"completionReason", "successCount", "totalCount"});
}

Task<Json> tolerated(Context& ctx) {
  co_return co_await summary(ctx.parallel("tolerated", of("SFS"), one_at_a_time({.tolerated_failures = 1})));
}

Task<Json> counts_of(durable::Future<durable::BatchResult<std::string>> batch) {
  const Json told = co_await summary(std::move(batch));
  co_return only(told, {"completionReason", "successCount", "failureCount", "totalCount"});
}

Task<Json> tolerance_exceeded(Context& ctx) {
  co_return co_await counts_of(ctx.parallel("tolerated-exceeded", of("FFS"), one_at_a_time({.tolerated_failures = 1})));
}

Task<Json> percentage_exceeded(Context& ctx) {
  co_return co_await counts_of(
      ctx.parallel("tolerated-pct", of("FFSS"), one_at_a_time({.tolerated_failure_percentage = 25})));
}

Task<Json> all_fail(Context& ctx) {
  co_return co_await summary(ctx.parallel("all-fail", of("FFF"), one_at_a_time({.tolerated_failures = 3})));
}

Task<Json> min_not_reached(Context& ctx) {
  co_return co_await summary(ctx.parallel("min-not-reached", of("SFS"), one_at_a_time({.min_successful = 3})));
}

Task<Json> both_limits(Context& ctx) {
  co_return co_await counts_of(
      ctx.parallel("combined", of("FFSS"), one_at_a_time({.min_successful = 3, .tolerated_failures = 1})));
}

Task<Texts> bad_concurrency(Context& ctx) {
  co_return co_await results_of(ctx.parallel("bad-concurrency", of("SS"), {.max_concurrency = 0}));
}

Task<Json> accessors(Context& ctx) {
  const auto done = co_await ctx.parallel("accessors", of("SFS"), one_at_a_time({.tolerated_failures = 1}));
  co_return Json::object({{"hasFailure", done.has_failure()},
                          {"successCount", done.succeeded().size()},
                          {"failureCount", done.failed().size()},
                          {"errorCount", done.errors().size()}});
}

Task<Json> percentage_reached(Context& ctx) {
  co_return co_await summary(
      ctx.parallel("pct-boundary", of("FSSS"), one_at_a_time({.tolerated_failure_percentage = 25})));
}

}  // namespace

void add_parallel_cases(Cases& cases) {
  cases.add("8-1", basic);  // Spec: 6.2.2.1-4, 6.2.3.1-2
  cases.add("8-2", without_name);
  cases.add("8-3", with_names);  // Spec: 6.2.3.4
  cases.add("8-4", several_types);
  cases.add("8-5", none);
  cases.add("8-6", fail_fast);
  cases.add("8-7", throws);          // Spec: 6.3.2.5
  cases.add("8-8", min_successful);  // Spec: 6.2.3.5
  cases.add("8-9", tolerated);
  cases.add("8-10", tolerance_exceeded);  // Spec: 6.2.3.5
  cases.add("8-11", two_at_a_time);       // Spec: 6.2.3.3
  cases.add("8-12", flat);
  cases.add("8-13", percentage_exceeded);
  cases.add("8-14", wait_in_a_branch);
  cases.add("8-15", custom_serdes);
  cases.add("8-16", all_fail);
  cases.add("8-17", min_not_reached);
  cases.add("8-18", both_limits);
  cases.add("8-19", bad_concurrency);
  cases.add("8-20", accessors);  // Spec: 6.3.2.1-4
  cases.add("8-21", nested);
  cases.add("8-22", percentage_reached);
}

}  // namespace pawl::conformance
