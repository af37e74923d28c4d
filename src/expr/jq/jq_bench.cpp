// What compiling and evaluating jq programs costs.
#include <benchmark/benchmark.h>

#include "expr/jq/jq_test_documents.h"

namespace pawl::jq {
namespace {

using testing::kilobyte_document;
using testing::large_document;
using testing::small_document;

void compile(benchmark::State& state, std::string_view text) {
  const std::string_view variables[] = {"value"};
  for (auto _ : state) benchmark::DoNotOptimize(Program::compile(text, variables));
}

void evaluate(benchmark::State& state, std::string_view text, const Value& (*document)()) {
  const std::string_view variables[] = {"value"};
  const auto program = Program::compile(text, variables).value();
  const Value values[] = {testing::json_of(R"({"y":2})")};
  for (auto _ : state) benchmark::DoNotOptimize(program.evaluate(document(), {.variables = values}));
}

BENCHMARK_CAPTURE(compile, JqCompilePath, ".a.b");
BENCHMARK_CAPTURE(compile, JqCompileUpdate, ".result += $value");
BENCHMARK_CAPTURE(compile, JqCompileSelect, ".orders|map(select(.completed))|length");
BENCHMARK_CAPTURE(compile, JqCompileRegex, "[.orders[] | .name | gsub(\"[0-9]+\"; \"#\")] | unique");
BENCHMARK_CAPTURE(evaluate, JqIdentity, ".", small_document);
BENCHMARK_CAPTURE(evaluate, JqPath, ".a.b", small_document);
BENCHMARK_CAPTURE(evaluate, JqEqual, ".a.b == 3", small_document);
BENCHMARK_CAPTURE(evaluate, JqEqualOnKilobyte, ".a.b == 3", kilobyte_document);
BENCHMARK_CAPTURE(evaluate, JqSelectOfTwo, "[.orders[]|select(.completed)]|length", small_document);
BENCHMARK_CAPTURE(evaluate, JqUpdate, ".result += $value", small_document);
BENCHMARK_CAPTURE(evaluate, JqUpdateOnKilobyte, ".result += $value", kilobyte_document);
BENCHMARK_CAPTURE(evaluate, JqSelectOfThousand, ".orders|map(select(.completed))|length", large_document);
BENCHMARK_CAPTURE(evaluate, JqPathOfLarge, ".a.b", large_document);
BENCHMARK_CAPTURE(evaluate, JqSortByOfThousand, ".orders|sort_by(-.total)|.[0].id", large_document);
BENCHMARK_CAPTURE(evaluate, JqReduceOfThousand, "reduce .orders[] as $o ({}; .[$o.name] = $o.total)", large_document);
BENCHMARK_CAPTURE(evaluate, JqUpdateOfThousand, ".orders[].total |= . + 1", large_document);

}  // namespace
}  // namespace pawl::jq
