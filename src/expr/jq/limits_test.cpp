// What a program may use: steps, calls, choices, bytes, nesting. Excess is JQ_LIMIT, which no program catches.
#include <gtest/gtest.h>

#include "expr/jq/testing.h"

namespace pawl::jq {
namespace {

using testing::answer;

constexpr Limits kSmall = {.steps_max = 100'000, .depth_max = 1'000, .bytes_max = 1'000'000};

std::string limited(std::string_view program, std::string_view input = "null") {
  return answer(program, input, {.limits = kSmall});
}

TEST(JqLimits, EndlessProgramsEnd) {
  for (const std::string_view program :
       {"[range(infinite)]", "last(range(infinite))", "repeat(1) | empty", "def f: f; f", "until(false; .)",
        "reduce range(infinite) as $i (0; 1)", "[limit(infinite; repeat(1))]", "label $f | repeat(.) | empty"})
    EXPECT_EQ(limited(program), "JQ_LIMIT") << program;
}

TEST(JqLimits, DeepRecursionEnds) {
  EXPECT_EQ(limited("def f: 1 + f; f"), "JQ_LIMIT");
  EXPECT_EQ(limited("def f: [f]; f"), "JQ_LIMIT");
  EXPECT_EQ(limited("def f(g): 1 + f(g | .); f(.)"), "JQ_LIMIT");
}

TEST(JqLimits, ChoicesToComeBackToAreBounded) { EXPECT_EQ(limited("def f: (., .) | f; f"), "JQ_LIMIT"); }

TEST(JqLimits, CallsInTheLastPlaceTakeNoRoom) {
  EXPECT_EQ(limited("def f: if . >= 9000 then . else . + 1 | f end; 0 | f"), "9000");
  EXPECT_EQ(limited("[limit(5000; def r: 1, r; r)] | length"), "5000");
}

TEST(JqLimits, LargeValuesAreRefusedBeforeTheyAreBuilt) {
  for (const std::string_view program :
       {"\"x\" * 1e9", "\"x\" * 1e300", ".[1e9] = 1", ".[1e300] = 1", "[range(100000)] | tojson",
        "reduce range(40) as $i (\"x\"; . + .)", "reduce range(40) as $i ([1]; . + .)",
        "[limit(100000; repeat(\"x\"))] | join(\",\")", "{} | .[\"a\" * 2e6] = 1", "[range(90000)] | combinations(3)",
        "\"x\" * 900000 | explode", "\"x\" * 900000 / \"\"", "\"x\" * 900000 | gsub(\"x\"; \"yy\")"})
    EXPECT_EQ(limited(program), "JQ_LIMIT") << program;
}

TEST(JqLimits, ValuesNestToABound) {
  EXPECT_EQ(answer("reduce range(500) as $i (null; [.]) | flatten"), "[null]");
  EXPECT_EQ(answer("reduce range(600) as $i (null; [.])"), "JQ_LIMIT");
  EXPECT_EQ(answer("reduce range(600) as $i (null; {a: .})"), "JQ_LIMIT");
  EXPECT_EQ(answer("setpath([range(600)]; 1)"), "JQ_LIMIT");
  EXPECT_EQ(answer("reduce range(600) as $i (1; . as $x | null | .a = $x)"), "JQ_LIMIT");
}

TEST(JqLimits, NoProgramCatchesALimit) {
  EXPECT_EQ(limited("try [range(infinite)] catch 1"), "JQ_LIMIT");
  EXPECT_EQ(limited("[range(infinite)]? // 1"), "JQ_LIMIT");
  EXPECT_EQ(limited(". as [$a] ?// $a | [range(infinite)]"), "JQ_LIMIT");
}

TEST(JqLimits, RegularExpressionsEnd) {
  EXPECT_EQ(limited("\"" + std::string(40, 'a') + "!\" | test(\"^(a+)+$\")"), "JQ_LIMIT");
}

TEST(JqLimits, TextsAreBounded) {
  EXPECT_EQ(answer(std::string(kProgramBytesMax + 1, ' ')), "JQ_TOO_LONG");
  EXPECT_EQ(answer(std::string(2'000, '(') + "1" + std::string(2'000, ')')), "JQ_SYNTAX");
  EXPECT_EQ(answer(std::string(2'000, '[') + std::string(2'000, ']')), "JQ_SYNTAX");
  EXPECT_EQ(answer(std::string(2'000, '-') + "1"), "JQ_SYNTAX");
  EXPECT_EQ(answer("\"" + std::string(1, '\\') + "(" + std::string(2'000, '{')), "JQ_SYNTAX");
}

TEST(JqLimits, LongListsAreNoNesting) {
  std::string commas = "1", pipes = ".", sums = "1";
  for (int i = 0; i < 5'000; ++i) {
    commas += ",1";
    pipes += "|.";
  }
  for (int i = 0; i < 300; ++i) sums += "+1";
  EXPECT_EQ(answer("[" + commas + "] | length"), "5001");
  EXPECT_EQ(answer(pipes, "7"), "7");
  EXPECT_EQ(answer(sums), "301");
}

TEST(JqLimits, FunctionsWithinFunctionsDoNotGrowWithoutBound) {
  std::string program = "def f0(g): g | g; ";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "f" + std::to_string(i - 1);
    program += "def f" + std::to_string(i) + "(g): " + before + "(" + before + "(g)); ";
  }
  EXPECT_EQ(limited(program + "f29(.)"), "JQ_LIMIT");
  EXPECT_EQ(answer("def f(g): g | g; f(f(f(f(f(f(f(f(f(f(. + 1))))))))))", "0"), "1024");
}

TEST(JqLimits, AnotherEvaluationHasItsOwn) {
  const auto program = Program::compile("[range(.)] | length");
  const Evaluation evaluation = {.limits = {.steps_max = 1'000, .depth_max = 10, .bytes_max = 10'000}};
  EXPECT_EQ(testing::outputs_of(*program, "100000", evaluation), "JQ_LIMIT");
  EXPECT_EQ(testing::outputs_of(*program, "100", evaluation), "100");
}

}  // namespace
}  // namespace pawl::jq
