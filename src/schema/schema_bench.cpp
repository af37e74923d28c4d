// How long it takes to compile a schema and to hold an order against it.
#include <benchmark/benchmark.h>

#include "json/parse.h"
#include "schema/schema.h"

using namespace pawl;

namespace {

constexpr const char* kSchema = R"({
  "type": "object", "required": ["id", "customer", "lines"], "additionalProperties": false,
  "properties": {
    "id": {"type": "string", "pattern": "^ord-[0-9]+$"},
    "customer": {"$ref": "#/definitions/customer"},
    "lines": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/line"}},
    "status": {"enum": ["PENDING", "PAID", "SENT"]}
  },
  "definitions": {
    "customer": {"type": "object", "required": ["name"],
      "properties": {"name": {"type": "string", "minLength": 1}, "email": {"type": ["string", "null"]}}},
    "line": {"type": "object", "required": ["sku", "quantity"], "properties": {
      "sku": {"type": "string", "maxLength": 20}, "quantity": {"type": "integer", "minimum": 1, "maximum": 99},
      "price": {"type": "number", "multipleOf": 0.01}}}
  }
})";

json::Value make_order() {
  std::string lines;
  for (int i = 1; i <= 10; ++i)
    lines += (i > 1 ? "," : "") + std::string(R"({"sku":"SKU-)") + std::to_string(i) +
             R"(","quantity":3,"price":19.99,"note":"a spare"})";
  return json::parse(R"({"id":"ord-4711","customer":{"name":"Ada","email":null},"status":"PAID","lines":[)" + lines +
                     "]}")
      .value();
}

void bench_compile(benchmark::State& state) {
  const json::Value document = json::parse(kSchema).value();
  for (auto _ : state) benchmark::DoNotOptimize(schema::Schema::compile(document));
}
BENCHMARK(bench_compile)->Name("schema/compile");

void bench_validate(benchmark::State& state) {
  const schema::Schema schema = schema::Schema::compile(json::parse(kSchema).value()).value();
  const json::Value order = make_order();
  for (auto _ : state) benchmark::DoNotOptimize(schema.validate(order));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * order.json_size()));
}
BENCHMARK(bench_validate)->Name("schema/validate/order");

}  // namespace
