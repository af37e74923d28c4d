// What the value costs: parsing, printing, sharing and changing documents that look like orders.
#include <string>

#include <benchmark/benchmark.h>

#include "base/random.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::json {
namespace {

// One order is a little under 1 KiB: names, prices, flags, times, an address, a few lines.
std::string make_order(Random& random) {
  const auto number = [&](uint64_t below) { return std::to_string(random.next() % below); };
  std::string order =
      R"({"orderId":"ord-)" + number(1'000'000'000) + R"(","customer":{"id":)" + number(100'000) +
      R"(,"name":"Ada Lovelace","email":"ada.lovelace@example.com","address":{"street":"12 Analytical Row",)"
      R"("city":"K\u00f6ln","postalCode":"50667","country":"DE"}},"createdAt":"2024-03-14T01:59:26.535Z",)"
      R"("status":"PENDING","paid":false,"discount":null,"total":)" +
      number(1000) + "." + number(90) + R"(,"notes":"Leave it at the door; the bell says \"Byron\".","items":[)";
  for (int i = 0; i < 5; ++i) {
    if (i > 0) order += ',';
    order += R"({"sku":"SKU-)" + number(10'000) + R"(","description":"Brass gear, )" + number(90) +
             R"( teeth","quantity":)" + number(9) + R"(,"unitPrice":)" + number(90) + ".25" +
             R"(,"tags":["new","spare"]})";
  }
  return order + "]}";
}

std::string make_orders(size_t bytes) {
  SeededRandom random(7);
  std::string text = "[";
  while (text.size() < bytes) text += (text.size() > 1 ? "," : "") + make_order(random);
  return text + "]";
}

std::string make_document(size_t bytes) {
  SeededRandom random(7);
  return bytes <= 1024 ? make_order(random) : make_orders(bytes);
}

void set_speed(benchmark::State& state, size_t bytes) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
}

void parse_compact(benchmark::State& state) {
  const std::string text = make_document(static_cast<size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(parse(text));
  set_speed(state, text.size());
}
BENCHMARK(parse_compact)->Arg(1 << 10)->Arg(100 << 10);

void parse_indented(benchmark::State& state) {
  const std::string text = print_pretty(*parse(make_document(static_cast<size_t>(state.range(0)))));
  for (auto _ : state) benchmark::DoNotOptimize(parse(text));
  set_speed(state, text.size());
}
BENCHMARK(parse_indented)->Arg(100 << 10);

void parse_with_positions(benchmark::State& state) {
  const std::string text = print_pretty(*parse(make_document(static_cast<size_t>(state.range(0)))));
  for (auto _ : state) benchmark::DoNotOptimize(parse_document(text));
  set_speed(state, text.size());
}
BENCHMARK(parse_with_positions)->Arg(100 << 10);

void print_compact(benchmark::State& state) {
  const Value value = *parse(make_document(static_cast<size_t>(state.range(0))));
  for (auto _ : state) benchmark::DoNotOptimize(print(value));
  set_speed(state, value.json_size());
}
BENCHMARK(print_compact)->Arg(1 << 10)->Arg(100 << 10);

void share(benchmark::State& state) {
  const Value value = *parse(make_document(100 << 10));
  for (auto _ : state) {
    Value copy = value;
    benchmark::DoNotOptimize(copy);
  }
}
BENCHMARK(share);

void with_member(benchmark::State& state) {
  const Value order = *parse(make_document(1 << 10));
  const Value result = *parse(R"({"ok":true})");
  for (auto _ : state) benchmark::DoNotOptimize(order.with_member("result", result));
}
BENCHMARK(with_member);

void with_member_replaced(benchmark::State& state) {
  const Value order = *parse(make_document(1 << 10));
  for (auto _ : state) benchmark::DoNotOptimize(order.with_member("status", Value::null()));
}
BENCHMARK(with_member_replaced);

void with_item(benchmark::State& state) {
  const Value orders = *parse(make_document(100 << 10));
  for (auto _ : state) benchmark::DoNotOptimize(orders.with_item(7, Value::null()));
}
BENCHMARK(with_item);

void build_object(benchmark::State& state) {
  for (auto _ : state) {
    ObjectBuilder builder(3);
    builder.set("Error", Value::string("States.Timeout"));
    builder.set("Cause", Value::null());
    builder.set("attempt", Value::integer(3));
    benchmark::DoNotOptimize(builder.build());
  }
}
BENCHMARK(build_object);

void find_member(benchmark::State& state) {
  const Value order = *parse(make_document(1 << 10));
  for (auto _ : state) benchmark::DoNotOptimize(order.find("items"));
}
BENCHMARK(find_member);

void compare_equal(benchmark::State& state) {
  const std::string text = make_document(1 << 10);
  const Value a = *parse(text);
  const Value b = *parse(text);
  for (auto _ : state) benchmark::DoNotOptimize(a == b);
}
BENCHMARK(compare_equal);

}  // namespace
}  // namespace pawl::json
