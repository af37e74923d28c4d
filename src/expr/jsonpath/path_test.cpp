// Steps of paths: what they find, what they say where they find nothing, and where the dialects differ.
#include "expr/jsonpath/path.h"

#include <gtest/gtest.h>

#include "expr/jsonpath/testing.h"

namespace pawl::jsonpath {
namespace {

using testing::answer;
using testing::code_of;
using testing::column_of;
using testing::json_of;
using testing::sentence;

constexpr Dialect kAllDialects[] = {Dialect::kAsl, Dialect::kJayway, Dialect::kServerless, Dialect::kRfc9535};

TEST(DefinitePath, GivesTheValueItself) {
  EXPECT_EQ(answer("$", R"({"a":1})"), R"({"a":1})");
  EXPECT_EQ(answer("$.a.b", R"({"a":{"b":[1]}})"), "[1]");
  EXPECT_EQ(answer("$['a']['b']", R"({"a":{"b":null}})"), "null");
  EXPECT_EQ(answer("$.a[1].b", R"({"a":[0,{"b":2}]})"), "2");
  EXPECT_EQ(answer("$[-1]", "[1,2,3]"), "3");
}

TEST(DefinitePath, IsSharedWithTheDocument) {
  const Value document = json_of(R"({"a":{"b":["a text that is longer than what fits inline"]}})");
  const Path path = Path::compile("$.a.b", Dialect::kAsl).value();
  EXPECT_TRUE(path.evaluate(document)->same_node(*document.find("a")->find("b")));
  EXPECT_EQ(path.find(document), document.find("a")->find("b"));
  EXPECT_EQ(Path::compile("$", Dialect::kAsl)->find(document), &document);
}

TEST(DefinitePath, FindsNullWhereItLeadsNowhere) {
  const Value document = json_of(R"({"a":[1]})");
  EXPECT_EQ(Path::compile("$.b", Dialect::kAsl)->find(document), nullptr);
  EXPECT_EQ(Path::compile("$.a[1]", Dialect::kAsl)->find(document), nullptr);
  EXPECT_EQ(Path::compile("$.a.b", Dialect::kAsl)->find(document), nullptr);
  EXPECT_EQ(Path::compile("$[0]", Dialect::kAsl)->find(document), nullptr);
}

TEST(DefinitePath, SaysWhatJaywaySaysWhereAMemberIsMissing) {
  EXPECT_EQ(answer("$.X", "{}"), "JSONPATH_NO_MATCH");
  EXPECT_EQ(sentence("$.X", "{}"), "No results for path: $['X']");
  EXPECT_EQ(sentence("$.a.X", R"({"a":{}})"), "No results for path: $['a']['X']");
  EXPECT_EQ(sentence("$.no.such", "{}"), "Missing property in path $['no']");
  EXPECT_EQ(sentence("$.a[3]", R"({"a":[]})"), "No results for path: $['a'][3]");
  EXPECT_EQ(sentence("$.a[3].b", R"({"a":[]})"), "No results for path: $['a'][3]['b']");
  EXPECT_EQ(sentence("$.a[0]", R"({"a":null})"), "The path $['a'] is null");
}

TEST(DefinitePath, TakesNamesWithHyphensAndOtherLetters) {
  EXPECT_EQ(answer("$.foo-bar", R"({"foo-bar":1})"), "1");
  EXPECT_EQ(answer("$.&Ж中.x", R"({"&Ж中":{"x":2}})"), "2");
  EXPECT_EQ(answer("$.$", R"({"$":3})"), "3");
}

TEST(AslNames, MayBeEscapedAfterADot) {
  EXPECT_EQ(answer(R"($.store\.book)", R"({"store.book":1})"), "1");
  EXPECT_EQ(answer(R"($.foo\@bar.baz\[\[.\?pretty)", R"({"foo@bar":{"baz[[":{"?pretty":2}}})"), "2");
}

TEST(AslNames, KeepTheirEscapesInBracketsAsAwsDoes) {
  EXPECT_EQ(answer(R"($['Test\""Name"'])", R"({"Test\\\"\"Name\"":"kept"})"), R"("kept")");
  EXPECT_EQ(answer(R"($['it\'s'])", R"({"it's":1})"), "1");
  EXPECT_EQ(answer(R"($['a\\b'])", R"({"a\\b":"one","a\\\\b":"two"})"), R"("two")");
}

TEST(JaywayNames, UndoTheirEscapesInBrackets) {
  EXPECT_EQ(answer(R"($['Test\"'])", R"({"Test\"":1})", Dialect::kJayway), "1");
  EXPECT_EQ(answer(R"($['\u00e9\n'])", R"({"é\n":1})", Dialect::kJayway), "1");
  EXPECT_EQ(answer(R"($['\ud83d\ude00'])", R"({"😀":1})", Dialect::kJayway), "1");
  EXPECT_EQ(code_of(R"($['\ud83d'])", Dialect::kJayway), "JSONPATH_SYNTAX");
}

TEST(IndefinitePath, AlwaysGivesAnArray) {
  EXPECT_EQ(answer("$.a[*]", R"({"a":[7]})"), "[7]");
  EXPECT_EQ(answer("$.a[0,2]", R"({"a":[7,8,9]})"), "[7,9]");
  EXPECT_EQ(answer("$.a[1:]", R"({"a":[7,8,9]})"), "[8,9]");
  EXPECT_EQ(answer("$.a[:1]", R"({"a":[7,8,9]})"), "[7]");
  EXPECT_EQ(answer("$.users[?(@.status == 0)]", R"({"users":[{"status":0},{"status":1}]})"), R"([{"status":0}])");
  EXPECT_EQ(answer("$.*", R"({"a":1,"b":[2]})"), "[1,[2]]");
}

TEST(IndefinitePath, DescendsInTheOrderOfTheDocument) {
  EXPECT_EQ(answer("$..a", R"({"a":1,"b":[{"a":2},{"c":{"a":{"a":3}}}]})"), R"([1,2,{"a":3},3])");
  EXPECT_EQ(answer("$.d..a", R"({"d":{"x":{"a":[1,2]}}})"), "[[1,2]]");
  EXPECT_EQ(answer("$.d..a[*]", R"({"d":{"x":{"a":[1,2]}}})"), "[1,2]");
  EXPECT_EQ(answer("$..[0]", R"([[1,2],[3]])"), "[[1,2],1,3]");
}

TEST(IndefinitePath, GivesAnEmptyArrayInAslEvenWhereAParentIsMissing) {
  EXPECT_EQ(answer("$[*]", "{}"), "[]");
  EXPECT_EQ(answer("$.item.items[1:5].v", "{}"), "[]");
  EXPECT_EQ(answer("$.item.items[*]", "{}"), "[]");
  EXPECT_EQ(answer("$.a[?(@.b)]", R"({"a":1})"), "[]");
  EXPECT_EQ(answer("$.a[1:]", R"({"a":null})"), "[]");
}

TEST(IndefinitePath, IsAnErrorInJaywayWhereAParentIsMissing) {
  EXPECT_EQ(sentence("$.item.items[*]", "{}", Dialect::kJayway), "Missing property in path $['item']");
  EXPECT_EQ(answer("$.a[*].b.c", R"({"a":[{},{"b":{"c":1}}]})", Dialect::kJayway), "[1]");
}

TEST(IndefinitePath, IsEmptyInRfc9535WhereAParentIsMissing) {
  EXPECT_EQ(answer("$.item.items[*]", "{}", Dialect::kRfc9535), "[]");
}

TEST(UnionOfNames, IsOneObjectInJaywayAndTwoNodesInRfc9535) {
  EXPECT_EQ(answer("$['a','c']", R"({"a":1,"b":2,"c":3})"), R"({"a":1,"c":3})");
  EXPECT_EQ(answer("$['a','b'].x", R"({"a":{"x":1},"b":{"x":2}})"), "[1,2]");
  EXPECT_EQ(answer("$['a','c']", R"({"a":1,"b":2,"c":3})", Dialect::kRfc9535), "[1,3]");
}

TEST(Slice, WrapsInJaywayAndStepsInRfc9535) {
  EXPECT_EQ(answer("$[-2:1]", "[1,2,3]", Dialect::kJayway), "[2,3,1]");
  EXPECT_EQ(answer("$[0:3:2]", "[1,2,3]", Dialect::kJayway), "[1,2,3]");
  EXPECT_EQ(answer("$[::-1]", "[1,2,3]", Dialect::kRfc9535), "[3,2,1]");
  EXPECT_EQ(answer("$[0:3:2]", "[1,2,3]", Dialect::kRfc9535), "[1,3]");
  EXPECT_EQ(answer("$[-2147483648:2147483647]", "[1]", Dialect::kJayway), "[1,1]");
}

TEST(LastElementScript, IsTakenInAslOnly) {
  EXPECT_EQ(answer("$.a[(@.length-1)]", R"({"a":[1,2,3]})"), "3");
  EXPECT_EQ(answer("$[(@.length() - 2)]", "[1,2,3]"), "2");
  EXPECT_EQ(code_of("$[(@.length-1)]", Dialect::kJayway), "JSONPATH_SYNTAX");
  EXPECT_EQ(code_of("$[(@.length+1)]"), "JSONPATH_SYNTAX");
  EXPECT_EQ(code_of("$[(@.length-0)]"), "JSONPATH_SYNTAX");
}

TEST(Root, MayBeLeftOutInJaywayOnly) {
  EXPECT_EQ(answer("a.b", R"({"a":{"b":1}})", Dialect::kJayway), "1");
  EXPECT_EQ(answer("@.a", R"({"a":1})", Dialect::kServerless), "1");
  EXPECT_EQ(code_of("a.b"), "JSONPATH_SYNTAX");
  EXPECT_EQ(code_of("@.a"), "JSONPATH_SYNTAX");
  EXPECT_EQ(code_of("a", Dialect::kRfc9535), "JSONPATH_SYNTAX");
}

TEST(Nodes, AreEveryMatchInOrder) {
  const Value document = json_of(R"({"a":[1,2]})");
  EXPECT_EQ(Path::compile("$.a[*]", Dialect::kRfc9535)->nodes(document)->size(), 2U);
  EXPECT_EQ(Path::compile("$.b", Dialect::kRfc9535)->nodes(document)->size(), 0U);
  EXPECT_EQ(Path::compile("$.b", Dialect::kAsl)->nodes(document)->size(), 0U);
}

TEST(CompilePath, RefusesWhatIsNoPath) {
  for (const Dialect dialect : kAllDialects) {
    for (const char* text : {"",
                             " ",
                             "$.",
                             "$..",
                             "$[",
                             "$[]",
                             "$['a",
                             "$['a'",
                             "$[0",
                             "$[?",
                             "$[?(",
                             "$[?()]",
                             "$...a",
                             "$.a.",
                             "$[abc]",
                             "$['a''b']",
                             "$[1 2]",
                             "$[?(@.a ==)]",
                             "$[?(@.a = 1)]",
                             "$[,]",
                             "$x",
                             "$['a',]",
                             "$[99999999999999999999]",
                             "$[?(@.a == 'x)]",
                             "$[?((@.a)]",
                             "$[?(@.a))]",
                             "\xff",
                             "$.\xc0\xaf"})
      EXPECT_EQ(code_of(text, dialect), "JSONPATH_SYNTAX") << text << " in dialect " << static_cast<int>(dialect);
  }
}

TEST(CompilePath, NamesTheColumnInCharacters) {
  EXPECT_EQ(column_of("$.a b"), "column 4");
  EXPECT_EQ(column_of("$.ж.[x]"), "column 5");
  EXPECT_EQ(column_of("a b", Dialect::kJayway), "column 2");
  EXPECT_EQ(column_of("$[?@.a == 'x]", Dialect::kRfc9535), "column 11");
}

TEST(CompilePath, KeepsItsTextAndSaysWhetherItIsDefinite) {
  const auto definite = [](std::string_view text) { return Path::compile(text, Dialect::kAsl)->is_definite(); };
  EXPECT_EQ(Path::compile("$.a[0]", Dialect::kAsl)->text(), "$.a[0]");
  EXPECT_TRUE(definite("$"));
  EXPECT_TRUE(definite("$.a[0]['b']"));
  EXPECT_TRUE(definite("$.a.length()"));
  EXPECT_TRUE(definite("$['a','b']"));
  EXPECT_FALSE(definite("$['a','b'].c"));
  EXPECT_FALSE(definite("$.a[*]"));
  EXPECT_FALSE(definite("$.a[0:1]"));
  EXPECT_FALSE(definite("$..a"));
  EXPECT_FALSE(definite("$[?(@.a)]"));
  EXPECT_FALSE(Path::compile("$.length()", Dialect::kAsl)->is_singular());
}

TEST(PathNames, TheLastNameStandsOutsideOfFiltersAndIndices) {
  const auto last_name = [](std::string_view text) {
    const Path path = Path::compile(text, Dialect::kServerless).value();
    return std::string(path.last_name());
  };
  EXPECT_EQ(last_name("$.payload.greeting"), "greeting");
  EXPECT_EQ(last_name("$.orders[?(@.total > 5)]"), "orders");
  EXPECT_EQ(last_name("$.errors[0]"), "errors");
  EXPECT_EQ(last_name("$"), "");
  EXPECT_EQ(last_name("$[?(@.a)]"), "");
}

TEST(PathNames, OnlyAPathOfNamesHasNames) {
  const auto names = [](std::string_view text) { return Path::compile(text, Dialect::kServerless).value().names(); };
  EXPECT_EQ(names("$.a['b c']"), (std::vector<std::string>{"a", "b c"}));
  EXPECT_TRUE(names("$").empty());
  EXPECT_TRUE(names("$.a[0]").empty());
  EXPECT_TRUE(names("$.a.*").empty());
}

}  // namespace
}  // namespace pawl::jsonpath
