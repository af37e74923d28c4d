#include "json/pointer.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace pawl::json {
namespace {

std::string found(std::string_view document, std::string_view pointer) {
  const Value root = parse(document).value();
  const Value* value = find_pointer(root, pointer);
  return value == nullptr ? "nothing" : print(*value);
}

// The example of RFC 6901, section 5.
constexpr std::string_view kExample =
    R"({"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8})";

TEST(FindPointer, FollowsTheExamplesOfTheRfc) {
  EXPECT_EQ(found(kExample, ""), print(*parse(kExample)));
  EXPECT_EQ(found(kExample, "/foo"), R"(["bar","baz"])");
  EXPECT_EQ(found(kExample, "/foo/0"), R"("bar")");
  EXPECT_EQ(found(kExample, "/"), "0");
  EXPECT_EQ(found(kExample, "/a~1b"), "1");
  EXPECT_EQ(found(kExample, "/c%d"), "2");
  EXPECT_EQ(found(kExample, "/i\\j"), "5");
  EXPECT_EQ(found(kExample, "/k\"l"), "6");
  EXPECT_EQ(found(kExample, "/ "), "7");
  EXPECT_EQ(found(kExample, "/m~0n"), "8");
}

TEST(FindPointer, FindsNothingWhereThereIsNothing) {
  for (const char* pointer : {"/foo/2", "/foo/-", "/foo/01", "/foo/-1", "/foo/x", "/foo/0/x", "/none", "foo", "/~2",
                              "/foo/99999999999999999999"})
    EXPECT_EQ(found(kExample, pointer), "nothing") << pointer;
}

TEST(SplitPointer, UndoesTheEscapesInOrder) {
  EXPECT_EQ(*split_pointer("/~01/~10//x"), (std::vector<std::string>{"~1", "/0", "", "x"}));
  EXPECT_TRUE(split_pointer("")->empty());
}

TEST(SplitPointer, RejectsWhatIsNoPointer) {
  for (const char* pointer : {"a", "#/a", "/~", "/a~", "/~2"})
    EXPECT_EQ(split_pointer(pointer).error().code, "JSON_POINTER_INVALID") << pointer;
}

TEST(ChildPointer, EscapesTheToken) {
  EXPECT_EQ(child_pointer("/a", "b/c~d"), "/a/b~1c~0d");
  EXPECT_EQ(child_pointer("", size_t{7}), "/7");
  EXPECT_EQ(split_pointer(child_pointer("", "~/~1"))->front(), "~/~1");
}

}  // namespace
}  // namespace pawl::json
