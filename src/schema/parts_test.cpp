// What the evaluator is made of: URIs, numbers and patterns.
#include <gtest/gtest.h>

#include "json/parse.h"
#include "schema/numbers.h"
#include "schema/pattern.h"
#include "schema/uri.h"

namespace pawl::schema::internal {
namespace {

json::Value number(std::string_view text) { return json::parse(text).value(); }

TEST(ResolveUri, FollowsTheExamplesOfRfc3986) {
  constexpr std::pair<const char*, const char*> kExamples[] = {
      {"g:h", "g:h"},
      {"g", "http://a/b/c/g"},
      {"./g", "http://a/b/c/g"},
      {"g/", "http://a/b/c/g/"},
      {"/g", "http://a/g"},
      {"//g", "http://g"},
      {"?y", "http://a/b/c/d;p?y"},
      {"g?y", "http://a/b/c/g?y"},
      {"#s", "http://a/b/c/d;p?q#s"},
      {"g#s", "http://a/b/c/g#s"},
      {";x", "http://a/b/c/;x"},
      {"", "http://a/b/c/d;p?q"},
      {".", "http://a/b/c/"},
      {"..", "http://a/b/"},
      {"../g", "http://a/b/g"},
      {"../..", "http://a/"},
      {"../../../g", "http://a/g"},
      {"/./g", "http://a/g"},
      {"/../g", "http://a/g"},
      {"g.", "http://a/b/c/g."},
      {"..g", "http://a/b/c/..g"},
      {"./../g", "http://a/b/g"},
      {"g/./h", "http://a/b/c/g/h"},
      {"g/../h", "http://a/b/c/h"},
      {"g;x=1/../y", "http://a/b/c/y"},
  };
  for (const auto& [reference, resolved] : kExamples)
    EXPECT_EQ(resolve_uri("http://a/b/c/d;p?q", reference), resolved) << reference;
}

TEST(ResolveUri, StartsFromAnyBase) {
  EXPECT_EQ(resolve_uri("", "a.json#/b"), "a.json#/b");
  EXPECT_EQ(resolve_uri("dir/a.json", "b.json"), "dir/b.json");
  EXPECT_EQ(resolve_uri("urn:x:y", "#/a"), "urn:x:y#/a");
  EXPECT_EQ(resolve_uri("http://a", "b"), "http://a/b");
  EXPECT_EQ(resolve_uri("http://a/b#c", "#d"), "http://a/b#d");
  EXPECT_EQ(resolve_uri("file:///dir/a.json", "b.json"), "file:///dir/b.json");
}

TEST(IsIntegral, LooksAtTheValueAndNotAtTheSpelling) {
  for (const char* text : {"0", "-0", "1.0", "1e3", "1.50e1", "12345678901234567890123", "1e400",
                           "-9223372036854775809", "100000000000000000000.0"})
    EXPECT_TRUE(is_integral(number(text))) << text;
  for (const char* text : {"0.5", "1e-1", "1.00000000000000001", "-2.5e0"})
    EXPECT_FALSE(is_integral(number(text))) << text;
}

TEST(IsMultiple, IsExactForDecimalFractions) {
  const auto is = [](const char* a, const char* b) { return is_multiple(number(a), number(b)); };
  EXPECT_TRUE(is("0.0075", "0.0001"));
  EXPECT_FALSE(is("0.00751", "0.0001"));
  EXPECT_TRUE(is("4.02", "0.01"));
  EXPECT_TRUE(is("1e308", "0.5"));
  EXPECT_TRUE(is("12391239123", "1e-8"));
  EXPECT_TRUE(is("0", "0.7"));
  EXPECT_TRUE(is("-4.5", "1.5"));
  EXPECT_FALSE(is("35", "1.5"));
  EXPECT_FALSE(is("15", "50"));
  EXPECT_FALSE(is("1e900000000000", "3e-900000000000"));
  EXPECT_TRUE(is("3e900000000000", "3e-900000000000"));
  EXPECT_FALSE(is("123456789012345678901234567891", "10"));
  EXPECT_TRUE(is("123456789012345678901234567890", "10"));
}

bool found(std::string_view pattern, std::string_view text) {
  const auto compiled = Pattern::compile(pattern);
  EXPECT_TRUE(compiled) << pattern;
  return compiled && compiled->search(text) == PatternOutcome::kMatch;
}

TEST(Pattern, ReadsWhatJavaScriptWrites) {
  EXPECT_TRUE(found("\\u0041\\u{42}", "xABx"));
  EXPECT_TRUE(found("^\\uD83D\\uDC32*$", "\U0001F432\U0001F432"));
  EXPECT_TRUE(found("^[\\u00e4-\\u00fc]$", "ö"));
  EXPECT_TRUE(found("^\\p{Letter}\\p{Lu}\\P{Decimal_Number}\\p{Script=Greek}$", "äÄxπ"));
  EXPECT_TRUE(found("^\\/\\cJ$", "/\n"));
  EXPECT_FALSE(found("^\\d$", "߀"));  // a digit of N'Ko is none of ASCII's
  EXPECT_FALSE(found("^a$", "a\n"));
  EXPECT_TRUE(found("[^]", "\n"));
  EXPECT_FALSE(found("[]", "a"));
  EXPECT_TRUE(found("^(?<year>\\d{4})-(?!00)", "2020-01"));
}

TEST(Pattern, RefusesWhatIsNone) {
  for (const char* text : {"(", "[a", "a{2,1}", "\\u12", "\\p{Nothing}", "\\uD83D", "(?<n>a)(?<n>b)"})
    EXPECT_EQ(Pattern::compile(text).error().code, "SCHEMA_INVALID") << text;
  EXPECT_FALSE(Pattern::compile(std::string(kPatternBytesMax + 1, 'a')));
}

TEST(Pattern, StopsWhereItTakesTooLong) {
  const Pattern pattern = Pattern::compile("^(a+)+$").value();
  EXPECT_EQ(pattern.search(std::string(60, 'a') + "b"), PatternOutcome::kTooMuchEffort);
}

}  // namespace
}  // namespace pawl::schema::internal
