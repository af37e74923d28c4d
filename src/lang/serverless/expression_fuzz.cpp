// Any bytes as an expression, and as data for it: evaluation ends, and text from the data is not evaluated again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "json/utf8.h"
#include "json/value.h"
#include "lang/serverless/expression.h"

using pawl::serverless::Expression;
using pawl::serverless::Value;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (pawl::json::find_invalid_utf8(text) != text.size()) return 0;
  const Value root = Value::empty_object().with_member("a", Value::string(text));
  PAWL_ASSERT(*Expression::compile("{{ $.a }}")->evaluate(root) == Value::string(text));
  const auto expression = Expression::compile(text);
  if (!expression) return 0;
  static_cast<void>(expression->evaluate(root));
  static_cast<void>(expression->select(root));
  static_cast<void>(expression->test(root));
  if (expression->is_literal()) PAWL_ASSERT(*expression->evaluate(root) == Value::string(text));
  return 0;
}
