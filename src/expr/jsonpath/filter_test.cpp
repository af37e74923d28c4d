// Filters: Jayway's operators, RFC 9535's, and where they answer differently.
#include <gtest/gtest.h>

#include "expr/jsonpath/path.h"
#include "expr/jsonpath/testing.h"

namespace pawl::jsonpath {
namespace {

using testing::answer;
using testing::code_of;

// What a Jayway filter keeps of an array.
std::string kept(const std::string& filter, std::string_view array) { return answer("$[?(" + filter + ")]", array); }

std::string kept_rfc(const std::string& filter, std::string_view array) {
  return answer("$[?" + filter + "]", array, Dialect::kRfc9535);
}

TEST(JaywayFilter, ComparesNumbersAndStrings) {
  EXPECT_EQ(kept("@ > 1", "[1,2,3]"), "[2,3]");
  EXPECT_EQ(kept("@ >= 2", "[1,2,3]"), "[2,3]");
  EXPECT_EQ(kept("@ < 2", "[1,2,3]"), "[1]");
  EXPECT_EQ(kept("@ <= 2", "[1,2,3]"), "[1,2]");
  EXPECT_EQ(kept("@ > 'a'", R"(["a","b",5])"), R"(["b"])");
  EXPECT_EQ(kept("@.a==1&&@.b==2||@.c", R"([{"a":1,"b":2},{"a":1},{"c":0}])"), R"([{"a":1,"b":2},{"c":0}])");
}

TEST(JaywayFilter, TakesANumberForAStringThatReadsAsIt) {
  EXPECT_EQ(kept("@ == 1", R"([1,1.0,"1","01","1.0"])"), R"([1,1.0,"1"])");
  EXPECT_EQ(kept("@ == '1'", R"([1,"1",2])"), R"([1,"1"])");
  EXPECT_EQ(kept("@ === 1", R"([1,"1"])"), "[1]");
  EXPECT_EQ(kept("@ !== 1", R"([1,"1"])"), R"(["1"])");
}

TEST(JaywayFilter, HoldsAMissingPathEqualToNothing) {
  EXPECT_EQ(kept("@.a == null", R"([{"a":null},{}])"), R"([{"a":null}])");
  EXPECT_EQ(kept("@.a != 1", R"([{"a":1},{}])"), "[{}]");
  EXPECT_EQ(kept("@.a == @.b", R"([{},{"a":1,"b":1}])"), R"([{"a":1,"b":1}])");
}

TEST(JaywayFilter, AsksWhetherAPathExists) {
  EXPECT_EQ(kept("@.keep", R"([{"keep":false},{"keep":null},{}])"), R"([{"keep":false},{"keep":null}])");
  EXPECT_EQ(kept("!@.keep", R"([{"keep":false},{}])"), "[{}]");
  EXPECT_EQ(kept("!(@.a == 1)", R"([{"a":1},{"a":2}])"), R"([{"a":2}])");
  EXPECT_EQ(kept("@.a[*].b", R"([{"a":[{"b":1}]},{"a":[{}]},{}])"), R"([{"a":[{"b":1}]}])");
}

TEST(ServerlessFilter, LeavesOutFalse) {
  constexpr std::string_view document = R"([{"keep":false},{"keep":null},{"keep":true},{}])";
  EXPECT_EQ(answer("$[?(@.keep)]", document, Dialect::kServerless), R"([{"keep":null},{"keep":true}])");
  EXPECT_EQ(answer("$[?(!@.keep)]", document, Dialect::kServerless), R"([{"keep":false},{}])");
  EXPECT_EQ(answer("$.[?(@.keep == false)]", document, Dialect::kServerless), R"([{"keep":false}])");
}

TEST(JaywayFilter, LooksIntoLists) {
  EXPECT_EQ(kept("@ in ['S','L']", R"(["S","M","L"])"), R"(["S","L"])");
  EXPECT_EQ(kept("@ nin [1, 2]", "[1,2,3]"), "[3]");
  EXPECT_EQ(kept("2 in @.d", R"([{"d":[1,2]},{"d":[3]}])"), R"([{"d":[1,2]}])");
  EXPECT_EQ(kept("@ subsetof [1,2,3]", "[[1,2],[1,4],[]]"), "[[1,2],[]]");
  EXPECT_EQ(kept("@ anyof [1,2]", "[[1,9],[8,9]]"), "[[1,9]]");
  EXPECT_EQ(kept("@ noneof [1,2]", "[[1,9],[8,9]]"), "[[8,9]]");
  EXPECT_EQ(kept("@ all [1,2]", "[[1,2,3],[1,3]]"), "[[1,2,3]]");
  EXPECT_EQ(kept("@ contains 'b'", R"(["abc","xyz",["b"],["c"]])"), R"(["abc",["b"]])");
}

TEST(JaywayFilter, LeavesOutWhatAnOperatorCannotWorkWith) {
  EXPECT_EQ(kept("!(@ subsetof [1])", R"([7,"a",[2]])"), "[[2]]");
  EXPECT_EQ(kept("1 in @.missing || 1 == 1", "[{}]"), "[]");
}

TEST(JaywayFilter, MeasuresSizes) {
  EXPECT_EQ(kept("@ size 2", R"([[1,2],[1],"ab","😀",{"a":1,"b":2}])"), R"([[1,2],"ab","😀"])");
  EXPECT_EQ(kept("@ empty true", R"([[],{},"",[0],7])"), R"([[],{},""])");
  EXPECT_EQ(kept("@ empty false", R"([[],[0],"x"])"), R"([[0],"x"])");
  EXPECT_EQ(kept("@.length() > 1", "[[1,2],[3]]"), "[[1,2]]");
}

TEST(JaywayFilter, MatchesWholeTextsByRegularExpressions) {
  EXPECT_EQ(kept("@ =~ /x.*/", R"(["x-y","axy"])"), R"(["x-y"])");
  EXPECT_EQ(kept("@ =~ /AB.*/i", R"(["abc","ABC"])"), R"(["abc","ABC"])");
  EXPECT_EQ(kept(R"(@ =~ /a\/b/)", R"(["a/b"])"), R"(["a/b"])");
  EXPECT_EQ(kept("@ =~ /4./", R"([42,"43",5])"), R"([42,"43"])");
  EXPECT_EQ(kept("@.tags =~ /x.*/", R"([{"tags":["a","xb"]},{"tags":["a"]}])"), R"([{"tags":["a","xb"]}])");
  EXPECT_EQ(kept("@ =~ /a.b/s", R"(["a\nb"])"), R"(["a\nb"])");
  EXPECT_EQ(kept("@ =~ /a.b/", R"(["a\nb","a\rb","aжb"])"), R"(["aжb"])");
}

TEST(JaywayFilter, RefusesABadPatternOrFlag) {
  EXPECT_EQ(code_of("$[?(@ =~ /(/)]"), "JSONPATH_SYNTAX");
  EXPECT_EQ(code_of("$[?(@ =~ /a/q)]"), "JSONPATH_SYNTAX");
  EXPECT_EQ(code_of("$[?(@ =~ /a)]"), "JSONPATH_SYNTAX");
  EXPECT_EQ(code_of("$[?(@ =~ /\\)]"), "JSONPATH_SYNTAX");
}

TEST(JaywayFilter, ReadsJsonLiterals) {
  EXPECT_EQ(kept("@ == [1,'a',{\"k\": null}]", R"([[1,"a",{"k":null}],[1]])"), R"([[1,"a",{"k":null}]])");
  EXPECT_EQ(kept("@ == true", "[true,false]"), "[true]");
  EXPECT_EQ(kept("@ == -1.5e1", "[-15]"), "[-15]");
  EXPECT_EQ(kept(R"(@ == 'it\'s')", R"(["it's"])"), R"(["it's"])");
}

TEST(JaywayFilter, ComparesWithTheRootAndWithinSubfilters) {
  EXPECT_EQ(answer("$.a[?(@.p <= $.max)]", R"({"a":[{"p":1},{"p":9}],"max":5})"), R"([{"p":1}])");
  EXPECT_EQ(answer("$[?(@.a[?(@.p > 5)] empty false)].n", R"([{"n":1,"a":[{"p":9}]},{"n":2,"a":[{"p":1}]}])"), "[1]");
}

TEST(JaywayFilter, TestsAnObjectItselfWhereRfc9535TestsItsMembers) {
  constexpr std::string_view document = R"({"age":26,"child":{"age":3}})";
  EXPECT_EQ(answer("$[?(@.age > 18)]", document), R"([{"age":26,"child":{"age":3}}])");
  EXPECT_EQ(answer("$[?(@.age < 18)]", document, Dialect::kRfc9535), R"([{"age":3}])");
}

TEST(RfcFilter, KeepsTypesApart) {
  EXPECT_EQ(kept_rfc("@ == 1", R"([1,1.0,"1"])"), "[1,1.0]");
  EXPECT_EQ(kept_rfc("@.a == @.b", R"([{},{"a":1}])"), "[{}]");
  EXPECT_EQ(kept_rfc("@.a <= @.b", R"([{},{"a":1}])"), "[{}]");
  EXPECT_EQ(kept_rfc("@ < true", "[false]"), "[]");
}

TEST(RfcFilter, HasItsFunctions) {
  EXPECT_EQ(kept_rfc("length(@) == 2", R"(["жж",[1,2],{"a":1,"b":2},7])"), R"(["жж",[1,2],{"a":1,"b":2}])");
  EXPECT_EQ(kept_rfc("count(@.*) > 1", "[[1,2],[1]]"), "[[1,2]]");
  EXPECT_EQ(kept_rfc("value(@..a) == 1", R"([{"a":1},{"a":1,"b":{"a":1}}])"), R"([{"a":1}])");
  EXPECT_EQ(kept_rfc("match(@, 'a.c')", R"(["abc","xabc","a\nc"])"), R"(["abc"])");
  EXPECT_EQ(kept_rfc("search(@, 'b')", R"(["abc","xyz"])"), R"(["abc"])");
}

TEST(RfcFilter, ChecksTypesWhenItIsCompiled) {
  for (const char* text :
       {"$[?length(@)]", "$[?count(1) == 1]", "$[?match(@.a, 'x') == true]", "$[?@.* == 1]", "$[?1]", "$[?!1 == 1]",
        "$[?length(@.*) == 1]", "$[?nosuch(@)]", "$[?match(@)]", "$[?true]", "$[?@.a === 1]"})
    EXPECT_EQ(code_of(text, Dialect::kRfc9535), "JSONPATH_SYNTAX") << text;
}

TEST(RfcFilter, FindsNothingByAPatternThatIsNoIRegexp) {
  EXPECT_EQ(kept_rfc("match(@, 'a(?=b).*')", R"(["ab"])"), "[]");
  EXPECT_EQ(kept_rfc("search(@, '\\\\d')", R"(["7"])"), "[]");
  EXPECT_EQ(answer("$.v[?match(@, $.p)]", R"({"v":["a","("],"p":"("})", Dialect::kRfc9535), "[]");
}

}  // namespace
}  // namespace pawl::jsonpath
