// What paths cost: the definite ones that nearly every state has, and those that look at a list of a hundred.
#include <string>

#include <benchmark/benchmark.h>

#include "base/assert.h"
#include "expr/jsonpath/path.h"
#include "expr/jsonpath/reference_path.h"
#include "json/value.h"

namespace pawl::jsonpath {
namespace {

Value order(int64_t number) {
  json::ObjectBuilder members;
  members.set("id", Value::integer(number));
  members.set("total", Value::integer(number * 3 % 200));
  members.set("name", Value::string("order number " + std::to_string(number)));
  return members.build();
}

// {"state":{"customer":{"id":7}},"orders":[a hundred of them]}
Value make_document() {
  json::ArrayBuilder orders;
  for (int64_t i = 0; i < 100; ++i) orders.push(order(i));
  json::ObjectBuilder customer;
  customer.set("id", Value::integer(7));
  json::ObjectBuilder state;
  state.set("customer", customer.build());
  json::ObjectBuilder document;
  document.set("state", state.build());
  document.set("orders", orders.build());
  return document.build();
}

void evaluate(benchmark::State& state, std::string_view text, Dialect dialect) {
  const Value document = make_document();
  const Path path = Path::compile(text, dialect).value();
  PAWL_ASSERT(path.evaluate(document).has_value());
  for (auto _ : state) benchmark::DoNotOptimize(path.evaluate(document));
}

void BM_PathFindDefinite(benchmark::State& state) {
  const Value document = make_document();
  const Path path = Path::compile("$.state.customer.id", Dialect::kAsl).value();
  for (auto _ : state) benchmark::DoNotOptimize(path.find(document));
}

void BM_PathCompile(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Path::compile("$.orders[?(@.total > 100)].id", Dialect::kAsl));
}

void BM_ReferencePathInsert(benchmark::State& state) {
  const Value document = make_document();
  const ReferencePath path = ReferencePath::compile("$.state.result").value();
  for (auto _ : state) benchmark::DoNotOptimize(path.insert(document, Value::integer(1)));
}

BENCHMARK_CAPTURE(evaluate, PathRoot, "$", Dialect::kAsl);
BENCHMARK_CAPTURE(evaluate, PathDefiniteThreeSteps, "$.state.customer.id", Dialect::kAsl);
BENCHMARK_CAPTURE(evaluate, PathIndexAndName, "$.orders[0].id", Dialect::kAsl);
BENCHMARK_CAPTURE(evaluate, PathWildcardOverHundred, "$.orders[*].id", Dialect::kAsl);
BENCHMARK_CAPTURE(evaluate, PathFilterOverHundred, "$.orders[?(@.total > 100)]", Dialect::kAsl);
BENCHMARK_CAPTURE(evaluate, PathFilterRfcOverHundred, "$.orders[?@.total > 100]", Dialect::kRfc9535);
BENCHMARK_CAPTURE(evaluate, PathRegexOverHundred, "$.orders[?(@.name =~ /.*7/)]", Dialect::kAsl);
BENCHMARK_CAPTURE(evaluate, PathDescent, "$..id", Dialect::kAsl);
BENCHMARK(BM_PathFindDefinite);
BENCHMARK(BM_PathCompile);
BENCHMARK(BM_ReferencePathInsert);

}  // namespace
}  // namespace pawl::jsonpath
