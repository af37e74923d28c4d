// Regular expressions: what I-Regexp allows, and how both families match.
#include "expr/jsonpath/regex.h"

#include <gtest/gtest.h>

namespace pawl::jsonpath::internal {
namespace {

bool matches(const Result<Regex>& regex, std::string_view subject) {
  bool hard = false;
  return regex.value().match(subject, hard) == RegexOutcome::kMatch;
}

TEST(IRegexp, IsTranslatedForPcre) {
  EXPECT_EQ(translate_iregexp("a.b[.]\\.").value(), "a[^\\n\\r]b[.]\\.");
  EXPECT_EQ(translate_iregexp("(a|b){2,3}\\p{Lu}?").value(), "(?:a|b){2,3}\\p{Lu}?");
}

TEST(IRegexp, RefusesWhatOnlyOtherEnginesKnow) {
  for (const char* pattern : {"(",  ")",    "a**",      "*a", "a+?", "(?=a)",  "\\d",  "\\b", "[",   "[]", "[[a]]",
                              "a{", "a{x}", "a{99999}", "]",  "}",   "\\p{X}", "\\pL", "\\",  "a{1", "|*"})
    EXPECT_FALSE(translate_iregexp(pattern)) << pattern;
}

TEST(IRegexp, MatchesTheWholeOrAPart) {
  EXPECT_TRUE(matches(Regex::compile_iregexp("ж.", true), "жa"));
  EXPECT_FALSE(matches(Regex::compile_iregexp("b", true), "abc"));
  EXPECT_TRUE(matches(Regex::compile_iregexp("b", false), "abc"));
  EXPECT_FALSE(matches(Regex::compile_iregexp("a$", true), "a\n"));
}

TEST(JavaRegex, KnowsItsFlags) {
  EXPECT_TRUE(matches(Regex::compile_java("ab", "i"), "AB"));
  EXPECT_TRUE(matches(Regex::compile_java("a b", "x"), "ab"));
  EXPECT_TRUE(matches(Regex::compile_java("a.b", "s"), "a\nb"));
  EXPECT_TRUE(matches(Regex::compile_java("a.b", "d"), "a\rb"));
  EXPECT_FALSE(Regex::compile_java("a", "q"));
}

TEST(JavaRegex, RefusesAPatternThatIsTooLong) {
  EXPECT_FALSE(Regex::compile_java(std::string(kRegexPatternBytesMax + 1, 'a'), ""));
}

TEST(Regex, SaysWhereItNeedsTooMuchEffort) {
  bool hard = false;
  const auto regex = Regex::compile_java("(a+)+b", "");
  EXPECT_EQ(regex->match(std::string(60, 'a') + "!b", hard), RegexOutcome::kTooMuchEffort);
  EXPECT_TRUE(hard);
}

}  // namespace
}  // namespace pawl::jsonpath::internal
