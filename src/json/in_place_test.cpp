#include "json/in_place.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace pawl::json {
namespace {

Value value_of(std::string_view text) { return parse(text).value(); }

// Sizes and depths are kept up as parts change: they are what they would be had the value been read.
void expect_whole(const Value& value) {
  const std::string text = print(value);
  const Value read = value_of(text);
  EXPECT_EQ(value, read);
  EXPECT_EQ(value.json_size(), text.size());
  EXPECT_EQ(value.depth(), read.depth());
}

TEST(InPlace, ChangesWhatNobodyElseHolds) {
  Value array = value_of("[1,2,3]");
  const void* before = array.identity();
  array = with_item(std::move(array), 1, value_of("\"two\""));
  EXPECT_EQ(array.identity(), before);
  EXPECT_EQ(print(array), "[1,\"two\",3]");
  expect_whole(array);
}

TEST(InPlace, CopiesWhatSomebodyElseHolds) {
  Value array = value_of("[1,2,3]");
  const Value other = array;
  const Value changed = with_item(std::move(array), 0, Value());
  EXPECT_EQ(print(other), "[1,2,3]");
  EXPECT_EQ(print(changed), "[null,2,3]");
}

TEST(InPlace, LeavesTheEmptyArrayAndObjectAlone) {
  const Value one[] = {Value::integer(1)};
  EXPECT_EQ(print(with_items_appended(Value::empty_array(), one)), "[1]");
  EXPECT_EQ(print(with_member(Value::empty_object(), "a", Value())), "{\"a\":null}");
  EXPECT_EQ(print(Value::empty_array()), "[]");
  EXPECT_EQ(print(Value::empty_object()), "{}");
}

TEST(InPlace, ObjectsGrowThroughTheirIndex) {
  Value object = Value::empty_object();
  for (int i = 0; i < 300; ++i) object = with_member(std::move(object), "name" + std::to_string(i), Value::integer(i));
  for (int i = 0; i < 300; i += 7) object = with_member(std::move(object), "name" + std::to_string(i), Value());
  EXPECT_EQ(object.size(), 300u);
  EXPECT_EQ(object.find("name299")->as_integer(), 299);
  EXPECT_TRUE(object.find("name7")->is_null());
  expect_whole(object);
}

TEST(InPlace, ArraysAndTextsGrow) {
  Value array = Value::empty_array();
  Value text = Value::string("");
  for (int i = 0; i < 1'000; ++i) {
    const Value item[] = {value_of("[\"x\\n\"]")};
    array = with_items_appended(std::move(array), item);
    text = with_text_appended(std::move(text), "é\"");
  }
  EXPECT_EQ(array.size(), 1'000u);
  EXPECT_EQ(text.as_string().size(), 3'000u);
  expect_whole(array);
  expect_whole(text);
}

TEST(InPlace, DepthShrinksWithTheDeepestPart) {
  Value object = value_of(R"({"a":[[[1]]],"b":[2]})");
  object = with_member(std::move(object), "a", Value::integer(1));
  EXPECT_EQ(object.depth(), 2u);
  expect_whole(object);
}

TEST(InPlace, APartIsTakenOutAndPutBack) {
  Value whole = value_of(R"({"list":[1,2]})");
  TakenPart taken = take_member(whole, "list");
  ASSERT_NE(taken.place, nullptr);
  EXPECT_TRUE(is_unshared(taken.part));
  const Value three[] = {Value::integer(3)};
  Value longer = with_items_appended(std::move(taken.part), three);
  put_back(whole, taken, std::move(longer));
  EXPECT_EQ(print(whole), R"({"list":[1,2,3]})");
  expect_whole(whole);
}

TEST(InPlace, APartOfASharedWholeIsACopy) {
  Value whole = value_of("[[1]]");
  const Value other = whole;
  EXPECT_EQ(take_item(whole, 0).place, nullptr);
  EXPECT_EQ(print(other), "[[1]]");
}

}  // namespace
}  // namespace pawl::json
