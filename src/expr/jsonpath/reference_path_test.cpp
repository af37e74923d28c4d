// Reference Paths: the specification's list, what is refused, and writing.
#include "expr/jsonpath/reference_path.h"

#include <gtest/gtest.h>

#include "expr/jsonpath/testing.h"

namespace pawl::jsonpath {
namespace {

using testing::json_of;

std::string canonical(std::string_view text) {
  const auto path = ReferencePath::compile(text);
  return path ? path->canonical() : path.error().code;
}

std::string inserted(std::string_view path, std::string_view document, std::string_view value) {
  const auto result = ReferencePath::compile(path)->insert(json_of(document), json_of(value));
  return result ? json::print(*result) : result.error().code;
}

TEST(ReferencePath, TakesTheSpecificationsList) {
  EXPECT_EQ(canonical("$"), "$");
  EXPECT_EQ(canonical("$.store.book"), "$['store']['book']");
  EXPECT_EQ(canonical(R"($.store\.book)"), "$['store.book']");
  EXPECT_EQ(canonical(R"($.\stor\e.boo\k)"), "$['store']['book']");
  EXPECT_EQ(canonical("$.store.book.title"), "$['store']['book']['title']");
  EXPECT_EQ(canonical(R"($.foo.\.bar)"), "$['foo']['.bar']");
  EXPECT_EQ(canonical(R"($.foo\@bar.baz\[\[.\?pretty)"), "$['foo@bar']['baz[[']['?pretty']");
  EXPECT_EQ(canonical("$.&Ж中.\U00010346"), "$['&Ж中']['\U00010346']");
  EXPECT_EQ(canonical(R"($.&Ж中.\uD800\uDF46)"), "$['&Ж中']['\U00010346']");
  EXPECT_EQ(canonical("$.ledgers.branch[0].pending.count"), "$['ledgers']['branch'][0]['pending']['count']");
  EXPECT_EQ(canonical("$.ledgers.branch[0]"), "$['ledgers']['branch'][0]");
  EXPECT_EQ(canonical("$.ledgers[0][22][315].foo"), "$['ledgers'][0][22][315]['foo']");
  EXPECT_EQ(canonical("$['store']['book']"), "$['store']['book']");
  EXPECT_EQ(canonical("$['store'][0]['book']"), "$['store'][0]['book']");
}

TEST(ReferencePath, TakesHyphensAndQuotedOperators) {
  EXPECT_EQ(canonical("$.foo-bar"), "$['foo-bar']");
  EXPECT_EQ(canonical("$['a:b,c']"), "$['a:b,c']");
  EXPECT_EQ(canonical(R"($["a"])"), "$['a']");
}

TEST(ReferencePath, RefusesWhatNamesMoreThanOnePlace) {
  for (const char* text : {"",       "store",  "$.",         "$..a",         "$.a..b",  "$.*",         "$.a[*]",
                           "$[0,1]", "$[0:1]", "$['a','b']", "$[?(@.a)]",    "$.a@b",   "$.a,b",       "$.a:b",
                           "$.a?b",  "$.a*b",  "$.a b",      "$.a.length()", "$[-1]",   "$$",          "$$.a",
                           "$a",     "$[",     "$[0",        "$['a",         R"($.a\)", R"($.\uD800)", "$[9999999999]",
                           "\xff"})
    EXPECT_EQ(canonical(text), "REFERENCE_PATH_SYNTAX") << text;
}

TEST(ReferencePath, NamesTheColumnOfItsMistake) {
  EXPECT_EQ(ReferencePath::compile("$.ab*").error().where, "column 5");
}

TEST(ReferencePath, HasBounds) {
  EXPECT_EQ(canonical("$." + std::string(1 << 20, 'a')), "JSONPATH_TOO_LONG");
  std::string deep = "$";
  for (int i = 0; i < 513; ++i) deep += "[0]";
  EXPECT_EQ(canonical(deep), "JSONPATH_TOO_DEEP");
}

TEST(ReferencePath, FindsThePlaceItNames) {
  const Value document = json_of(R"({"a":[{"b":1}]})");
  EXPECT_EQ(*ReferencePath::compile("$.a[0].b")->find(document), Value::integer(1));
  EXPECT_EQ(ReferencePath::compile("$.a[1]")->find(document), nullptr);
  EXPECT_EQ(ReferencePath::compile("$.a.b")->find(document), nullptr);
  EXPECT_EQ(ReferencePath::compile("$")->find(document), &document);
}

TEST(Insert, ReplacesTheWholeAtTheRoot) { EXPECT_EQ(inserted("$", R"({"a":1})", "2"), "2"); }

TEST(Insert, MakesTheObjectsOnItsWay) {
  EXPECT_EQ(inserted("$.a.b.c", "{}", "1"), R"({"a":{"b":{"c":1}}})");
  EXPECT_EQ(inserted("$.x", R"({"a":1})", "2"), R"({"a":1,"x":2})");
  EXPECT_EQ(inserted("$.a", R"({"a":1,"b":2})", "[]"), R"({"a":[],"b":2})");
}

TEST(Insert, WritesIntoArrayElementsThatExist) {
  EXPECT_EQ(inserted("$[1].payload", R"([{},{"k":1}])", "2"), R"([{},{"k":1,"payload":2}])");
  EXPECT_EQ(inserted("$.a[0]", R"({"a":[1,2]})", "9"), R"({"a":[9,2]})");
}

TEST(Insert, RefusesToExtendArraysOrToChangeTypes) {
  EXPECT_EQ(inserted("$[1]", "[0]", "1"), "REFERENCE_PATH_MISMATCH");
  EXPECT_EQ(inserted("$.a[0]", "{}", "1"), "REFERENCE_PATH_MISMATCH");
  EXPECT_EQ(inserted("$.x", R"("foo")", "1"), "REFERENCE_PATH_MISMATCH");
  EXPECT_EQ(inserted("$.a.b", R"({"a":1})", "1"), "REFERENCE_PATH_MISMATCH");
  EXPECT_EQ(inserted("$[0]", R"({"0":1})", "1"), "REFERENCE_PATH_MISMATCH");
}

TEST(Insert, SharesWhatItDoesNotTouch) {
  const Value document = json_of(R"({"big":["a text that is longer than what fits inline"],"a":{}})");
  const Value changed = ReferencePath::compile("$.a.b")->insert(document, Value::integer(1)).value();
  EXPECT_TRUE(changed.find("big")->same_node(*document.find("big")));
  EXPECT_EQ(json::print(*document.find("a")), "{}");
}

}  // namespace
}  // namespace pawl::jsonpath
