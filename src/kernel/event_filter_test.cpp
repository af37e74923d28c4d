#include "kernel/event_filter.h"

#include <set>

#include <gtest/gtest.h>

#include "json/parse.h"

namespace pawl::kernel {
namespace {

Value event(std::string_view text) { return json::parse(text).value(); }

EventFilter reading(std::optional<std::string> patient) {
  EventFilter filter{"Reading", "monitor", "heart", {}};
  filter.add("patientId", std::move(patient));
  return filter;
}

const char* const kReading = R"({"source":"monitor","type":"heart","id":"1","patientId":"P7","data":{"value":80}})";

TEST(EventFilter, IsReadBackAsItWasWritten) {
  EventFilter filter = reading("P7");
  filter.add("Department", std::nullopt);
  const auto read = EventFilter::from_value(filter.to_value());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(*read, filter);
  EXPECT_EQ(read->attributes.front().name, "department");
}

TEST(EventFilter, IsNotReadFromAnythingElse) {
  EXPECT_FALSE(EventFilter::from_value(Value()).has_value());
  EXPECT_FALSE(EventFilter::from_value(event(R"({"event":"a","source":"b","type":7,"attributes":{}})")).has_value());
  EXPECT_FALSE(EventFilter::from_value(event(R"({"event":"a","source":"b","type":"c"})")).has_value());
}

TEST(EventFilter, MatchesSourceAndTypeExactly) {
  const EventFilter filter = reading(std::nullopt);
  EXPECT_TRUE(matches(filter, event(kReading)));
  EXPECT_FALSE(matches(filter, event(R"({"source":"monitor","type":"Heart","patientid":"P7"})")));
  EXPECT_FALSE(matches(filter, event(R"({"source":"elsewhere","type":"heart","patientid":"P7"})")));
}

TEST(EventFilter, TakesAnySourceWhereItNamesNone) {
  const EventFilter filter{"Push", "", "push", {}};
  EXPECT_TRUE(matches(filter, event(R"({"source":"github","type":"push"})")));
  EXPECT_FALSE(matches(filter, event(R"({"source":"github","type":"pull"})")));
}

TEST(EventFilter, TakesAnyTypeWhereItNamesNone) {
  EXPECT_TRUE(matches(EventFilter{"Any", "github", "", {}}, event(R"({"source":"github","type":"push"})")));
}

TEST(EventFilter, ComparesNamesOfAttributesWithoutCaseAndTheirValuesAsText) {
  EventFilter filter{"Bid", "auction", "bid", {}};
  filter.add("LotNumber", "7");
  EXPECT_TRUE(matches(filter, event(R"({"source":"auction","type":"bid","lotNumber":7})")));
  EXPECT_TRUE(matches(filter, event(R"({"source":"auction","type":"bid","lotnumber":"7"})")));
  EXPECT_FALSE(matches(filter, event(R"({"source":"auction","type":"bid","lotnumber":"8"})")));
}

TEST(EventFilter, RefusesAnEventThatLacksAnAttribute) {
  EXPECT_FALSE(matches(reading(std::nullopt), event(R"({"source":"monitor","type":"heart"})")));
  EXPECT_FALSE(matches(reading(std::nullopt), event(R"({"source":"monitor","type":"heart","patientid":null})")));
}

TEST(EventKey, OfAnEventIsThatOfTheFilterItPasses) {
  for (const EventFilter& filter : {reading(std::nullopt), reading("P7"), EventFilter{"", "", "heart", {}}})
    EXPECT_EQ(key_of(event(kReading), shape_of(filter)), key_of(filter));
}

TEST(EventKey, OfAnEventDiffersFromThatOfAFilterItDoesNotPass) {
  EXPECT_NE(key_of(event(kReading), shape_of(reading("P8"))), key_of(reading("P8")));
  EXPECT_FALSE(key_of(event(R"({"source":"monitor","type":"heart"})"), shape_of(reading("P7"))).has_value());
  EXPECT_FALSE(key_of(event(R"({"source":"monitor","type":"heart"})"), shape_of(reading(std::nullopt))).has_value());
}

TEST(EventKey, TellsApartWhatIsOnlyWrittenAlike) {
  std::set<EventKey> keys;
  for (const auto& [source, type] : {std::pair{"ab", "c"}, std::pair{"a", "bc"}, std::pair{"", "abc"}})
    keys.insert(key_of(EventFilter{"", source, type, {}}));
  keys.insert(key_of(EventFilter{"", "ab", "c", {{"x", std::nullopt}}}));
  keys.insert(key_of(EventFilter{"", "ab", "c", {{"x", ""}}}));
  EXPECT_EQ(keys.size(), 5u);
}

TEST(EventKey, DiffersForAHundredThousandCorrelationValues) {
  std::set<EventKey> keys;
  for (int i = 0; i < 100'000; ++i) keys.insert(key_of(reading("P" + std::to_string(i))));
  EXPECT_EQ(keys.size(), 100'000u);
}

// Keys are in the stores of users.
TEST(EventKey, IsTheSameForEver) { EXPECT_EQ(to_hex(key_of(reading("P7"))), "63ed677c7fe083debbc49ba115e361fa"); }

}  // namespace
}  // namespace pawl::kernel
