#include "normalise.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace pawl::conformance {
namespace {

std::vector<std::string> compared(std::string_view recorded, std::string_view ours) {
  return differences(json::parse(recorded).value(), json::parse(ours).value());
}

TEST(FitsPattern, LetsAPlaceholderStandForAnyText) {
  EXPECT_TRUE(fits_pattern("arn:<partition>:sqs:<region>:1", "arn:aws:sqs:us-east-1:1"));
  EXPECT_TRUE(fits_pattern("<<task_token>:1>", "exec0-1-0"));
}

TEST(FitsPattern, ComparesWhatIsOutsideThePlaceholders) {
  EXPECT_FALSE(fits_pattern("arn:<partition>:sqs:<region>:1", "arn:aws:sns:us-east-1:1"));
  EXPECT_FALSE(fits_pattern("<uuid:1> done", "4711 begun"));
}

TEST(FitsPattern, TakesALoneBracketLiterally) {
  EXPECT_TRUE(fits_pattern("1 < 2", "1 < 2"));
  EXPECT_FALSE(fits_pattern("1 < 2", "1 < 3"));
}

TEST(Differences, LetAWholePlaceholderStandForAnyValue) {
  EXPECT_TRUE(compared(R"({"at":"date","id":"<uuid:1>"})", R"({"at":17,"id":{"a":1}})").empty());
}

TEST(Differences, DoNotCountTheOrderOfMembers) {
  EXPECT_TRUE(compared(R"({"a":1,"b":2})", R"({"b":2,"a":1.0})").empty());
}

TEST(Differences, LookIntoTextsThatHoldJson) {
  EXPECT_TRUE(compared(R"("{\"a\": 1}")", R"("{\"a\":1}")").empty());
  EXPECT_EQ(compared(R"("{\"a\":1}")", R"("{\"a\":2}")").size(), 1);
}

TEST(Differences, NameThePlace) {
  EXPECT_EQ(compared(R"({"a":[1,2]})", R"({"a":[1,3]})"), std::vector<std::string>{"/a/1: recorded 2, ours 3"});
}

TEST(Differences, FindMembersThatOnlyOneSideHas) { EXPECT_EQ(compared(R"({"a":1})", R"({"b":1})").size(), 2); }

TEST(Differences, TellATextFromANumber) { EXPECT_EQ(compared(R"("1")", "1").size(), 1); }

TEST(Transformers, ReplaceInEveryTextAndKey) {
  const Transformers transformers({{"name_[0-9]+", "<name>"}, {"role", "$1"}});
  const Value ours = transformers.apply(json::parse(R"({"name_1":["a name_22 b","role"]})").value());
  EXPECT_EQ(ours, json::parse(R"({"<name>":["a <name> b","$1"]})").value());
}

}  // namespace
}  // namespace pawl::conformance
