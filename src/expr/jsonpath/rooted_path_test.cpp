// Paths on the input, on the Context Object and on variables.
#include "expr/jsonpath/rooted_path.h"

#include <gtest/gtest.h>

#include "expr/jsonpath/testing.h"

namespace pawl::jsonpath {
namespace {

using testing::json_of;

class TestRoots : public Roots {
 public:
  explicit TestRoots(const Value& input) : Roots(input) {}
  Value context() const override { return json_of(R"({"Execution":{"Name":"run"}})"); }
  const Value* variable(std::string_view name) const override { return name == "order" ? &order_ : nullptr; }

 private:
  Value order_ = json_of(R"({"lines":[{"sku":"x"}],"a b":1})");
};

std::string answer(std::string_view text) {
  const Value input = json_of(R"({"order":"of the input","x":1})");
  const auto path = RootedPath::compile(text);
  if (!path) return path.error().code;
  const auto result = path->evaluate(TestRoots(input));
  return result ? json::print(*result) : result.error().code;
}

TEST(RootedPath, BeginsAtTheInput) {
  EXPECT_EQ(answer("$.x"), "1");
  EXPECT_TRUE(RootedPath::compile("$")->is_whole_input());
  EXPECT_FALSE(RootedPath::compile("$.x")->is_whole_input());
}

TEST(RootedPath, BeginsAtTheContextObjectAfterTwoDollars) {
  EXPECT_EQ(answer("$$.Execution.Name"), R"("run")");
  EXPECT_EQ(answer("$$"), R"({"Execution":{"Name":"run"}})");
  EXPECT_FALSE(RootedPath::compile("$$")->is_whole_input());
  EXPECT_EQ(RootedPath::compile("$$.a")->root(), RootedPath::Root::kContext);
}

TEST(RootedPath, BeginsAtAVariableAfterItsName) {
  EXPECT_EQ(answer("$order.lines[0].sku"), R"("x")");
  EXPECT_EQ(answer("$order['a b']"), "1");
  EXPECT_EQ(answer("$order.lines[*].sku"), R"(["x"])");
  EXPECT_EQ(RootedPath::compile("$order.lines")->variable(), "order");
}

TEST(RootedPath, SaysWhichVariableIsUnknown) {
  EXPECT_EQ(answer("$other.x"), "JSONPATH_UNKNOWN_VARIABLE");
  EXPECT_EQ(answer("$order.x"), "JSONPATH_NO_MATCH");
}

TEST(RootedPath, RefusesOtherRoots) {
  for (const char* text : {"", "x", "@.x", "$$$.x", "$order-x", "$ order", "$$x", "$order x"})
    EXPECT_EQ(answer(text), "JSONPATH_SYNTAX") << text;
}

}  // namespace
}  // namespace pawl::jsonpath
