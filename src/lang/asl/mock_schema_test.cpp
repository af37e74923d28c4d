#include "lang/asl/mock_schema.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "lang/asl/mock_schema_table.h"

namespace pawl::asl {
namespace {

constexpr std::string_view kStates = "arn:aws:states:::";

// Why a result is refused; "" where it is taken.
std::string refusal(const std::string& resource, std::string_view result, std::string_view mode = "STRICT") {
  const auto checked = check_mock_result(std::string(kStates) + resource, json::parse(result).value(), mode);
  constexpr std::string_view kBefore = "Mock result schema validation error: ";
  if (checked) return "";
  EXPECT_EQ(checked.error().type, "ValidationException");
  EXPECT_TRUE(checked.error().message.starts_with(kBefore));
  return checked.error().message.substr(kBefore.size());
}

TEST(CheckMockResult, ReadsEveryShapeOfTheTable) {
  EXPECT_GT(mock_schemas().size(), 50u);
  for (const MockSchema& schema : mock_schemas())
    EXPECT_EQ(refusal(std::string(schema.resource), "{}", "PRESENT"), "") << schema.resource;
}

TEST(CheckMockResult, WantsRequiredFieldsWhereItIsStrict) {
  EXPECT_EQ(refusal("states:startExecution", "{}"), "Required field 'ExecutionArn' is missing");
  EXPECT_EQ(refusal("states:startExecution", R"({"ExecutionArn":null,"StartDate":"x"})"),
            "Required field 'ExecutionArn' is missing");
  EXPECT_EQ(refusal("states:startExecution", "{}", "PRESENT"), "");
}

TEST(CheckMockResult, WantsTheTypesThatTheServiceHas) {
  EXPECT_EQ(refusal("sqs:sendMessage", R"({"MessageId":5})"), "Field 'MessageId' must be a string");
  EXPECT_EQ(refusal("lambda:invoke", R"({"StatusCode":"200"})"), "Field 'StatusCode' must be a number");
  EXPECT_EQ(refusal("events:putEvents", R"({"Entries":{}})"), "Field 'Entries' must be an array");
  EXPECT_EQ(refusal("events:putEvents", R"({"Entries":[5]})"), "Field 'Entries' must be an object");
  EXPECT_EQ(refusal("dynamodb:getItem", R"({"Item":[]})"), "Field 'Item' must be an object");
  EXPECT_EQ(refusal("dynamodb:getItem", R"({"Item":{"a":{"BOOL":"yes"}}})"), "Field 'BOOL' must be a boolean");
  EXPECT_EQ(refusal("sqs:sendMessage", "[]"), "Mock result must be an object");
}

TEST(CheckMockResult, TakesAnyPayloadOfALambdaFunction) {
  for (const char* payload : {"1", "[]", "{}", "\"x\"", "null"})
    EXPECT_EQ(refusal("lambda:invoke", R"({"Payload":)" + std::string(payload) + "}"), "") << payload;
  EXPECT_EQ(refusal("aws-sdk:lambda:invoke", R"({"Payload":{}})"), "Field 'Payload' must be a string");
}

TEST(CheckMockResult, KeepsTheBoundsOfLengthAndValue) {
  const std::string longer(6145, 'x');
  EXPECT_EQ(refusal("aws-sdk:kms:encrypt", R"({"CiphertextBlob":""})"),
            "Field 'CiphertextBlob' is smaller than the minimum length");
  EXPECT_EQ(refusal("aws-sdk:kms:encrypt", R"({"CiphertextBlob":")" + longer + "\"}"),
            "Field 'CiphertextBlob' exceeds the maximum length");
  const auto with_memory = [](int size) { return R"({"Configuration":{"MemorySize":)" + std::to_string(size) + "}}"; };
  EXPECT_EQ(refusal("aws-sdk:lambda:getFunction", with_memory(127)),
            "Field 'MemorySize' is less than the minimum value");
  EXPECT_EQ(refusal("aws-sdk:lambda:getFunction", with_memory(10241)), "Field 'MemorySize' exceeds the maximum value");
  EXPECT_EQ(refusal("aws-sdk:lambda:getFunction", with_memory(10240)), "");
}

TEST(CheckMockResult, LooksAtNothingWhereItIsToldSoOrDoesNotKnowTheService) {
  EXPECT_EQ(refusal("sqs:sendMessage", R"({"MessageId":5})", "NONE"), "");
  EXPECT_EQ(refusal("sqs:sendMessage.waitForTaskToken", "5"), "");
  EXPECT_EQ(refusal("aws-sdk:unheard:of", "5"), "");
}

TEST(CheckMockResult, KnowsAServiceInEveryPartition) {
  const Value result = json::parse(R"({"MessageId":5})").value();
  EXPECT_FALSE(check_mock_result("arn:aws-cn:states:::sqs:sendMessage", result, "").has_value());
  EXPECT_TRUE(check_mock_result("https://x.test/:states:::sqs:sendMessage", result, "").has_value());
}

}  // namespace
}  // namespace pawl::asl
