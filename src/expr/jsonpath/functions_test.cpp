// Jayway's functions.
#include <gtest/gtest.h>

#include "expr/jsonpath/path.h"
#include "expr/jsonpath/testing.h"

namespace pawl::jsonpath {
namespace {

using testing::answer;
using testing::code_of;
using testing::sentence;

TEST(Functions, Count) {
  EXPECT_EQ(answer("$.length()", R"({"a":1,"b":2})"), "2");
  EXPECT_EQ(answer("$.a.size()", R"({"a":[1,2,3]})"), "3");
  EXPECT_EQ(answer("$.a.length()", R"({"a":"text"})"), "null");
  EXPECT_EQ(answer("$.a[*].length()", R"({"a":[[1],[1,2]]})"), "[1,2]");
  EXPECT_EQ(answer("$..b.length()", R"({"a":{"b":[1,2]},"b":[3]})"), "3");
  EXPECT_EQ(sentence("$.missing.length()", "{}"), "Missing property in path $['missing']");
}

TEST(Functions, Aggregate) {
  EXPECT_EQ(answer("$.min()", "[3,1,2]"), "1");
  EXPECT_EQ(answer("$.max()", "[-3,-1,-2]"), "-1");
  EXPECT_EQ(answer("$.sum()", R"([1,2.5,"x"])"), "3.5");
  EXPECT_EQ(answer("$.avg()", "[1,2]"), "1.5");
  EXPECT_EQ(answer("$.stddev()", "[1,2,3,4]"), "1.118033988749895");
  EXPECT_EQ(answer("$..b.sum()", R"({"a":{"b":1},"c":{"b":2}})"), "3");
  EXPECT_EQ(answer("$.sum($.a[0], $.b, 10)", R"({"a":[1],"b":[2,3]})"), "16");
}

TEST(Functions, FailOnNothing) {
  EXPECT_EQ(answer("$.a.sum()", R"({"a":[]})"), "JSONPATH_FUNCTION");
  EXPECT_EQ(answer("$.a[*].max()", R"({"a":[3,1]})"), "JSONPATH_FUNCTION");
  EXPECT_EQ(answer("$.first()", "[]"), "JSONPATH_FUNCTION");
  EXPECT_EQ(answer("$.index(2)", "[1,2]"), "JSONPATH_FUNCTION");
  EXPECT_EQ(answer("$.index('x')", "[1,2]"), "JSONPATH_FUNCTION");
  EXPECT_EQ(answer("$.sum()", "[1e308,1e308]"), "JSONPATH_FUNCTION");
  EXPECT_EQ(answer("$.sum($.missing)", "{}"), "JSONPATH_NO_MATCH");
}

TEST(Functions, PickElements) {
  EXPECT_EQ(answer("$.first()", "[7,8]"), "7");
  EXPECT_EQ(answer("$.last()", "[7]"), "7");
  EXPECT_EQ(answer("$.index(1)", "[7,8]"), "8");
  EXPECT_EQ(answer("$.index(-2)", "[7,8]"), "7");
  EXPECT_EQ(answer("$.a.first().b", R"({"a":[{"b":1}]})"), "1");
}

TEST(Functions, MakeTextsAndLists) {
  EXPECT_EQ(answer(R"($.concat($.a[0],"-",$.a[1], 7))", R"({"a":["x","y"]})"), R"("x-y7")");
  EXPECT_EQ(answer("$.a.concat()", R"({"a":["x",1,"y"]})"), R"("xy")");
  EXPECT_EQ(answer("$.a.append(3, $.b)", R"({"a":[1],"b":[2]})"), "[1,3,[2]]");
  EXPECT_EQ(answer("$.keys()", R"({"b":1,"a":2})"), R"(["b","a"])");
  EXPECT_EQ(answer("$.a.keys()", R"({"a":[1]})"), "null");
}

TEST(Functions, AreKnownWhenThePathIsCompiled) {
  EXPECT_EQ(code_of("$.nosuch()"), "JSONPATH_SYNTAX");
  EXPECT_EQ(code_of("$.index()"), "JSONPATH_SYNTAX");
  EXPECT_EQ(code_of("$.sum(1"), "JSONPATH_SYNTAX");
  EXPECT_EQ(code_of("$.sum(1 2)"), "JSONPATH_SYNTAX");
  EXPECT_EQ(code_of("$..length()"), "JSONPATH_SYNTAX");
}

}  // namespace
}  // namespace pawl::jsonpath
