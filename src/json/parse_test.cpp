#include "json/parse.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "json/print.h"

namespace pawl::json {
namespace {

std::string reprint(std::string_view text) {
  const auto value = parse(text);
  return value ? print(*value) : to_string(value.error());
}

std::string code_of(std::string_view text) {
  const auto value = parse(text);
  return value ? "no error" : value.error().code;
}

std::string where_of(std::string_view text) {
  const auto value = parse(text);
  return value ? "no error" : value.error().where;
}

TEST(Parse, ReadsEveryKindOfValue) {
  EXPECT_EQ(reprint(" {\"a\" : [ 1 , -2.50 , true,false,null , \"x\" ] , \"b\":{} } \r\n\t"),
            R"({"a":[1,-2.50,true,false,null,"x"],"b":{}})");
}

TEST(Parse, ReadsScalarsAtTheRoot) {
  EXPECT_EQ(reprint("7"), "7");
  EXPECT_EQ(reprint(" \"text\" "), "\"text\"");
  EXPECT_EQ(reprint("null"), "null");
}

TEST(Parse, KeepsTheTextOfNumbers) {
  for (const char* text : {"1.0", "1e3", "1E+03", "-0", "-0.0", "0.10", "1e-400", "1e999", "9223372036854775807",
                           "-9223372036854775808", "9223372036854775808", "123456789012345678901234567890"})
    EXPECT_EQ(reprint(text), text);
}

TEST(Parse, KeepsANumberOfAThousandDigits) {
  const std::string digits(1000, '7');
  EXPECT_EQ(reprint("[" + digits + "]"), "[" + digits + "]");
  EXPECT_EQ(parse("12345")->as_integer(), 12345);
}

TEST(Parse, DecodesEscapes) {
  EXPECT_EQ(parse(R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\uD834\uDD1E")")->as_string(),
            "\"\\/\b\f\n\r\tA\u00e9\u20ac\U0001D11E");
  EXPECT_EQ(parse(R"("\u0000")")->as_string(), std::string_view("\0", 1));
}

TEST(Parse, ReadsStringsOfEveryLengthAroundTheScannersStep) {
  for (size_t size = 0; size < 70; ++size) {
    for (const char* tail : {"", "\u00e9", "\U0001D11E", "\\n"}) {
      const std::string body = std::string(size, 'x') + tail;
      EXPECT_EQ(reprint("[\"" + body + "\"]"), "[\"" + body + "\"]");
    }
  }
}

TEST(Parse, LetsTheLastOfTwoEqualNamesWinInData) {
  EXPECT_EQ(reprint(R"({"a":1,"b":2,"a":3})"), R"({"a":3,"b":2})");
  EXPECT_EQ(reprint(R"({"a":1,"a":2,"\u0061":3})"), R"({"a":3})");
}

TEST(Parse, LetsTheLastOfManyEqualNamesWin) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text += "\"k" + std::to_string(i % 100) + "\":" + std::to_string(i) + ",";
  text += "\"last\":0}";
  const Value value = *parse(text);
  EXPECT_EQ(value.size(), 101u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(value.find("k" + std::to_string(i))->as_integer(), 900 + i);
  EXPECT_EQ(value.members()[0].key.as_string(), "k0");
}

TEST(Parse, RejectsEqualNamesInDefinitions) {
  const auto document = parse_document("{\"a\":1,\n \"b\":{\"x\":1},\n \"a\":2}");
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code, "JSON_DUPLICATE_KEY");
  EXPECT_EQ(document.error().where, "3:2");
  EXPECT_EQ(parse(R"({"a":1,"a":2})", {.duplicate_keys_are_errors = true}).error().where, "1:8");
}

TEST(Parse, RejectsEqualNamesAmongMany) {
  std::string text = "{";
  for (int i = 0; i < 50; ++i) text += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_EQ(parse_document(text + "\"k7\":1}").error().code, "JSON_DUPLICATE_KEY");
  EXPECT_TRUE(parse_document(text + "\"k50\":1}"));
}

TEST(Parse, NamesTheKindOfError) {
  EXPECT_EQ(code_of(""), "JSON_EMPTY");
  EXPECT_EQ(code_of(" \n"), "JSON_EMPTY");
  EXPECT_EQ(code_of("[1,]"), "JSON_UNEXPECTED_CHARACTER");
  EXPECT_EQ(code_of("{\"a\":1"), "JSON_UNEXPECTED_END");
  EXPECT_EQ(code_of("01"), "JSON_INVALID_NUMBER");
  EXPECT_EQ(code_of("-x"), "JSON_INVALID_NUMBER");
  EXPECT_EQ(code_of("1.e1"), "JSON_INVALID_NUMBER");
  EXPECT_EQ(code_of("\"\\x\""), "JSON_INVALID_STRING");
  EXPECT_EQ(code_of("\"a\nb\""), "JSON_INVALID_STRING");
  EXPECT_EQ(code_of("\"\xff\""), "JSON_INVALID_UTF8");
  EXPECT_EQ(code_of("{} {}"), "JSON_TRAILING_TEXT");
  EXPECT_EQ(code_of("nul"), "JSON_UNEXPECTED_END");
  EXPECT_EQ(code_of("\xEF\xBB\xBF{}"), "JSON_UNEXPECTED_CHARACTER");
}

TEST(Parse, CountsLinesAndColumnsInCodePoints) {
  EXPECT_EQ(where_of("{\n  \"\u00e9\u20ac\": x\n}"), "2:9");
  EXPECT_EQ(where_of("[1,\r\n 2,\r\n?]"), "3:1");
  EXPECT_EQ(where_of("?"), "1:1");
}

TEST(Parse, RejectsInvalidUtf8WithItsPlace) {
  for (const char* bytes : {"\x80", "\xC0\xAF", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
                            "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xE2\x82"}) {
    const auto value = parse(std::string("[\n\"ab") + bytes + "\"]");
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().code, "JSON_INVALID_UTF8");
    EXPECT_EQ(value.error().where, "2:4");
  }
}

TEST(Parse, RejectsLoneSurrogatesWithTheirPlace) {
  for (const char* escape : {"\\uD800", "\\uDC00", "\\uD800\\uD800", "\\uD800x", "\\uD800\\n", "\\uDC00\\uD800"}) {
    const auto value = parse(std::string("\"") + escape + "\"");
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().code, "JSON_INVALID_STRING");
    EXPECT_EQ(value.error().where, "1:2");
  }
}

TEST(Parse, LimitsTheDepth) {
  const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(parse(nested(kDepthMax)));
  EXPECT_EQ(code_of(nested(kDepthMax + 1)), "JSON_TOO_DEEP");
  EXPECT_EQ(code_of(std::string(5'000'000, '[')), "JSON_TOO_DEEP");
  EXPECT_TRUE(parse(nested(3), {.depth_max = 3}));
  EXPECT_FALSE(parse(nested(4), {.depth_max = 3}));
}

TEST(Parse, HoldsADepthLimitThatIsRaisedUnderItsCeiling) {
  const std::string deepest = std::string(kDepthCeiling, '[') + std::string(kDepthCeiling, ']');
  const auto value = parse(deepest, {.depth_max = 0xFFFFFFFF});
  ASSERT_TRUE(value);
  EXPECT_EQ(value->depth(), kDepthCeiling);
  EXPECT_EQ(print(*value), deepest);
  EXPECT_EQ(parse("[" + deepest + "]", {.depth_max = 0xFFFFFFFF}).error().code, "JSON_TOO_DEEP");
  EXPECT_TRUE(parse_document(deepest, 0xFFFFFFFF));
}

TEST(SourceMap, FindsNamesAndValues) {
  const auto document = parse_document("{\n  \"a\": [10,\n    {\"b/c\": true}],\n  \"d\":null}");
  ASSERT_TRUE(document);
  const SourceMap& positions = document->positions;
  EXPECT_EQ(positions.value_at(""), (Position{1, 1}));
  EXPECT_EQ(positions.key_at("/a"), (Position{2, 3}));
  EXPECT_EQ(positions.value_at("/a"), (Position{2, 8}));
  EXPECT_EQ(positions.value_at("/a/0"), (Position{2, 9}));
  EXPECT_EQ(positions.key_at("/a/1/b~1c"), (Position{3, 6}));
  EXPECT_EQ(positions.value_at("/a/1/b~1c"), (Position{3, 13}));
  EXPECT_EQ(positions.value_at("/d"), (Position{4, 7}));
}

TEST(SourceMap, GivesTheDeepestPartThatExists) {
  const auto document = parse_document("{\n \"a\": {\n  \"b\": 1}}");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->positions.value_at("/a/x/y"), (Position{2, 7}));
  EXPECT_EQ(document->positions.key_at("/a/b/0"), (Position{3, 3}));
  EXPECT_EQ(document->positions.key_at("no pointer"), (Position{1, 1}));
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Parse, JudgesTheParsingCorpusRight) {
  const std::filesystem::path folder = PAWL_SOURCE_DIR "/../shared/corpus/json/test_parsing";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " does not exist";
  size_t judged = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    const std::string text = read_file(entry.path());
    if (name.starts_with("i_")) {
      EXPECT_NO_FATAL_FAILURE(reprint(text)) << name;
      continue;
    }
    EXPECT_EQ(parse(text).has_value(), name.starts_with("y_")) << name << ": " << reprint(text);
    if (name.starts_with("y_")) {
      EXPECT_EQ(nlohmann::json::parse(text), nlohmann::json::parse(reprint(text))) << name;
    }
    ++judged;
  }
  EXPECT_GT(judged, 250u);
}

}  // namespace
}  // namespace pawl::json
