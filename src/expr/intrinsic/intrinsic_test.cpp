// What the calls of intrinsic functions compile to and how they fail. The functions' own tests are in
// functions_test.cpp.
#include "expr/intrinsic/intrinsic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expr/intrinsic/testing.h"

namespace pawl::intrinsic {
namespace {

using testing::HasSubstr;

std::string code_of(std::string_view text) {
  const auto compiled = Intrinsic::compile(text);
  return compiled ? "compiled" : compiled.error().code;
}

std::string where_of(std::string_view text) {
  const auto compiled = Intrinsic::compile(text);
  return compiled ? "compiled" : compiled.error().where;
}

TEST(CompileIntrinsic, AcceptsEveryKindOfArgument) {
  EXPECT_EQ(value_of("States.Array('a', 1, -2.5, 1e3, null, true, false, $.n, States.Array())", R"({"n":7})"),
            parsed(R"(["a",1,-2.5,1e3,null,true,false,7,[]])"));
}

TEST(CompileIntrinsic, AcceptsBlanksOnlyInsideTheParentheses) {
  EXPECT_EQ(code_of("States.Array( 1 ,\n2 )"), "compiled");
  EXPECT_EQ(code_of("States.Array( )"), "compiled");
  EXPECT_EQ(code_of(" States.Array(1)"), "INTRINSIC_SYNTAX");
  EXPECT_EQ(code_of("States.Array(1) "), "INTRINSIC_SYNTAX");
  EXPECT_EQ(code_of("States.Array (1)"), "INTRINSIC_SYNTAX");
}

TEST(CompileIntrinsic, RejectsWhatIsNoCall) {
  for (const std::string_view text :
       {"", "States", "States.Array", "States.Array(", "States.Array(1", "States.Array(1,", "States.Array(1,)",
        "States.Array(,1)", "States.Array(1 2)", "States.Array('a", "States.Array(1))", "'a'", "1", "$.a", "(1)",
        "States.Array(a-b)"})
    EXPECT_EQ(code_of(text), "INTRINSIC_SYNTAX") << text;
}

TEST(CompileIntrinsic, RejectsWhatJsonWouldNotReadAsANumber) {
  for (const std::string_view number : {"01", "-", "1.", ".5", "+1", "1e", "1e+", "0x1", "--1"})
    EXPECT_EQ(code_of("States.Array(" + std::string(number) + ")"), "INTRINSIC_SYNTAX") << number;
}

TEST(CompileIntrinsic, NamesTheColumnInCharacters) {
  EXPECT_EQ(where_of("States.Array('\u00e4\u20ac', ?)"), "column 20");
  EXPECT_EQ(where_of("States.Array(1, $.a[)"), "column 17");
  EXPECT_EQ(where_of("States.Array(1, States.Nothing())"), "column 17");
}

TEST(CompileIntrinsic, SuggestsTheNearestFunction) {
  const auto compiled = Intrinsic::compile("States.format('a')");
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().code, "INTRINSIC_UNKNOWN_FUNCTION");
  EXPECT_THAT(compiled.error().fix, HasSubstr("States.Format"));
}

TEST(CompileIntrinsic, RejectsACountOfArgumentsThatTheFunctionNeverTakes) {
  for (const std::string_view text :
       {"States.Format()", "States.UUID(1)", "States.MathAdd(1)", "States.MathAdd(1, 2, 3)", "States.MathRandom(1)",
        "States.MathRandom(1, 2, 3, 4)", "States.JsonMerge($.a, $.b)", "States.Array(States.ArrayLength())"})
    EXPECT_EQ(code_of(text), "INTRINSIC_ARGUMENTS") << text;
}

TEST(CompileIntrinsic, RejectsNestingBelowItsBound) {
  const auto nested = [](size_t depth) {
    std::string text;
    for (size_t i = 0; i < depth; ++i) text += "States.Array(";
    return text + std::string(depth, ')');
  };
  EXPECT_EQ(code_of(nested(kNestingMax)), "compiled");
  EXPECT_EQ(code_of(nested(kNestingMax + 1)), "INTRINSIC_SYNTAX");
}

TEST(CompileIntrinsic, CountsNestingAndNotSiblings) {
  std::string text = "States.Array(1";
  for (size_t i = 0; i < 2 * kNestingMax; ++i) text += ", States.UUID()";
  EXPECT_EQ(code_of(text + ")"), "compiled");
}

TEST(CompileIntrinsic, RejectsATextThatIsTooLong) {
  EXPECT_EQ(code_of("States.Array('" + std::string(kTextBytesMax, 'a') + "')"), "INTRINSIC_SYNTAX");
}

TEST(CompileIntrinsic, RejectsInvalidUtf8) { EXPECT_EQ(code_of("States.Array('\xFF')"), "INTRINSIC_SYNTAX"); }

TEST(StringLiteral, ResolvesItsFourEscapes) {
  EXPECT_EQ(value_of(R"(States.Array('\'', '\{', '\}', '\\'))"), parsed(R"(["'","{","}","\\"])"));
}

TEST(StringLiteral, MayHoldQuotationMarksBracesAndLineBreaks) {
  EXPECT_EQ(value_of("States.Array('a \"b\" {c}\n')"), parsed(R"(["a \"b\" {c}\n"])"));
}

TEST(StringLiteral, RejectsAnEscapedQuotationMarkWhenCompiled) {
  EXPECT_EQ(code_of(R"(States.StringToJson('{"text":"An \"escaped double quote\" here"}'))"), "INTRINSIC_SYNTAX");
}

TEST(StringLiteral, FailsWithAnOpenBackslashOnlyWhenEvaluated) {
  const auto compiled = Intrinsic::compile(R"(States.Array(States.Array('a\b')))");
  ASSERT_TRUE(compiled);
  EXPECT_TRUE(compiled->has_open_escape());
  EXPECT_EQ(error_of(R"(States.Array(States.Array('a\b')))").code, "INTRINSIC_FAILED");
  EXPECT_FALSE(Intrinsic::compile(R"(States.Array('a\\b'))")->has_open_escape());
}

TEST(PathArgument, EndsOutsideItsBracketsAndQuotes) {
  EXPECT_EQ(value_of("States.Array($['a,b'], $['c)d'])", R"({"a,b":1,"c)d":2})"), parsed("[1,2]"));
  EXPECT_EQ(value_of("States.ArrayLength($.list[?(@.x == 'a,)' || @.x == 1)])", R"j({"list":[{"x":"a,)"},{"x":2}]})j"),
            Value::integer(1));
}

TEST(PathArgument, ReachesTheContextObjectAndVariables) {
  EXPECT_EQ(value_of("States.Array($$.Execution.Name, $count, $count.deep)", "{}"),
            parsed(R"(["run-1",{"deep":5},5])"));
}

TEST(PathArgument, TellsWhichPathLedNowhereAsAwsDoes) {
  const Error error = error_of("States.Format('{} {}', $.here, States.Format('{}', $.nope.deep))", R"({"here":1})");
  EXPECT_EQ(error.code, "JSONPATH_NO_MATCH");
  EXPECT_EQ(error.where, "$.nope.deep");
  EXPECT_EQ(error.what, "The JsonPath argument for the field '$.nope.deep' could not be found in the input");
}

TEST(PathArgument, NamesAContextPathByItsPartInTheContextObject) {
  EXPECT_EQ(error_of("States.Array($$.Nope)").where, "$.Nope");
}

TEST(PathArgument, FailsForAnUnknownVariable) {
  EXPECT_EQ(error_of("States.Array($unknown)").code, "JSONPATH_UNKNOWN_VARIABLE");
}

TEST(EvaluateIntrinsic, PassesTheErrorOfANestedCall) {
  EXPECT_EQ(error_of("States.Array(States.MathAdd('a', 1))").what, "Invalid arguments in States.MathAdd");
}

TEST(EvaluateIntrinsic, RefusesAResultThatIsNestedTooDeep) {
  std::string deep = std::string(500, '[') + std::string(500, ']');
  std::string text = "$.deep";
  for (int i = 0; i < 20; ++i) text = "States.Array(" + text + ")";
  EXPECT_EQ(error_of(text, R"({"deep":)" + deep + "}").code, "INTRINSIC_FAILED");
}

TEST(EvaluateIntrinsic, BoundsTextsThatGrowWithEachLevel) {
  std::string text = "$";
  for (int i = 0; i < 60; ++i) text = "States.JsonToString(" + text + ")";
  EXPECT_EQ(error_of(text, R"({"a":"\\"})").code, "INTRINSIC_FAILED");
}

TEST(EvaluateIntrinsic, SharesTheCompiledCallBetweenCopies) {
  const Intrinsic original = Intrinsic::compile("States.MathAdd(1, 2)").value();
  const Intrinsic copy = original;
  EXPECT_EQ(copy.text(), original.text());
  SeededRandom random(1);
  EXPECT_EQ(copy.evaluate(jsonpath::Roots(Value::empty_object()), random).value(), Value::integer(3));
}

}  // namespace
}  // namespace pawl::intrinsic
