#include "json/print.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "json/parse.h"
#include "json/random_value.h"

namespace pawl::json {
namespace {

TEST(Print, EscapesWhatJsonMustEscape) {
  EXPECT_EQ(print(Value::string("\"\\\b\f\n\r\t")), R"("\"\\\b\f\n\r\t")");
  EXPECT_EQ(print(Value::string(std::string_view("\0\x01\x1f", 3))), R"("\u0000\u0001\u001f")");
}

TEST(Print, LeavesEverythingElseAsItIs) {
  EXPECT_EQ(print(Value::string("/<>&'\x7f\u00e9\u20ac\U0001F600")), "\"/<>&'\x7f\u00e9\u20ac\U0001F600\"");
}

TEST(Print, EscapesInStringsOfEveryLength) {
  for (size_t size = 0; size < 40; ++size) {
    const std::string filler(size, 'x');
    EXPECT_EQ(print(Value::string(filler + "\n" + filler)), "\"" + filler + "\\n" + filler + "\"");
    EXPECT_EQ(print(Value::string(filler)), "\"" + filler + "\"");
  }
}

TEST(Print, KeepsTheOrderOfMembers) {
  EXPECT_EQ(print(*parse(R"({"z":1,"a":2,"m":{"y":[],"b":{}}})")), R"({"z":1,"a":2,"m":{"y":[],"b":{}}})");
}

TEST(Print, AppendsBehindWhatIsThere) {
  std::string out = "x=";
  append(out, *parse("[1,2]"));
  append_string(out, "a\"b");
  EXPECT_EQ(out, R"(x=[1,2]"a\"b")");
}

TEST(Print, IndentsForPeople) {
  EXPECT_EQ(print_pretty(*parse(R"({"a":[1,{"b":null}],"c":{},"d":[]})")),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": null\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}");
  EXPECT_EQ(print_pretty(Value::integer(1)), "1");
}

TEST(Print, AgreesWithAnotherParser) {
  SeededRandom random(4);
  for (int i = 0; i < 500; ++i) {
    const Value value = random_value(random);
    const auto oracle = nlohmann::json::parse(print(value));
    ASSERT_TRUE(parse(oracle.dump()).value() == parse(nlohmann::json::parse(print_pretty(value)).dump()).value());
    ASSERT_EQ(oracle.size(), value.is_array() || value.is_object() ? value.size() : (value.is_null() ? 0 : 1));
  }
}

}  // namespace
}  // namespace pawl::json
