// Any bytes: a text of an intrinsic function is compiled or refused, and what compiles is evaluated or fails. The text
// ends at the first record separator; what follows is the input where it is JSON.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "expr/intrinsic/intrinsic.h"
#include "json/parse.h"
#include "json/print.h"

constexpr char kSeparator = '\x1e';

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace pawl;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t text_end = bytes.find(kSeparator);
  const auto compiled = intrinsic::Intrinsic::compile(bytes.substr(0, text_end));
  if (!compiled) {
    PAWL_ASSERT(!compiled.error().code.empty() && !compiled.error().what.empty());
    return 0;
  }
  json::Value input = json::Value::empty_object();
  if (text_end != std::string_view::npos) input = json::parse(bytes.substr(text_end + 1)).value_or(input);
  SeededRandom random(size);
  const auto value = compiled->evaluate(jsonpath::Roots(input), random);
  if (value) {
    const auto again = json::parse(json::print(*value));
    PAWL_ASSERT(again && *again == *value);
  }
  return 0;
}
