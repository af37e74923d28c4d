#include "server/fields.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace pawl::server {
namespace {

constexpr Field kFields[] = {
    {"name", FieldKind::kText, true, 1, 5},         {"type", FieldKind::kText, false, 0, 100, "STANDARD, EXPRESS"},
    {"count", FieldKind::kInteger, false, 0, 1000}, {"deep", FieldKind::kObject},
    {"many", FieldKind::kList, false, 0, 2},        {"on", FieldKind::kFlag}};

Outcome<Request> read(std::string_view text) { return Request::read(json::parse(text).value(), kFields); }

std::string refusal_of(std::string_view text) {
  const auto request = read(text);
  return request ? "accepted" : request.error().type + ": " + request.error().message;
}

TEST(Request, GivesTheFieldsOfAGoodBody) {
  const auto request = read(R"({"name":"abc","type":"EXPRESS","count":7,"on":true,"many":[1],"deep":null})");
  ASSERT_TRUE(request.has_value()) << request.error().message;
  EXPECT_EQ(request->text("name"), "abc");
  EXPECT_EQ(request->integer("count", 0), 7);
  EXPECT_TRUE(request->flag("on", false));
  EXPECT_FALSE(request->has("deep"));
  EXPECT_EQ(request->integer("absent", 3), 3);
}

TEST(Request, RefusesAMissingField) {
  EXPECT_EQ(
      refusal_of("{}"),
      "ValidationException: 1 validation error detected: Value null at 'name' failed to satisfy constraint: Member "
      "must not be null");
  EXPECT_EQ(refusal_of(R"({"name":null})"), refusal_of("{}"));
}

TEST(Request, RefusesAWrongType) {
  EXPECT_EQ(refusal_of(R"({"name":1})"), "SerializationException: NUMBER_VALUE can not be converted to a String");
  EXPECT_EQ(refusal_of(R"({"name":"a","count":1.5})"),
            "SerializationException: DECIMAL_VALUE can not be converted to an Integer");
  EXPECT_EQ(refusal_of(R"({"name":"a","deep":[]})"),
            "SerializationException: START_ARRAY can not be converted to a Structure");
  EXPECT_EQ(refusal_of("[]"), "SerializationException: START_ARRAY can not be converted to a Structure");
}

TEST(Request, CountsCharactersNotBytes) {
  EXPECT_EQ(refusal_of(R"({"name":"äöüäö"})"), "accepted");
  EXPECT_EQ(refusal_of(R"({"name":"äöüäöü"})"),
            "ValidationException: 1 validation error detected: Value 'äöüäöü' at 'name' failed to satisfy constraint: "
            "Member must have length less than or equal to 5");
}

TEST(Request, RefusesWhatIsOutOfRange) {
  EXPECT_NE(refusal_of(R"({"name":""})").find("length greater than or equal to 1"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"name":"a","count":1001})").find("'1001' at 'count'"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"name":"a","count":-1})").find("value greater than or equal to 0"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"name":"a","many":[1,2,3]})").find("less than or equal to 2"), std::string::npos);
}

TEST(Request, RefusesAValueThatIsNotInTheSet) {
  EXPECT_NE(refusal_of(R"({"name":"a","type":"STANDARD, EXPRESS"})").find("enum value set: [STANDARD, EXPRESS]"),
            std::string::npos);
  EXPECT_NE(refusal_of(R"({"name":"a","type":"STAND"})"), "accepted");
}

TEST(Request, NamesEveryFieldAtFaultAndUnknownOnes) {
  const std::string refusal = refusal_of(R"({"count":-1,"cuont":1})");
  EXPECT_TRUE(refusal.starts_with("ValidationException: 3 validation errors detected: ")) << refusal;
  EXPECT_NE(refusal.find("'cuont'"), std::string::npos);
}

}  // namespace
}  // namespace pawl::server
