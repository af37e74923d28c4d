// The same programs in libjq, where it is installed: it is loaded at run time, since nothing of Pawl is built with it.
// Its values are made once: what converting them costs is not counted.
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include "expr/jq/jq_test_documents.h"

namespace pawl::jq {
namespace {

using testing::kilobyte_document;
using testing::large_document;
using testing::small_document;

// libjq's value, as its interface passes it around.
struct Jv {
  unsigned char kind;
  unsigned char padding;
  unsigned short offset;
  int size;
  union {
    void* pointer;
    double number;
  };
  bool is_valid() const { return (kind & 0xF) != 0; }
};
static_assert(sizeof(Jv) == 16);

class LibJq {
 public:
  LibJq() : library_(::dlopen("libjq.so.1", RTLD_NOW)) {
    if (library_ == nullptr) return;
    load(init, "jq_init");
    load(compile_args, "jq_compile_args");
    load(start, "jq_start");
    load(next, "jq_next");
    load(teardown, "jq_teardown");
    load(parse, "jv_parse");
    load(copy, "jv_copy");
    load(drop, "jv_free");
  }
  bool is_there() const { return library_ != nullptr; }

  void* (*init)() = nullptr;
  int (*compile_args)(void*, const char*, Jv) = nullptr;
  void (*start)(void*, Jv, int) = nullptr;
  Jv (*next)(void*) = nullptr;
  void (*teardown)(void**) = nullptr;
  Jv (*parse)(const char*) = nullptr;
  Jv (*copy)(Jv) = nullptr;
  void (*drop)(Jv) = nullptr;

 private:
  template <typename Function>
  void load(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(library_, name));
  }
  void* library_;
};

const LibJq& libjq() {
  static const LibJq library;
  return library;
}

void* compiled(const char* text) {
  void* program = libjq().init();
  libjq().compile_args(program, text, libjq().parse(R"({"value":{"y":2}})"));
  return program;
}

void compile_in_libjq(benchmark::State& state, const char* text) {
  if (!libjq().is_there()) return state.SkipWithError("libjq is not installed");
  for (auto _ : state) {
    void* program = compiled(text);
    libjq().teardown(&program);
  }
}

void evaluate_in_libjq(benchmark::State& state, const char* text, const Value& (*document)()) {
  if (!libjq().is_there()) return state.SkipWithError("libjq is not installed");
  void* program = compiled(text);
  const Jv input = libjq().parse(json::print(document()).c_str());
  for (auto _ : state) {
    libjq().start(program, libjq().copy(input), 0);
    Jv output = libjq().next(program);
    while (output.is_valid()) {
      libjq().drop(output);
      output = libjq().next(program);
    }
    libjq().drop(output);
  }
  libjq().drop(input);
  libjq().teardown(&program);
}

BENCHMARK_CAPTURE(compile_in_libjq, JqCompilePath, ".a.b");
BENCHMARK_CAPTURE(compile_in_libjq, JqCompileUpdate, ".result += $value");
BENCHMARK_CAPTURE(compile_in_libjq, JqCompileSelect, ".orders|map(select(.completed))|length");
BENCHMARK_CAPTURE(evaluate_in_libjq, JqPath, ".a.b", small_document);
BENCHMARK_CAPTURE(evaluate_in_libjq, JqEqualOnKilobyte, ".a.b == 3", kilobyte_document);
BENCHMARK_CAPTURE(evaluate_in_libjq, JqSelectOfTwo, "[.orders[]|select(.completed)]|length", small_document);
BENCHMARK_CAPTURE(evaluate_in_libjq, JqUpdateOnKilobyte, ".result += $value", kilobyte_document);
BENCHMARK_CAPTURE(evaluate_in_libjq, JqSelectOfThousand, ".orders|map(select(.completed))|length", large_document);
BENCHMARK_CAPTURE(evaluate_in_libjq, JqSortByOfThousand, ".orders|sort_by(-.total)|.[0].id", large_document);
BENCHMARK_CAPTURE(evaluate_in_libjq, JqReduceOfThousand, "reduce .orders[] as $o ({}; .[$o.name] = $o.total)",
                  large_document);
BENCHMARK_CAPTURE(evaluate_in_libjq, JqUpdateOfThousand, ".orders[].total |= . + 1", large_document);

}  // namespace
}  // namespace pawl::jq
