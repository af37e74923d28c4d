// Programs as a whole: outputs, variables, errors, what is refused.
#include <gtest/gtest.h>

#include "expr/jq/testing.h"

namespace pawl::jq {
namespace {

using testing::answer;
using testing::json_of;
using testing::sentence;

TEST(JqProgram, GivesEveryOutputInOrder) {
  EXPECT_EQ(answer(".[] | . * 2", "[1,2,3]"), "2 4 6");
  EXPECT_EQ(answer("empty"), "");
  EXPECT_EQ(answer(".a, .b", R"({"a":1,"b":[2]})"), "1 [2]");
}

TEST(JqProgram, AnEmptyTextIsTheIdentity) { EXPECT_EQ(answer("  # nothing", "[1]"), "[1]"); }

TEST(JqProgram, GivesWhatCameBeforeAnError) { EXPECT_EQ(answer("1, error(\"x\"), 2"), "1 JQ_ERROR"); }

TEST(JqProgram, TakesVariablesFromOutside) {
  const std::string_view names[] = {"value", "least"};
  const auto program = Program::compile(".result += $value | .n = $least", names);
  ASSERT_TRUE(program.has_value());
  const Value values[] = {json_of(R"({"b":2})"), Value::integer(7)};
  EXPECT_EQ(testing::outputs_of(*program, R"({"result":{"a":1}})", {.variables = values}),
            R"({"result":{"a":1,"b":2},"n":7})");
}

TEST(JqProgram, MayBeEvaluatedAgain) {
  const auto program = Program::compile("[.[] | select(. > 1)] | length");
  EXPECT_EQ(testing::outputs_of(*program, "[1,2,3]"), "2");
  EXPECT_EQ(testing::outputs_of(*program, "[1]"), "0");
}

TEST(JqProgram, RefusesWhatReachesOutsideByName) {
  for (const std::string_view text :
       {"input", "inputs", "env", "$ENV", "halt", "halt_error", "halt_error(1)", "debug", "debug(.)", "stderr",
        "input_filename", "input_line_number", "get_search_list", "modulemeta", "$__prog_args", "1 | [.[] | env.PATH]"})
    EXPECT_EQ(answer(text), "JQ_REFUSED") << text;
  for (const std::string_view text : {"import \"a\" as a; 1", "include \"a\"; 1", "a::b", "a::b(1)"})
    EXPECT_EQ(answer(text), "JQ_REFUSED") << text;
  EXPECT_NE(sentence("env").find("env is refused"), std::string::npos);
}

TEST(JqProgram, TellsWhatIsNotDefined) {
  EXPECT_EQ(answer("nope"), "JQ_UNDEFINED");
  EXPECT_EQ(answer("empty | nope"), "JQ_UNDEFINED");
  EXPECT_EQ(answer("map(.; .)"), "JQ_UNDEFINED");
  EXPECT_EQ(answer("$x"), "JQ_UNDEFINED");
  EXPECT_EQ(answer("break $x"), "JQ_UNDEFINED");
  EXPECT_EQ(answer("@nope"), "JQ_UNDEFINED");
}

TEST(JqProgram, TellsThePlaceOfAMistake) {
  EXPECT_EQ(Program::compile(".a | ]").error().where, "column 6");
  EXPECT_EQ(Program::compile(".a\n| nope").error().where, "line 2, column 3");
}

TEST(JqProgram, AnErrorThatIsNoStringIsPrinted) { EXPECT_EQ(sentence("error({a:1})"), R"({"a":1} (not a string))"); }

TEST(JqProgram, NowIsWhatTheEvaluationWasGiven) {
  EXPECT_EQ(answer("now", "null", {.now_seconds = 1425599621.5}), "1425599621.5");
  EXPECT_EQ(answer("now"), "JQ_ERROR");
}

}  // namespace
}  // namespace pawl::jq
