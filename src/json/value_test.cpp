#include "json/value.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"
#include "json/random_value.h"

namespace pawl::json {
namespace {

Value read(std::string_view text) { return parse(text).value(); }

TEST(Value, KnowsItsKind) {
  EXPECT_EQ(Value().kind(), Value::Kind::kNull);
  EXPECT_EQ(Value::boolean(true).kind(), Value::Kind::kBoolean);
  for (const char* text : {"1", "1.5", "-0", "123456789012345678901234567890"})
    EXPECT_EQ(read(text).kind(), Value::Kind::kNumber);
  EXPECT_EQ(Value::real(0.5).kind(), Value::Kind::kNumber);
  EXPECT_EQ(Value::string("short").kind(), Value::Kind::kString);
  EXPECT_EQ(Value::string("longer than fourteen bytes").kind(), Value::Kind::kString);
  EXPECT_TRUE(Value::empty_array().is_array());
  EXPECT_TRUE(Value::empty_object().is_object());
}

TEST(Value, IsAPointerToCopy) {
  const Value value = read(R"({"a":[1,2,3]})");
  const Value copy = value;
  EXPECT_TRUE(copy.same_node(value));
  EXPECT_TRUE(copy.find("a")->same_node(*value.find("a")));
}

TEST(Value, IsNullAfterItWasMovedFrom) {
  Value value = read("[1]");
  const Value moved = std::move(value);
  EXPECT_TRUE(value.is_null());  // NOLINT(bugprone-use-after-move): that is the promise
  EXPECT_EQ(print(moved), "[1]");
}

TEST(Value, CanBeAssignedAPartOfItself) {
  Value value = read(R"([[1,"a long enough string"]])");
  value = value.at(0);
  EXPECT_EQ(print(value), R"([1,"a long enough string"])");
  value = value.at(1);
  EXPECT_EQ(value.as_string(), "a long enough string");
}

TEST(Value, ReadsIntegersExactly) {
  EXPECT_EQ(read("9223372036854775807").as_integer(), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(read("-9223372036854775808").as_integer(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(read("3.0").as_integer(), 3);
  EXPECT_EQ(read("3e0").as_integer(), 3);
  EXPECT_EQ(read("-0").as_integer(), 0);
  EXPECT_EQ(read("3.5").as_integer(), std::nullopt);
  EXPECT_EQ(read("9223372036854775808").as_integer(), std::nullopt);
  EXPECT_EQ(read("-9223372036854775809").as_integer(), std::nullopt);
  EXPECT_EQ(read("1e400").as_integer(), std::nullopt);
}

TEST(Value, ReadsTheNearestDouble) {
  EXPECT_EQ(read("0.1").as_double(), 0.1);
  EXPECT_EQ(read("1e400").as_double(), HUGE_VAL);
  EXPECT_EQ(read("1e-400").as_double(), 0.0);
  EXPECT_EQ(read("18446744073709551616").as_double(), 18446744073709551616.0);
}

TEST(Value, PrintsComputedNumbersAsTheShortestThatReadsBack) {
  EXPECT_EQ(Value::real(0.1).number_text(), "0.1");
  EXPECT_EQ(Value::real(3.0).number_text(), "3");
  EXPECT_EQ(Value::real(-0.0).number_text(), "-0");
  EXPECT_EQ(Value::real(1e300).number_text(), "1e+300");
  EXPECT_EQ(Value::real(0.1 + 0.2).number_text(), "0.30000000000000004");
}

TEST(Value, ComparesNumbersByValue) {
  EXPECT_EQ(read("1"), read("1.0"));
  EXPECT_EQ(read("1e0"), read("1"));
  EXPECT_EQ(read("0"), read("-0"));
  EXPECT_EQ(read("0.5"), Value::real(0.5));
  EXPECT_NE(read("1"), read("1.5"));
  EXPECT_NE(read("9223372036854775807"), read("9223372036854775806"));
  EXPECT_NE(read("1"), read("\"1\""));
}

TEST(Value, ComparesIntegersOfAnyLengthExactly) {
  EXPECT_NE(read("123456789012345678901234567890"), read("123456789012345678901234567891"));
  EXPECT_EQ(compare_numbers(read("18446744073709551614"), read("18446744073709551615")), std::weak_ordering::less);
  EXPECT_EQ(compare_numbers(read("-18446744073709551614"), read("-18446744073709551615")), std::weak_ordering::greater);
  EXPECT_EQ(compare_numbers(read("-9223372036854775809"), read("-9223372036854775808")), std::weak_ordering::less);
  EXPECT_EQ(compare_numbers(read("2.5"), read("2.25")), std::weak_ordering::greater);
}

TEST(Value, ComparesObjectsWhateverTheirOrder) {
  EXPECT_EQ(read(R"({"a":1,"b":[true]})"), read(R"({"b":[true],"a":1.0})"));
  EXPECT_NE(read(R"({"a":1})"), read(R"({"b":1})"));
  EXPECT_NE(read(R"({"a":1})"), read(R"({"a":1,"b":2})"));
  EXPECT_NE(read("[1,2]"), read("[2,1]"));
  EXPECT_NE(read("[]"), read("{}"));
}

TEST(Value, ReplacesAMemberInItsPlaceAndAppendsANewOne) {
  const Value value = read(R"({"a":1,"b":{"x":1}})");
  EXPECT_EQ(print(value.with_member("a", Value::string("z"))), R"({"a":"z","b":{"x":1}})");
  EXPECT_EQ(print(value.with_member("c", Value::null())), R"({"a":1,"b":{"x":1},"c":null})");
  EXPECT_EQ(print(value), R"({"a":1,"b":{"x":1}})");
  const Value grown = value.with_member("c", Value::null());
  EXPECT_TRUE(grown.find("b")->same_node(*value.find("b")));
}

TEST(Value, RemovesAMember) {
  const Value value = read(R"({"a":1,"b":2})");
  EXPECT_EQ(print(value.without_member("a")), R"({"b":2})");
  EXPECT_EQ(print(value.without_member("a").without_member("b")), "{}");
  EXPECT_TRUE(value.without_member("x").same_node(value));
}

TEST(Value, ReplacesAnItem) {
  const Value value = read(R"([1,[2],3])");
  EXPECT_EQ(print(value.with_item(0, Value::null())), "[null,[2],3]");
  EXPECT_EQ(print(value.with_item(2, value)), "[1,[2],[1,[2],3]]");
  EXPECT_EQ(value.with_item(2, value).depth(), 3u);
}

TEST(Value, FindsEveryMemberWhileAnObjectGrowsPastItsIndex) {
  Value value = Value::empty_object();
  for (int64_t i = 0; i < 200; ++i) value = value.with_member("key" + std::to_string(i), Value::integer(i));
  for (int64_t i = 0; i < 200; ++i) EXPECT_EQ(value.find("key" + std::to_string(i))->as_integer(), i);
  EXPECT_EQ(value.find("key200"), nullptr);
  value = value.with_member("key77", Value::null());
  EXPECT_TRUE(value.find("key77")->is_null());
  EXPECT_EQ(value.size(), 200u);
  value = value.without_member("key3");
  EXPECT_EQ(value.find("key3"), nullptr);
  EXPECT_EQ(value.find("key199")->as_integer(), 199);
}

TEST(Value, FindsNothingInWhatIsNoObject) {
  const Value nothing;
  EXPECT_EQ(nothing.find("a"), nullptr);
  const Value array = read("[1]");
  EXPECT_EQ(array.find("0"), nullptr);
  EXPECT_EQ(Value::string("x").size(), 0u);
}

TEST(Value, KnowsItsDepth) {
  EXPECT_EQ(read("1").depth(), 0u);
  EXPECT_EQ(read("{}").depth(), 1u);
  EXPECT_EQ(read(R"({"a":[[],1]})").depth(), 3u);
}

TEST(Value, DropsPrintsAndComparesAnyDepthWithoutOverflowingTheStack) {
  constexpr size_t kDepth = 1'000'000;
  const auto nest = [] {
    Value value = Value::integer(1);
    for (size_t i = 0; i < kDepth; ++i) {
      ArrayBuilder builder(1);
      builder.push(std::move(value));
      value = builder.build();
    }
    return value;
  };
  const Value a = nest();
  const Value b = nest();
  EXPECT_EQ(print(a).size(), 2 * kDepth + 1);
  EXPECT_TRUE(a == b);
  a.make_immortal();
}

TEST(Value, SaturatesItsSize) {
  Value value = Value::string("sixteen bytes it");
  for (int i = 0; i < 40; ++i) {
    ArrayBuilder builder(2);
    builder.push(value);
    builder.push(value);
    value = builder.build();
  }
  EXPECT_EQ(value.json_size(), 0xFFFFFFFFu);
  EXPECT_TRUE(value == value);
}

TEST(Value, StaysWholeWhenSharedBetweenThreads) {
  const Value shared = read(R"({"list":[1,2,"a string that is long"],"more":{"x":[]}})");
  const std::string expected = print(shared);
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&shared, &expected, &right] {
      for (int i = 0; i < 2000; ++i) {
        const Value copy = shared;
        const Value changed = copy.with_member("own", *copy.find("list"));
        if (print(copy) == expected && changed.size() == 3) ++right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 8000);
}

TEST(Value, KeepsImmortalValuesUsable) {
  Value value = read(R"({"a":["a string that is long",{"b":123456789012345678901234567890}]})");
  value.make_immortal();
  const Value copy = value.with_member("c", Value::null());
  value = Value::null();
  EXPECT_EQ(print(copy), R"({"a":["a string that is long",{"b":123456789012345678901234567890}],"c":null})");
}

TEST(ObjectBuilder, LetsTheLastOfEqualKeysWinInTheFirstPlace) {
  ObjectBuilder builder;
  builder.set("a", Value::integer(1));
  builder.set("b", Value::integer(2));
  builder.set("a", Value::integer(3));
  EXPECT_TRUE(builder.contains("b"));
  EXPECT_FALSE(builder.contains("c"));
  EXPECT_EQ(print(builder.build()), R"({"a":3,"b":2})");
}

TEST(ObjectBuilder, DropsWhatIsNotBuilt) {
  ObjectBuilder builder(1);
  for (int i = 0; i < 50; ++i) builder.set("a key that is long " + std::to_string(i), read("[[]]"));
  ObjectBuilder moved = std::move(builder);
  EXPECT_EQ(moved.size(), 50u);
}

TEST(ArrayBuilder, GrowsPastWhatWasExpected) {
  ArrayBuilder builder(2);
  for (int64_t i = 0; i < 100; ++i) builder.push(Value::integer(i));
  const Value value = builder.build();
  ASSERT_EQ(value.size(), 100u);
  EXPECT_EQ(value.at(99).as_integer(), 99);
}

// --- properties over random values
// ---------------------------------------------------------------------------------------

TEST(Value, SizeIsWhatItPrintsForAnyValue) {
  SeededRandom random(1);
  for (int i = 0; i < 3000; ++i) {
    const Value value = random_value(random);
    const std::string text = print(value);
    ASSERT_EQ(text.size(), value.json_size()) << text;
  }
}

TEST(Value, ReadsBackWhatItPrintsForAnyValue) {
  SeededRandom random(2);
  for (int i = 0; i < 3000; ++i) {
    const Value value = random_value(random);
    const std::string text = print(value);
    const Value again = parse(text).value();
    ASSERT_TRUE(again == value) << text;
    ASSERT_EQ(print(again), text);
    ASSERT_TRUE(parse(print_pretty(value)).value() == value) << text;
    ASSERT_EQ(again.depth(), value.depth());
  }
}

TEST(Value, KeepsItsSizeRightThroughChanges) {
  SeededRandom random(3);
  Value value = Value::empty_object();
  for (int i = 0; i < 500; ++i) {
    const std::string key = "k" + std::to_string(random.next() % 40);
    value = random.next() % 4 == 0 ? value.without_member(key) : value.with_member(key, random_value(random));
    ASSERT_EQ(print(value).size(), value.json_size());
    ASSERT_TRUE(parse(print(value)).value() == value);
  }
}

}  // namespace
}  // namespace pawl::json
