// What compiling and evaluating jq programs costs.
#include <benchmark/benchmark.h>

#include "expr/jq/testing.h"

namespace pawl::jq {
namespace {

// Some 140 bytes, and some 63 kB with 1,000 objects.
const Value& small_document() {
  static const Value document = testing::json_of(
      R"({"a":{"b":3},"result":{"x":1},"name":"Ada","orders":[{"id":1,"completed":true},{"id":2,"completed":false}]})");
  return document;
}

const Value& large_document() {
  static const Value document = [] {
    std::string text = R"({"a":{"b":3},"orders":[)";
    for (int i = 0; i < 1'000; ++i) {
      const std::string number = std::to_string(i);
      text += (i == 0 ? "" : ",") + std::string(R"({"id":)") + number + R"(,"name":"order )" + number +
              R"(","total":)" + number + (i % 2 == 0 ? R"(,"completed":true})" : R"(,"completed":false})");
    }
    return testing::json_of(text + "]}");
  }();
  return document;
}

// A document of 1 KiB, for handlers and conditions.
const Value& kilobyte_document() {
  static const Value document = [] {
    std::string text = R"({"a":{"b":3},"result":{"x":1})";
    for (int i = 0; i < 24; ++i) {
      const std::string number = std::to_string(i);
      text += ",\"member" + number + R"(":{"value":)" + number + R"(,"text":"some text"})";
    }
    return testing::json_of(text + "}");
  }();
  return document;
}

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
