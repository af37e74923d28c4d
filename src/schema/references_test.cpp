#include "schema/references.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.h"

namespace pawl::schema {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> found(std::string_view document, std::string_view uri) {
  return references_of(json::parse(document).value(), uri);
}

TEST(ReferencesOf, AreSeenFromTheDocument) {
  EXPECT_THAT(found(R"({"items":{"$ref":"b.json#/x"},"anyOf":[{"$ref":"../c.json"},{"$ref":"b.json"}]})", "a/a.json"),
              ElementsAre("a/b.json", "c.json"));
  EXPECT_THAT(found(R"({"$ref":"b.json"})", ""), ElementsAre("b.json"));
  EXPECT_THAT(found(R"({"$ref":"./b.json"})", "../common/a.json"), ElementsAre("../common/b.json"));
}

TEST(ReferencesOf, AreSeenFromTheIdOnTheWay) {
  EXPECT_THAT(found(R"({"$id":"https://example.org/s/a.json","not":{"$ref":"b.json"}})", "a.json"),
              ElementsAre("https://example.org/s/b.json"));
}

TEST(ReferencesOf, DoNotHoldTheDocumentItself) {
  EXPECT_THAT(found(R"({"$ref":"#/definitions/x","not":{"$ref":"a.json#/y"}})", "a.json"), IsEmpty());
  EXPECT_THAT(found("true", "a.json"), IsEmpty());
}

}  // namespace
}  // namespace pawl::schema
