// The JSON value and the serializers on top of it.
#include "pawl/durable/json.h"

#include <gtest/gtest.h>

#include "pawl/durable/serdes.h"

namespace pawl::durable {
namespace {

TEST(Json, PrintsWhatItRead) {
  for (const char* text : {"null", "true", "[]", "{}", "0", "-1", "1.5", "18446744073709551615", "-9223372036854775808",
                           "\"\"", R"("a\"b\\c\n")", R"({"b":1,"a":[{},[null]]})"}) {
    EXPECT_EQ(Json::parse(text).dump(), text);
  }
  EXPECT_EQ(Json::parse(R"("\u00e5\ud83d\ude00")").as_string(), "å😀");
  EXPECT_EQ(Json::parse("\"\\u0001\"").dump(), "\"\\u0001\"");
}

TEST(Json, KnowsTheSizeOfAQuotedText) {
  std::string every;
  for (int byte = 0; byte < 128; ++byte) every += static_cast<char>(byte);
  for (const std::string& text : {std::string(), std::string("plain å"), every}) {
    std::string quoted;
    append_quoted(quoted, text);
    EXPECT_EQ(quoted_size(text), quoted.size());
  }
}

// Spec: 9.1.4
TEST(Json, RefusesWhatIsNotJson) {
  for (const char* text : {"", "nul", "[1,]", "{\"a\"}", "{a:1}", "01", "1.", "+1", "\"\x01\"", "\"\\x\"", "1 2", "[",
                           "\"", "{\"a\":1,}", "-"}) {
    EXPECT_THROW(Json::parse(text), SerializationError) << text;
  }
  EXPECT_THROW(Json::parse(std::string(1000, '[')), SerializationError);
  EXPECT_THROW(Json(0.0 / 0.0).dump(), SerializationError);
}

enum class Colour { Red, Green };

struct Line {
  std::string sku;
  int count = 0;
  std::optional<double> price;
};
PAWL_DURABLE_FIELDS(Line, sku, count, price)

struct Everything {
  bool yes = false;
  std::uint64_t large = 0;
  std::vector<Line> lines;
  std::map<std::string, std::vector<int>> groups;
  std::tuple<int, std::string> pair;
  std::chrono::milliseconds delay{0};
  Colour colour = Colour::Red;
  std::array<int, 2> two{};
  Json free;
};
PAWL_DURABLE_FIELDS(Everything, yes, large, lines, groups, pair, delay, colour, two, free)

// Spec: 9.1.1-3, 9.2.2, 9.3.2, 11.1.1
TEST(Serdes, ReadsBackWhatItWrote) {
  Everything all{true,
                 18446744073709551615ULL,
                 {{"A", 2, 1.5}, {"B", 1, {}}},
                 {{"g", {1, 2}}},
                 {7, "x"},
                 std::chrono::milliseconds(250),
                 Colour::Green,
                 {3, 4},
                 Json::array({1, "two"})};
  const std::string text = to_text(all);
  EXPECT_EQ(
      text,
      R"({"yes":true,"large":18446744073709551615,"lines":[{"sku":"A","count":2,"price":1.5},{"sku":"B","count":1,"price":null}],)"
      R"("groups":{"g":[1,2]},"pair":[7,"x"],"delay":250,"colour":1,"two":[3,4],"free":[1,"two"]})");
  EXPECT_EQ(to_text(from_text<Everything>(text)), text);
}

// Spec: 9.1.4
TEST(Serdes, SaysWhatDoesNotFit) {
  EXPECT_THROW(from_text<Line>(R"({"sku":"A"})"), SerializationError);
  EXPECT_THROW(from_text<std::int8_t>("300"), SerializationError);
  EXPECT_THROW(from_text<unsigned>("-1"), SerializationError);
  EXPECT_THROW(from_text<int>("1.5"), SerializationError);
  EXPECT_THROW((from_text<std::array<int, 2>>("[1]")), SerializationError);
  try {
    from_text<Line>(R"({"count":1})");
    FAIL();
  } catch (const SerializationError& error) {
    EXPECT_STREQ(error.what(), "JSON: the member \"sku\" is missing");
  }
}

struct Opaque {};
static_assert(!Storable<Opaque>);
static_assert(!Storable<std::vector<Opaque>>);
static_assert(Storable<std::vector<std::optional<Line>>>);

}  // namespace
}  // namespace pawl::durable
