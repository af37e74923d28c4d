// Fuzzes jq: the program up to a line feed, then a JSON document.
//
// Whatever the text, compiling and evaluating within small bounds end with outputs or an error, twice alike.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "expr/jq/jq.h"
#include "json/parse.h"
#include "json/print.h"

namespace {

using pawl::jq::Evaluation;
using pawl::jq::Program;

constexpr pawl::jq::Limits kSmall = {.steps_max = 20'000, .depth_max = 300, .bytes_max = 1 << 20};

void check(const Program& program, const pawl::json::Value& input) {
  const Evaluation evaluation = {.now_seconds = 1.5e9, .limits = kSmall};
  const auto first = program.evaluate(input, evaluation);
  const auto second = program.evaluate(input, evaluation);
  PAWL_ASSERT(first.has_value() == second.has_value());
  if (!first) {
    PAWL_ASSERT(first.error() == second.error());
    return;
  }
  PAWL_ASSERT(first->size() == second->size());
  for (size_t i = 0; i < first->size(); ++i) {
    const std::string text = pawl::json::print((*first)[i]);
    PAWL_ASSERT(text == pawl::json::print((*second)[i]));
    PAWL_ASSERT(pawl::json::parse(text, {.depth_max = 1'000}).has_value(), text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t line = input.find('\n');
  const auto program = Program::compile(input.substr(0, line));
  if (!program) {
    PAWL_ASSERT(!program.error().what.empty());
    return 0;
  }
  const auto document = pawl::json::parse(line == std::string_view::npos ? "null" : input.substr(line + 1));
  if (document) check(*program, *document);
  return 0;
}
