// Expressions, templates and numbers: what the text says of them, with its own example data.
#include "lang/serverless/expression.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace pawl::serverless {
namespace {

Value json_of(std::string_view text) { return json::parse(text).value(); }

const Value& person() {
  static const Value data = json_of(R"({"firstName": "John", "lastName": "Doe", "age": 26,
      "phoneNumbers": [{"type": "iPhone", "number": "0123-4567-8888"}, {"type": "home", "number": "0123-4567-8910"}],
      "flag": false, "nothing": null, "empty": [], "braces": "{{ $.age }}", "odd": {"a}}b": 1}})");
  return data;
}

std::string evaluated(std::string_view text) {
  return json::print(Expression::compile(text).value().evaluate(person()).value());
}

bool tested(std::string_view text) { return Expression::compile(text).value().test(person()).value(); }

std::string failure(std::string_view text) {
  const auto expression = Expression::compile(text);
  return expression ? "" : expression.error().code + " " + expression.error().where;
}

TEST(Expression, InsideATextGivesText) {
  EXPECT_EQ(evaluated("Hello {{ $.firstName }} {{ $.lastName }}"), R"("Hello John Doe")");
  EXPECT_EQ(evaluated("{{ $.age }} years"), R"("26 years")");
}

TEST(Expression, AloneKeepsTheTypeOfWhatItSelects) {
  EXPECT_EQ(evaluated("{{ $.age }}"), "26");
  EXPECT_EQ(evaluated("{{ $.phoneNumbers.length() }}"), "2");
  EXPECT_EQ(evaluated("{{$.flag}}"), "false");
}

TEST(Expression, BlanksAroundASingleOneDoNotCount) { EXPECT_EQ(evaluated(" {{ $.age }} \n"), "26"); }

TEST(Expression, GivesNullWhereItIsAloneAndLeadsNowhere) {
  EXPECT_EQ(evaluated("{{ $.missing }}"), "null");
  EXPECT_EQ(evaluated("{{ $.missing.deeper }}"), "null");
}

TEST(Expression, GivesAnEmptyArrayWhereAnIndefinitePathMatchesNothing) {
  EXPECT_EQ(evaluated("{{ $.missing[?(@.a)] }}"), "[]");
  EXPECT_EQ(evaluated("{{ $.phoneNumbers[?(@.type == 'fax')] }}"), "[]");
}

TEST(Expression, WritesNothingIntoATextForWhatIsMissing) { EXPECT_EQ(evaluated("a{{ $.missing }}b"), R"("ab")"); }

TEST(Expression, WritesObjectsIntoATextAsCompactJson) {
  EXPECT_EQ(evaluated("x {{ $.phoneNumbers[0] }}"), R"("x {\"type\":\"iPhone\",\"number\":\"0123-4567-8888\"}")");
}

TEST(Expression, IsNotClosedByBracesInsideQuotes) { EXPECT_EQ(evaluated("{{ $.odd['a}}b'] }}"), "1"); }

TEST(Expression, IsNotEvaluatedAgainWhereItCameOutOfTheData) {
  EXPECT_EQ(evaluated("{{ $.braces }}"), R"("{{ $.age }}")");
  EXPECT_EQ(evaluated("so {{ $.braces }}"), R"("so {{ $.age }}")");
}

TEST(Expression, IsTrueWhereAFilterMatches) {
  EXPECT_TRUE(tested("{{ $.[?(@.age  > 18)] }}"));
  EXPECT_FALSE(tested("{{ $.[?(@.age  < 18)] }}"));
}

TEST(Expression, IsFalseForFalseNullEmptyAndMissing) {
  EXPECT_FALSE(tested("{{ $.flag }}"));
  EXPECT_FALSE(tested("{{ $.nothing }}"));
  EXPECT_FALSE(tested("{{ $.empty }}"));
  EXPECT_FALSE(tested("{{ $.missing }}"));
  EXPECT_FALSE(tested("{{ $.missing[?(@.age >= 18)] }}"));
  EXPECT_TRUE(tested("{{ $.age }}"));
}

TEST(Expression, IgnoresAStrayQuoteBehindACondition) {
  EXPECT_TRUE(tested("{{ $.phoneNumbers[?(@.type == 'home')] }}'"));
  EXPECT_FALSE(tested("{{ $.phoneNumbers[?(@.type == 'fax')] }}'"));
}

TEST(Expression, SelectsNothingWhereTheWayEnds) {
  const auto selects = [](std::string_view text) {
    return Expression::compile(text).value().select(person()).value().has_value();
  };
  EXPECT_FALSE(selects("{{ $.missing }}"));
  EXPECT_FALSE(selects("{{ $.phoneNumbers[?(@.type == 'fax')] }}"));
  EXPECT_TRUE(selects("{{ $.empty }}"));
  EXPECT_TRUE(selects("{{ $.nothing }}"));
}

TEST(Expression, RefusesBracesThatAreNotClosed) { EXPECT_EQ(failure("ab {{ $.a"), "SW_EXPRESSION column 4"); }

TEST(Expression, RefusesWhatIsNoPath) { EXPECT_EQ(failure("{{ $.[ }}"), "SW_EXPRESSION column 3"); }

TEST(Expression, TakesAPathWithoutBracesOnlyWhereOneIsAskedFor) {
  EXPECT_TRUE(Expression::compile("$.age").value().is_literal());
  EXPECT_EQ(Expression::compile_path("$.age").value().evaluate(person()).value(), Value::integer(26));
}

TEST(Expression, HasTheLastNameOfItsPathAsKey) {
  EXPECT_EQ(Expression::compile("{{ $.payload.greeting }}").value().key(), "greeting");
  EXPECT_EQ(Expression::compile("a {{ $.payload.greeting }}").value().key(), "");
}

TEST(Template, EvaluatesStringsAtAnyDepth) {
  const Value source = json_of(R"({"a": ["{{ $.age }}", {"b": "I am {{ $.age }}"}], "c": 1, "d": "plain"})");
  EXPECT_EQ(json::print(Template::compile(source).value().evaluate(person()).value()),
            R"({"a":[26,{"b":"I am 26"}],"c":1,"d":"plain"})");
}

TEST(Template, SaysWhereAnExpressionIsWrong) {
  const auto compiled = Template::compile(json_of(R"({"a": [1, "{{ $.["]})"));
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().where, "/a/1");
}

TEST(IntegerField, TakesNumbersDigitsAndExpressions) {
  const auto number = [](std::string_view text) {
    return IntegerField::compile(json_of(text)).value().evaluate(person()).value();
  };
  EXPECT_EQ(number("3"), 3);
  EXPECT_EQ(number("\"3\""), 3);
  EXPECT_EQ(number("\"{{ $.age }}\""), 26);
}

TEST(IntegerField, RefusesWhatIsNoCount) {
  for (const std::string_view text : {"-1", "1.5", "\"x\"", "true", "\"-2\""})
    EXPECT_FALSE(IntegerField::compile(json_of(text))) << text;
  EXPECT_FALSE(IntegerField::compile(json_of("\"{{ $.firstName }}\"")).value().evaluate(person()));
}

}  // namespace
}  // namespace pawl::serverless
