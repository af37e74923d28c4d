// What the tests of intrinsic functions share: evaluating a text on an input. For tests only.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "expr/intrinsic/intrinsic.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::json {

inline void PrintTo(const Value& value, std::ostream* out) { *out << print(value); }

}  // namespace pawl::json

namespace pawl::intrinsic {

inline Value parsed(std::string_view text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value) << text;
  return value.value_or(Value::null());
}

// An input with a small Context Object and the one variable $count.
class TestRoots final : public jsonpath::Roots {
 public:
  explicit TestRoots(const Value& input) : Roots(input) {}
  Value context() const override { return parsed(R"({"Execution":{"Name":"run-1"}})"); }
  const Value* variable(std::string_view name) const override { return name == "count" ? &count_ : nullptr; }

 private:
  Value count_ = parsed(R"({"deep":5})");
};

inline constexpr uint64_t kTestSeed = 42;

inline Result<Value> evaluated(std::string_view text, std::string_view input = "{}") {
  PAWL_TRY(const Intrinsic compiled, Intrinsic::compile(text));
  const Value root = parsed(input);
  SeededRandom random(kTestSeed);
  return compiled.evaluate(TestRoots(root), random);
}

inline Value value_of(std::string_view text, std::string_view input = "{}") {
  auto value = evaluated(text, input);
  EXPECT_TRUE(value) << text << ": " << to_string(value.error());
  return value.value_or(Value::null());
}

inline Error error_of(std::string_view text, std::string_view input = "{}") {
  auto value = evaluated(text, input);
  EXPECT_FALSE(value) << text << " gave " << json::print(*value);
  return value ? Error{} : value.error();
}

}  // namespace pawl::intrinsic
