#include "lang/asl/item_data.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace pawl::asl {
namespace {

// The items as JSON, or why there are none.
std::string items(std::string_view text, std::string_view config) {
  const auto read = read_items(text, json::parse(config).value());
  return read ? json::print(*read) : read.error().what;
}

TEST(ReadItems, TakesAnArrayOfJson) { EXPECT_EQ(items("[1, {\"a\":2}]", "{}"), R"([1,{"a":2}])"); }

TEST(ReadItems, TakesTheEntriesOfAnObject) {
  EXPECT_EQ(items(R"({"a":1})", R"({"InputType":"JSON"})"), R"([{"Key":"a","Value":1}])");
}

TEST(ReadItems, FollowsAnItemsPointer) {
  EXPECT_EQ(items(R"({"a":{"b":[1,2]}})", R"({"ItemsPointer":"/a/b"})"), "[1,2]");
  EXPECT_EQ(items(R"({"a":1})", R"({"ItemsPointer":"/b"})"), "The ItemsPointer '/b' leads nowhere.");
}

TEST(ReadItems, TakesALineOfJsonLinesAsAnItem) {
  EXPECT_EQ(items("{\"a\":1}\n\n2\r\n", R"({"InputType":"JSONL"})"), R"([{"a":1},2])");
}

TEST(ReadItems, NamesCellsOfCsvByTheFirstRow) {
  EXPECT_EQ(items("a,b\r\n1,2\r\n3\r\n4,5,6\n", R"({"InputType":"CSV","CSVHeaderLocation":"FIRST_ROW"})"),
            R"([{"a":"1","b":"2"},{"a":"3","b":""},{"a":"4","b":"5"}])");
}

TEST(ReadItems, NamesCellsOfCsvByGivenHeaders) {
  EXPECT_EQ(items("1|2", R"({"InputType":"CSV","CSVHeaderLocation":"GIVEN","CSVHeaders":["x"],"CSVDelimiter":"PIPE"})"),
            R"([{"x":"1"}])");
}

TEST(ReadItems, KeepsWhatStandsInQuotes) {
  EXPECT_EQ(items("a,b\n\"1,\"\"2\"\"\",\"3\n4\"", R"({"InputType":"CSV"})"), R"([{"a":"1,\"2\"","b":"3\n4"}])");
}

TEST(ReadItems, RefusesCsvThatIsNone) {
  EXPECT_EQ(items("a\n\"1", R"({"InputType":"CSV"})"), "A quote is not closed.");
  EXPECT_EQ(items("a\n\"1\"2", R"({"InputType":"CSV"})"), "A cell goes on after its closing quote.");
  EXPECT_EQ(items("a,a\n1,2", R"({"InputType":"CSV"})"), "A header is there twice.");
  EXPECT_EQ(items("", R"({"InputType":"CSV"})"), "There is no row of headers.");
}

TEST(ReadItems, StopsAtMaxItems) {
  EXPECT_EQ(items("[1,2,3]", R"({"MaxItems":2})"), "[1,2]");
  EXPECT_EQ(items("[1,2,3]", R"({"MaxItems":0})"), "[1,2,3]");
}

TEST(ReadItems, RefusesWhatIsNoText) {
  EXPECT_EQ(items("x", R"({"InputType":"PARQUET"})"), "Data of the InputType 'PARQUET' cannot be read from a text.");
}

}  // namespace
}  // namespace pawl::asl
