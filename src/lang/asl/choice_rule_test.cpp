// Choice Rules (specification, "Choice State"). "AWS" marks what AWS's recordings show where the text is silent.
#include "lang/asl/choice_rule.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"
#include "lang/asl/choice_operator.h"

namespace pawl::asl {
namespace {

using testing::HasSubstr;

Value parsed(std::string_view text) {
  auto value = json::parse(text);
  EXPECT_TRUE(value) << text;
  return value.value_or(Value::null());
}

class TestRoots final : public jsonpath::Roots {
 public:
  explicit TestRoots(const Value& input) : Roots(input) {}
  Value context() const override { return parsed(R"({"Execution":{"Name":"run-1"}})"); }
  const Value* variable(std::string_view name) const override { return name == "count" ? &count_ : nullptr; }

 private:
  Value count_ = Value::integer(5);
};

Result<bool> evaluated(const std::string& rule, std::string_view input) {
  PAWL_TRY(const ChoiceRule compiled, ChoiceRule::compile(parsed(rule)));
  const Value root = parsed(input);
  return compiled.evaluate(TestRoots(root));
}

bool holds_for(const std::string& rule, std::string_view input) {
  const auto result = evaluated(rule, input);
  EXPECT_TRUE(result) << rule << ": " << to_string(result.error());
  return result.value_or(false);
}

std::string code_for(const std::string& rule, std::string_view input) {
  const auto result = evaluated(rule, input);
  return result ? "no error" : result.error().code;
}

// Compares $.v, whose JSON is `value`, by one operator with a literal.
bool compares(std::string_view comparison, std::string_view literal, std::string_view value) {
  return holds_for("{\"Variable\":\"$.v\",\"" + std::string(comparison) + "\":" + std::string(literal) + "}",
                   "{\"v\":" + std::string(value) + "}");
}

// --- the recordings
// ----------------------------------------------------------------------------------------------------

const Value* recorded_rule(const Value& recording) {
  const Value* states = recording.find("definition")->find("States");
  for (const json::Member& state : states->members())
    if (const Value* choices = state.value.find("Choices")) return &choices->at(0);
  return nullptr;
}

TEST(RecordedChoices, GoTheWayAwsWent) {
  const std::string file = PAWL_SOURCE_DIR "/../shared/corpus/asl/choice.jsonl";
  std::ifstream lines(file);
  if (!lines) GTEST_SKIP() << "the recordings are not at " << file;
  size_t compared = 0;
  for (std::string line; std::getline(lines, line); ++compared) {
    const Value recording = parsed(line);
    const Value* rule = recorded_rule(recording);
    ASSERT_NE(rule, nullptr) << line;
    const auto compiled = ChoiceRule::compile(*rule);
    ASSERT_TRUE(compiled) << json::print(*rule) << to_string(compiled.error());
    const Value input = *recording.find("input");
    const auto went = compiled->evaluate(jsonpath::Roots(input));
    const bool expected = recording.find("output")->find("TestResult.$")->as_string() == "ConditionTrue";
    EXPECT_TRUE(went && *went == expected) << json::print(*rule) << " on " << json::print(input);
  }
  EXPECT_EQ(compared, 335u);
}

// --- types
// --------------------------------------------------------------------------------------------------------------

TEST(ChoiceComparison, IsFalseForAnotherTypeAndNoError) {
  for (const std::string_view value : {"null", "true", "[]", "{}", "[1]", "\"\"", "\"1\""})
    EXPECT_FALSE(compares("NumericEquals", "1", value)) << value;
  for (const std::string_view value : {"null", "true", "1", "[]", "{}"}) {
    EXPECT_FALSE(compares("StringGreaterThanEquals", "\"\"", value)) << value;
    EXPECT_FALSE(compares("StringMatches", "\"*\"", value)) << value;
    EXPECT_FALSE(compares("TimestampLessThan", "\"2999-01-01T00:00:00Z\"", value)) << value;
  }
  for (const std::string_view value : {"null", "1", "\"true\""})
    EXPECT_FALSE(compares("BooleanEquals", "true", value)) << value;
}

TEST(ChoiceComparison, IsFalseWhereThePathGivesAnotherType) {
  EXPECT_FALSE(holds_for(R"({"Variable":"$.a","NumericEqualsPath":"$.b"})", R"({"a":1,"b":"1"})"));
  EXPECT_FALSE(
      holds_for(R"({"Variable":"$.a","TimestampEqualsPath":"$.b"})", R"({"a":"2020-01-01T00:00:00Z","b":"now"})"));
}

TEST(NumericComparison, IsByValue) {
  EXPECT_TRUE(compares("NumericEquals", "1", "1.0"));
  EXPECT_TRUE(compares("NumericEquals", "0", "-0"));
  EXPECT_TRUE(compares("NumericEquals", "1000", "1e3"));
  EXPECT_FALSE(compares("NumericEquals", "9007199254740992", "9007199254740993"));
  EXPECT_TRUE(compares("NumericLessThan", "9007199254740993", "9007199254740992"));
}

TEST(NumericComparison, KnowsFiveRelations) {
  EXPECT_TRUE(compares("NumericLessThan", "2", "1"));
  EXPECT_FALSE(compares("NumericLessThan", "2", "2"));
  EXPECT_TRUE(compares("NumericLessThanEquals", "2", "2"));
  EXPECT_FALSE(compares("NumericGreaterThan", "2", "2"));
  EXPECT_TRUE(compares("NumericGreaterThan", "2", "2.5"));
  EXPECT_TRUE(compares("NumericGreaterThanEquals", "2", "2"));
  EXPECT_FALSE(compares("NumericGreaterThanEquals", "2", "1.9"));
}

TEST(BooleanComparison, TellsTrueFromFalse) {
  EXPECT_TRUE(compares("BooleanEquals", "false", "false"));
  EXPECT_FALSE(compares("BooleanEquals", "false", "true"));
}

// --- strings
// ------------------------------------------------------------------------------------------------------------

TEST(StringComparison, IsByUtf16CodeUnits) {
  EXPECT_TRUE(compares("StringGreaterThan", "\"A\"", "\"AB\""));
  EXPECT_TRUE(compares("StringLessThan", "\"a\"", "\"B\""));
  EXPECT_TRUE(compares("StringLessThan", "\"\u00e4\"", "\"z\""));
  EXPECT_TRUE(compares("StringLessThan", "\"\uFFFD\"", "\"\U0001F600\""));
  EXPECT_TRUE(compares("StringLessThan", "\"\uE000\"", "\"\U0001F600\""));
  EXPECT_TRUE(compares("StringGreaterThan", "\"\uD7FF\"", "\"\U0001F600\""));
  EXPECT_TRUE(compares("StringLessThan", "\"\U0001F601\"", "\"\U0001F600\""));
  EXPECT_TRUE(compares("StringLessThan", "\"\U00100000\"", "\"\U0001F600\""));
}

TEST(StringMatches, ReadsTheStarAsAnyCharacters) {
  EXPECT_TRUE(compares("StringMatches", "\"foo*.log\"", "\"foo23.log\""));
  EXPECT_TRUE(compares("StringMatches", "\"*.log\"", "\"zebra.log\""));
  EXPECT_TRUE(compares("StringMatches", "\"foo*.*\"", "\"foobar.zebra\""));
  EXPECT_TRUE(compares("StringMatches", "\"foo*\"", "\"foo\""));
  EXPECT_TRUE(compares("StringMatches", "\"a*b*c\"", "\"a-b-b-c\""));
  EXPECT_TRUE(compares("StringMatches", "\"**\"", "\"\""));
  EXPECT_TRUE(compares("StringMatches", "\"*\"", "\"\\n\""));
  EXPECT_FALSE(compares("StringMatches", "\"foo*.log\"", "\"foo23.log \""));
  EXPECT_FALSE(compares("StringMatches", "\"ab*ba\"", "\"aba\""));
  EXPECT_FALSE(compares("StringMatches", "\"a*b*c\"", "\"ac-b\""));
  EXPECT_FALSE(compares("StringMatches", "\"\"", "\"a\""));
}

TEST(StringMatches, ReadsNothingElseAsSpecial) {
  EXPECT_FALSE(compares("StringMatches", "\"a?c\"", "\"abc\""));
  EXPECT_TRUE(compares("StringMatches", "\"[ab]?\"", "\"[ab]?\""));
  EXPECT_FALSE(compares("StringMatches", "\"A*\"", "\"abc\""));
}

TEST(StringMatches, TakesAnEscapedStarAndBackslashAsThemselves) {
  EXPECT_TRUE(compares("StringMatches", R"("a\\*c")", R"("a*c")"));
  EXPECT_FALSE(compares("StringMatches", R"("a\\*c")", R"("abc")"));
  EXPECT_TRUE(compares("StringMatches", R"("C:\\\\*")", R"("C:\\temp")"));
  EXPECT_TRUE(compares("StringMatches", R"("\\\\\\*")", R"("\\*")"));
}

TEST(StringMatches, FailsForAnOpenBackslashWhenEvaluated) {
  for (const std::string_view pattern : {R"("foo\\")", R"("fo\\o*")", R"("\\")"}) {
    const std::string rule = R"({"Variable":"$.v","StringMatches":)" + std::string(pattern) + "}";
    EXPECT_TRUE(ChoiceRule::compile(parsed(rule))) << rule;
    EXPECT_EQ(code_for(rule, R"({"v":"foo"})"), "CHOICE_BAD_PATTERN") << rule;
  }
}

TEST(StringMatches, TakesManyStarsOnALongText) {
  std::string pattern;
  for (int i = 0; i < 1000; ++i) pattern += "a*";
  EXPECT_FALSE(compares("StringMatches", "\"" + pattern + "b\"", "\"" + std::string(100'000, 'a') + "\""));
}

// --- timestamps
// ---------------------------------------------------------------------------------------------------------

TEST(TimestampComparison, ComparesInstantsAndNotTexts) {
  EXPECT_TRUE(compares("TimestampEquals", "\"2001-01-01T12:00:00Z\"", "\"2001-01-01T13:00:00+01:00\""));
  EXPECT_TRUE(compares("TimestampEquals", "\"2001-01-01T12:00:00Z\"", "\"2001-01-01T12:00:00.000Z\""));
  EXPECT_TRUE(compares("TimestampLessThan", "\"2001-01-01T12:00:00.000000001Z\"", "\"2001-01-01T12:00:00Z\""));
  EXPECT_TRUE(compares("TimestampGreaterThanEquals", "\"2001-01-01T12:00:00-01:00\"", "\"2001-01-01T13:00:00Z\""));
}

TEST(TimestampComparison, TakesTheOtherSideFromAPath) {
  EXPECT_TRUE(holds_for(R"({"Variable":"$.a","TimestampLessThanPath":"$.b"})",
                        R"({"a":"2016-03-14T01:59:00Z","b":"2016-03-14T01:59:00.5Z"})"));
}

TEST(IsTimestamp, WantsAnUpperCaseTAndAZone) {
  EXPECT_TRUE(compares("IsTimestamp", "true", "\"2016-03-14T01:59:00Z\""));
  EXPECT_TRUE(compares("IsTimestamp", "true", "\"2016-03-14T01:59:00.123456789+05:30\""));
  for (const std::string_view value :
       {"\"2016-03-14t01:59:00Z\"", "\"2016-03-14T01:59:00z\"", "\"2016-03-14 01:59:00Z\"", "\"2016-03-14T01:59:00\"",
        "\"2016-13-14T01:59:00Z\"", "\"2016-03-14\"", "\"\"", "1457920740", "null"})
    EXPECT_TRUE(compares("IsTimestamp", "false", value)) << value;
}

// --- Is…
// ----------------------------------------------------------------------------------------------------------------

TEST(TypeTest, IsNegatedByFalse) {  // AWS
  EXPECT_TRUE(compares("IsNull", "true", "null"));
  EXPECT_TRUE(compares("IsNull", "false", "0"));
  EXPECT_FALSE(compares("IsNull", "false", "null"));
  EXPECT_TRUE(compares("IsNumeric", "true", "1e400"));
  EXPECT_TRUE(compares("IsNumeric", "false", "\"1\""));
  EXPECT_TRUE(compares("IsString", "false", "[]"));
  EXPECT_TRUE(compares("IsBoolean", "true", "false"));
}

TEST(IsPresent, ToleratesAMissingVariable) {
  EXPECT_TRUE(holds_for(R"({"Variable":"$.a.b","IsPresent":false})", R"({"a":1})"));
  EXPECT_FALSE(holds_for(R"({"Variable":"$.a.b","IsPresent":true})", "{}"));
  EXPECT_FALSE(holds_for(R"({"Variable":"$unknown","IsPresent":true})", "{}"));
}

TEST(IsPresent, CountsAPresentNull) {
  EXPECT_TRUE(holds_for(R"({"Variable":"$.a","IsPresent":true})", R"({"a":null})"));
}

TEST(IsPresent, WantsAMatchOfAPathThatMayMatchMany) {
  EXPECT_TRUE(holds_for(R"({"Variable":"$.a[*]","IsPresent":true})", R"({"a":[1]})"));
  EXPECT_TRUE(holds_for(R"({"Variable":"$.a[*]","IsPresent":false})", R"({"a":[]})"));
}

// --- paths
// --------------------------------------------------------------------------------------------------------------

TEST(ChoiceVariable, FailsWhereItLeadsNowhereAsAwsSays) {
  const auto result = evaluated(R"({"Variable":"$.x","NumericEquals":1})", "{}");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "CHOICE_MISSING_VARIABLE");
  EXPECT_EQ(result.error().what, "Invalid path '$.x': The choice state's condition path references an invalid value.");
  for (const std::string_view test : {"IsNull", "IsString", "IsNumeric", "IsBoolean", "IsTimestamp"})
    EXPECT_EQ(code_for("{\"Variable\":\"$.x\",\"" + std::string(test) + "\":false}", "{}"), "CHOICE_MISSING_VARIABLE")
        << test;
}

TEST(ChoiceVariable, FailsWhereTheOtherPathLeadsNowhere) {
  const auto result = evaluated(R"({"Variable":"$.x","StringEqualsPath":"$.y"})", R"({"x":"a"})");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().what, HasSubstr("'$.y'"));
}

TEST(ChoiceVariable, ReachesTheInputTheContextObjectAndVariables) {
  EXPECT_TRUE(holds_for(R"({"Variable":"$","NumericEquals":7})", "7"));
  EXPECT_TRUE(holds_for(R"({"Variable":"$$.Execution.Name","StringEquals":"run-1"})", "{}"));
  EXPECT_TRUE(holds_for(R"({"Variable":"$.n","StringEqualsPath":"$$.Execution.Name"})", R"({"n":"run-1"})"));
  EXPECT_TRUE(holds_for(R"({"Variable":"$count","NumericEqualsPath":"$count"})", "{}"));
}

// --- And, Or, Not
// -------------------------------------------------------------------------------------------------------

TEST(Connectives, StopAtTheRuleThatDecides) {
  EXPECT_FALSE(
      holds_for(R"({"And":[{"Variable":"$.x","IsPresent":true},{"Variable":"$.x","NumericEquals":1}]})", "{}"));
  EXPECT_TRUE(holds_for(R"({"Or":[{"Variable":"$.x","IsPresent":false},{"Variable":"$.x","NumericEquals":1}]})", "{}"));
  EXPECT_EQ(code_for(R"({"And":[{"Variable":"$.x","NumericEquals":1},{"Variable":"$.x","IsPresent":true}]})", "{}"),
            "CHOICE_MISSING_VARIABLE");
}

TEST(Connectives, Nest) {
  const std::string rule = R"({"Not":{"Or":[{"And":[{"Variable":"$.a","NumericGreaterThanEquals":20},
      {"Variable":"$.a","NumericLessThan":30}]},{"Not":{"Variable":"$.a","IsNumeric":true,"Comment":"c"}}]}})";
  EXPECT_FALSE(holds_for(rule, R"({"a":25})"));
  EXPECT_FALSE(holds_for(rule, R"({"a":"x"})"));
  EXPECT_TRUE(holds_for(rule, R"({"a":30})"));
}

// --- compiling
// ----------------------------------------------------------------------------------------------------------

TEST(CompileChoiceRule, NamesTheFaultyPart) {
  const auto compiled =
      ChoiceRule::compile(parsed(R"({"And":[{"Variable":"$.a","IsNull":true},{"Not":{"Variable":"$.a"}}]})"));
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().code, "ASL_CHOICE_RULE");
  EXPECT_EQ(compiled.error().where, "/And/1/Not");
}

TEST(CompileChoiceRule, RejectsMalformedRules) {
  for (const std::string_view rule : {"null",
                                      "[]",
                                      "{}",
                                      R"({"Variable":"$.a"})",
                                      R"({"NumericEquals":1})",
                                      R"({"Variable":"$.a","Equals":1})",
                                      R"({"Variable":"$.a","NumericEquals":1,"IsNull":true})",
                                      R"({"Variable":"a","NumericEquals":1})",
                                      R"({"Variable":1,"NumericEquals":1})",
                                      R"({"Variable":"$.a[","NumericEquals":1})",
                                      R"({"Variable":"$.a","NumericEquals":"1"})",
                                      R"({"Variable":"$.a","StringEquals":1})",
                                      R"({"Variable":"$.a","BooleanEquals":"true"})",
                                      R"({"Variable":"$.a","TimestampEquals":"2016-03-14"})",
                                      R"({"Variable":"$.a","IsNull":"true"})",
                                      R"({"Variable":"$.a","StringMatches":null})",
                                      R"({"Variable":"$.a","NumericEqualsPath":1})",
                                      R"({"Variable":"$.a","NumericEqualsPath":"b"})",
                                      R"({"And":[]})",
                                      R"({"Or":{}})",
                                      R"({"Not":[]})",
                                      R"({"And":[1]})"}) {
    const auto compiled = ChoiceRule::compile(parsed(rule));
    ASSERT_FALSE(compiled) << rule;
    EXPECT_EQ(compiled.error().code, "ASL_CHOICE_RULE") << rule;
  }
}

TEST(CompileChoiceRule, BoundsItsNesting) {
  const auto nested = [](size_t depth) {
    std::string rule = R"({"Variable":"$","IsNull":true})";
    for (size_t i = 0; i < depth; ++i) rule = "{\"Not\":" + rule + "}";
    return parsed(rule);
  };
  EXPECT_TRUE(ChoiceRule::compile(nested(kRuleNestingMax)));
  EXPECT_FALSE(ChoiceRule::compile(nested(kRuleNestingMax + 1)));
}

TEST(ChoiceOperators, PairEachComparisonWithItsPathForm) {
  for (const std::string_view name :
       {"StringEquals", "NumericLessThan", "BooleanEquals", "TimestampGreaterThanEquals"}) {
    const ChoiceOperator* literal = find_choice_operator(name);
    const ChoiceOperator* path = find_choice_operator(std::string(name) + "Path");
    ASSERT_TRUE(literal != nullptr && path != nullptr) << name;
    EXPECT_EQ(literal->subject, path->subject);
    EXPECT_EQ(literal->relation, path->relation);
    EXPECT_TRUE(path->compares_with_path && !literal->compares_with_path);
  }
  EXPECT_EQ(find_choice_operator("StringMatchesPath"), nullptr);
  EXPECT_EQ(find_choice_operator("IsNullPath"), nullptr);
}

}  // namespace
}  // namespace pawl::asl
