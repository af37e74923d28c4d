#include "json/members.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace pawl::json {
namespace {

TEST(Members, AreGivenAsWhatTheyShouldBe) {
  const Value object = parse(R"({"text":"t","number":7,"whole":3.0,"list":[1]})").value();
  EXPECT_EQ(text_at(object, "text"), "t");
  EXPECT_EQ(integer_at(object, "number"), 7);
  EXPECT_EQ(integer_at(object, "whole"), 3);
  EXPECT_EQ(print(value_at(object, "list")), "[1]");
}

TEST(Members, ThatAreAbsentOrSomethingElseAreLeftToTheCaller) {
  const Value object = parse(R"({"text":"t","number":7,"broken":0.5})").value();
  EXPECT_EQ(text_at(object, "number"), "");
  EXPECT_EQ(text_at(object, "number", "none"), "none");
  EXPECT_EQ(text_at(*object.find("number"), "text", "none"), "none");
  EXPECT_EQ(integer_at(object, "text", 5), 5);
  EXPECT_EQ(integer_at(object, "broken", 5), 5);
  EXPECT_EQ(integer_at(object, "absent"), 0);
  EXPECT_TRUE(value_at(object, "absent").is_null());
}

}  // namespace
}  // namespace pawl::json
