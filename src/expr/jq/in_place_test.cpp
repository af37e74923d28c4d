// Values that a program changes in place: nobody who holds the same value may see it.
#include <gtest/gtest.h>

#include "expr/jq/testing.h"

namespace pawl::jq {
namespace {

using testing::answer;

TEST(JqInPlace, TheInputStaysAsItWas) {
  const auto program = Program::compile("reduce range(3) as $i (.; . + [$i] | .[0] = 9), .");
  EXPECT_EQ(testing::outputs_of(*program, "[1,2]"), "[9,2,0,1,2] [1,2]");
  EXPECT_EQ(testing::outputs_of(*program, "[1,2]"), "[9,2,0,1,2] [1,2]");
}

TEST(JqInPlace, LiteralsStayAsTheyWere) {
  EXPECT_EQ(answer("[range(2) | reduce range(3) as $i ([]; . + [$i])] | .[0] == .[1]"), "true");
  EXPECT_EQ(answer("[range(2) | reduce range(2) as $i ({a:[1]}; .a += [$i])] | .[1].a"), "[1,0,1]");
}

TEST(JqInPlace, VariablesStayAsTheyWere) {
  EXPECT_EQ(answer(". as $d | reduce range(2) as $i ($d; .a += [$i]) | ., $d", R"({"a":[7]})"),
            R"({"a":[7,0,1]} {"a":[7]})");
  EXPECT_EQ(answer("reduce range(2) as $i ([]; . as $before | . + [$i] | . + [$before])"), "[0,[],1,[0,[]]]");
  EXPECT_EQ(answer("def f($x): .a = 1 | .b = $x; reduce range(2) as $i ({}; f(.))"), R"({"a":1,"b":{"a":1,"b":{}}})");
}

TEST(JqInPlace, AValueMayBeAddedToItself) {
  EXPECT_EQ(answer("reduce range(3) as $i ([1]; . + .)"), "[1,1,1,1,1,1,1,1]");
  EXPECT_EQ(answer("reduce range(3) as $i (\"ab\"; . + .) | length"), "16");
  EXPECT_EQ(answer("reduce range(2) as $i ({a:1}; .b = .)"), R"({"a":1,"b":{"a":1,"b":{"a":1}}})");
  EXPECT_EQ(answer("reduce range(2) as $i ([1]; .[0] += .)"), "JQ_ERROR");
  EXPECT_EQ(answer("reduce range(2) as $i ({a:[1]}; .a += [.])"), R"({"a":[1,{"a":[1]},{"a":[1,{"a":[1]}]}]})");
}

TEST(JqInPlace, OutputsBeforeAreNotChangedByThoseAfter) {
  EXPECT_EQ(answer("[foreach range(3) as $i ([]; . + [$i])]"), "[[0],[0,1],[0,1,2]]");
  EXPECT_EQ(answer("[limit(3; def f: ., (. + [1] | f); [] | f)]"), "[[],[1],[1,1]]");
  EXPECT_EQ(answer("reduce range(2) as $i ([]; . + ([$i], [9]))"), "[9,9]");
}

TEST(JqInPlace, PartsInTwoPlacesAreTwo) {
  EXPECT_EQ(answer("reduce range(2) as $i ({}; .a = [0] | .b = .a | .a[0] = 5 | .b[0] += 1)"), R"({"a":[5],"b":[1]})");
  EXPECT_EQ(answer(".[] |= . + [1]", "[[0],[0]]"), "[[0,1],[0,1]]");
  EXPECT_EQ(answer("[0] as $x | [$x, $x] | .[0][0] = 1 | ., $x"), "[[1],[0]] [0]");
}

TEST(JqInPlace, ChosenBranchesKeepTheValue) {
  EXPECT_EQ(answer("reduce range(4) as $i ({}; if $i % 2 == 0 then .even += [$i] else .odd += [$i] end)"),
            R"({"even":[0,2],"odd":[1,3]})");
  EXPECT_EQ(answer("reduce range(3) as $i ([]; if (true, false) then . + [$i] else . end)"), "[]");
}

TEST(JqInPlace, AnErrorInAnUpdateIsCaughtOutside) {
  EXPECT_EQ(answer("reduce range(3) as $i ([]; try (. + [$i] | if $i == 1 then error(\"x\") else . end) catch [7])"),
            "[7,2]");
  EXPECT_EQ(answer("try reduce range(3) as $i ({a:[]}; .a |= error(\"x\")) catch ."), "\"x\"");
}

TEST(JqInPlace, ManyStepsTakeTimeForEachStepOnly) {
  EXPECT_EQ(answer("reduce range(100000) as $i ([]; . + [$i]) | length"), "100000");
  EXPECT_EQ(answer("reduce range(50000) as $i ({}; .[\"k\\($i)\"] = $i) | length"), "50000");
  EXPECT_EQ(answer("reduce range(50000) as $i ({}; .x.y[\"k\\($i % 7)\"] += [$i]) | [.x.y[] | length] | add"), "50000");
  EXPECT_EQ(answer("reduce range(100000) as $i (\"\"; . + \"ab\") | length"), "200000");
  EXPECT_EQ(answer("[range(50000)] | .[] |= . + 1 | add"), "1250025000");
}

}  // namespace
}  // namespace pawl::jq
