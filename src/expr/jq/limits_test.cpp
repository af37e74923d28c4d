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

// Each looks at a large value again and again, and builds nothing.
TEST(JqLimits, WhatLooksAtLargeValuesCounts) {
  constexpr std::string_view kGiven =
      "(\"a\" * 90000) as $a | (\"a\" * 90000) as $b | [range(9000)] as $l | [range(9000)] as $m | {x: 1, y: 2} as $o "
      "| ";
  for (const std::string_view program : {"$a == $b",
                                         "$a < $b",
                                         "$a | contains($b)",
                                         "[[$a]] | contains([[$b]])",
                                         "$a | startswith($b)",
                                         "$a | endswith($b)",
                                         "$a | ltrimstr($b)",
                                         "$a | rtrimstr($b)",
                                         "$a | indices($b)",
                                         "$l | indices($m)",
                                         "$l == $m",
                                         "[$a, $b] | sort",
                                         "[$a, $b] | min",
                                         "[$a, $b] | unique",
                                         "[$a, $b] | bsearch($a)",
                                         "[$a] - [$b]",
                                         "$a | tonumber?",
                                         "$a | strptime(\"%Y\")?",
                                         "$o[$a]",
                                         "$o | has($a)",
                                         "$o | .[$a] = 1",
                                         "null | getpath($l)"})
    EXPECT_EQ(limited(std::string(kGiven) + "last(range(5000) | " + std::string(program) + ")"), "JQ_LIMIT") << program;
}

TEST(JqLimits, OverlappingPartsAreFoundInLinearTime) {
  EXPECT_EQ(answer("[range(200000) | 0] | indices([range(100000) | 0]) | length"), "100001");
  EXPECT_EQ(answer("\"a\" * 200000 | indices(\"a\" * 100000) | length"), "100001");
  EXPECT_EQ(answer("\"a\" * 2000000 | contains(\"a\" * 1000000 + \"b\")"), "false");
  EXPECT_EQ(answer("[1,2,1,2,1] | indices([1,2,1]), indices([2]), indices([1,1]), indices([])"), "[0,2] [1,3] [] []");
  EXPECT_EQ(answer("\"ééaéé\" | indices(\"é\"), indices(\"éa\"), indices(\"ééaééé\")"), "[0,1,3,4] [1] []");
}

// The message has the beginning of a value only, and takes no longer for a large one.
TEST(JqLimits, MessagesDoNotPrintLargeValues) {
  EXPECT_EQ(answer("[range(1000000)] as $l | [range(1000) | try ($l | ascii_downcase | 1) catch 0, "
                   "try ({} - $l) catch .] | .[1]"),
            R"("object ({}) and array ([0,1,2,3,4,...) cannot be subtracted")");
  EXPECT_EQ(answer("try (\"é\" * 1000 | @csv) catch ."),
            R"("string (\"ééééé...) cannot be csv-formatted, only array")");
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
