// The bounds: what is too long, too deep or too much work ends with an error, soon.
#include "expr/jsonpath/limits.h"

#include <string>

#include <gtest/gtest.h>

#include "expr/jsonpath/path.h"
#include "expr/jsonpath/testing.h"

namespace pawl::jsonpath {
namespace {

using testing::answer;
using testing::code_of;

constexpr Dialect kBothGrammars[] = {Dialect::kAsl, Dialect::kRfc9535};

std::string repeat(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

// An array of `width` arrays of as many numbers.
Value square(int64_t width) {
  json::ArrayBuilder row;
  for (int64_t i = 0; i < width; ++i) row.push(Value::integer(i));
  const Value items = row.build();
  json::ArrayBuilder rows;
  for (int64_t i = 0; i < width; ++i) rows.push(items);
  return rows.build();
}

std::string answer_on(std::string_view path, const Value& document, Dialect dialect) {
  const auto result = Path::compile(path, dialect)->evaluate(document);
  return result ? "found " + std::to_string(result->size()) : result.error().code;
}

TEST(PathLimits, RefuseAPathOfAMegabyte) {
  for (const Dialect dialect : kBothGrammars)
    EXPECT_EQ(code_of("$." + std::string(1 << 20, 'a'), dialect), "JSONPATH_TOO_LONG");
}

TEST(PathLimits, RefuseTooManySteps) {
  for (const Dialect dialect : kBothGrammars) {
    EXPECT_EQ(code_of("$" + repeat(".a", kPathSegmentsMax), dialect), "accepted");
    EXPECT_EQ(code_of("$" + repeat(".a", kPathSegmentsMax + 1), dialect), "JSONPATH_TOO_DEEP");
  }
}

TEST(PathLimits, RefuseDeepFilters) {
  EXPECT_EQ(code_of("$" + repeat("[?(@", 16000)), "JSONPATH_TOO_DEEP");
  EXPECT_EQ(code_of("$[?(" + repeat("(", 60000)), "JSONPATH_TOO_DEEP");
  EXPECT_EQ(code_of("$[?(" + repeat("!", 60000)), "JSONPATH_TOO_DEEP");
  EXPECT_EQ(code_of("$[?(@ == " + repeat("[", 60000)), "JSONPATH_TOO_DEEP");
  EXPECT_EQ(code_of("$" + repeat(".sum($", 9000)), "JSONPATH_TOO_DEEP");
  EXPECT_EQ(code_of("$" + repeat("[?@", 16000), Dialect::kRfc9535), "JSONPATH_TOO_DEEP");
  EXPECT_EQ(code_of("$[?" + repeat("(", 60000), Dialect::kRfc9535), "JSONPATH_TOO_DEEP");
  EXPECT_EQ(code_of("$[?" + repeat("length(", 9000), Dialect::kRfc9535), "JSONPATH_TOO_DEEP");
}

TEST(PathLimits, TakeLongChainsOfConditions) {
  EXPECT_EQ(answer("$[?(@ == 0" + repeat(" || @ == 1", 5000) + ")]", "[0,1,2]"), "[0,1]");
}

TEST(EvaluationLimits, EndAnExplosion) {
  const Value document = square(300);
  for (const Dialect dialect : kBothGrammars) {
    EXPECT_EQ(answer_on("$..*", document, dialect), "found 90300");
    EXPECT_EQ(answer_on("$[*][*]" + repeat("..*", 3), document, dialect), "found 0");
    EXPECT_EQ(answer_on("$[" + repeat("0,", 9999) + "0][" + repeat("0,", 9999) + "0]", document, dialect),
              "JSONPATH_LIMIT");
  }
  EXPECT_EQ(answer_on("$[?(@ anyof $[*])]", square(1200), Dialect::kAsl), "JSONPATH_LIMIT");
  EXPECT_EQ(answer_on("$[*][?(@ in $..*)]", document, Dialect::kAsl), "JSONPATH_LIMIT");
}

TEST(EvaluationLimits, EndDescentsOverDescents) {
  Value nested = Value::integer(1);
  for (int i = 0; i < 60; ++i) {
    json::ArrayBuilder both;
    both.push(nested);
    both.push(Value::integer(i));
    nested = both.build();
  }
  json::ArrayBuilder many;
  for (int i = 0; i < 1000; ++i) many.push(nested);
  EXPECT_EQ(answer_on("$..*..*..*", many.build(), Dialect::kAsl), "JSONPATH_LIMIT");
}

TEST(EvaluationLimits, EndARegularExpressionThatBacktracks) {
  const std::string document = "[\"" + std::string(60, 'a') + "!b\"]";
  EXPECT_EQ(answer("$[?(@ =~ /(a+)+b/)]", document), "JSONPATH_LIMIT");
  EXPECT_EQ(answer("$[?match(@, '(a+)+b')]", document, Dialect::kRfc9535), "JSONPATH_LIMIT");
}

TEST(EvaluationLimits, TakeRegularExpressionsOnLongTexts) {
  const std::string document = "[\"" + std::string(200000, 'a') + "b\"]";
  EXPECT_EQ(answer("$[?(@ =~ /.*b/)].length()", document), "[null]");
}

TEST(EvaluationLimits, TakeAnyDepthOfTheDocument) {
  Value nested = Value::integer(1);
  for (int i = 0; i < 5000; ++i) {
    json::ObjectBuilder object;
    object.set("a", nested);
    nested = object.build();
  }
  EXPECT_EQ(answer_on("$..a", nested, Dialect::kAsl), "found 5000");
  EXPECT_EQ(answer_on("$..[?@.a]", nested, Dialect::kRfc9535), "found 4999");
}

}  // namespace
}  // namespace pawl::jsonpath
