// What compiling and evaluating intrinsic functions costs.
#include <benchmark/benchmark.h>

#include "expr/intrinsic/intrinsic.h"
#include "json/parse.h"

namespace pawl::intrinsic {
namespace {

void evaluate(benchmark::State& state, std::string_view text, std::string_view input) {
  const Intrinsic compiled = Intrinsic::compile(text).value();
  const Value root = json::parse(input).value();
  const jsonpath::Roots roots(root);
  SeededRandom random(1);
  for (auto _ : state) benchmark::DoNotOptimize(compiled.evaluate(roots, random));
}

void compile(benchmark::State& state, std::string_view text) {
  for (auto _ : state) benchmark::DoNotOptimize(Intrinsic::compile(text));
}

constexpr std::string_view kLoop = R"({"i":41,"name":"Ada","list":[1,2,3,4,5,6,7,8,9],"id":"0123456789abcdef"})";
constexpr std::string_view kNested =
    "States.ArrayGetItem(States.StringSplit($.id, '-'), States.MathAdd(States.ArrayLength($.list), -9))";

BENCHMARK_CAPTURE(evaluate, math_add, "States.MathAdd($.i, 1)", kLoop);
BENCHMARK_CAPTURE(evaluate, format, "States.Format('Hello {}, number {}', $.name, $.i)", kLoop);
BENCHMARK_CAPTURE(evaluate, nested, kNested, kLoop);
BENCHMARK_CAPTURE(evaluate, array_partition, "States.ArrayPartition($.list, 4)", kLoop);
BENCHMARK_CAPTURE(evaluate, json_to_string, "States.JsonToString($)", kLoop);
BENCHMARK_CAPTURE(evaluate, hash, "States.Hash($.id, 'SHA-256')", kLoop);
BENCHMARK_CAPTURE(evaluate, uuid, "States.UUID()", kLoop);
BENCHMARK_CAPTURE(compile, math_add, "States.MathAdd($.i, 1)");
BENCHMARK_CAPTURE(compile, nested, kNested);

}  // namespace
}  // namespace pawl::intrinsic
