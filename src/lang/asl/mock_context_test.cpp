#include "lang/asl/mock_context.h"

#include <gtest/gtest.h>

namespace pawl::asl {
namespace {

constexpr const char* kPlain = "arn:aws:states:::sqs:sendMessage";
constexpr const char* kCallback = "arn:aws:states:::sqs:sendMessage.waitForTaskToken";

// Why a context is refused; "" where it is taken.
std::string refusal(const char* context, std::string_view resource = kPlain) {
  const auto read = read_mock_context(Value::string(context), resource);
  constexpr std::string_view kBefore = "Invalid Context object provided: ";
  return read ? "" : read.error().message.substr(kBefore.size());
}

TEST(IntegrationPattern, IsTheEndOfTheAction) {
  EXPECT_EQ(integration_pattern(kPlain), "");
  EXPECT_EQ(integration_pattern(kCallback), ".waitForTaskToken");
  EXPECT_EQ(integration_pattern("arn:aws:states:::states:startExecution.sync:2"), ".sync:2");
  EXPECT_EQ(integration_pattern("arn:aws:states:::ecs:runTask.sync"), ".sync");
}

TEST(ReadMockContext, TakesEveryFieldThatTheContextObjectHas) {
  EXPECT_EQ(refusal(R"({"Execution":{"Id":"i","Input":[1],"Name":"n","RoleArn":"r","StartTime":"t","RedriveCount":1},)"
                    R"("State":{"EnteredTime":"t","Name":"n","RetryCount":2},"StateMachine":{"Id":"i","Name":"n"}})"),
            "");
  EXPECT_TRUE(read_mock_context(Value(), kPlain)->is_null());
}

TEST(ReadMockContext, RefusesWhatTheContextObjectDoesNotHave) {
  EXPECT_EQ(refusal(R"({"Coffee":{}})"), "Field 'Coffee' is not allowed");
  EXPECT_EQ(refusal(R"({"Execution":{"Coffee":1}})"), "Field 'Coffee' is not allowed");
  EXPECT_EQ(refusal(R"({"Map":{}})"), "'Map' field is not supported when mocking a Context object");
}

TEST(ReadMockContext, RefusesWrongTypes) {
  EXPECT_EQ(refusal(R"({"State":{"Name":1}})"), "State.Name must be a string");
  EXPECT_EQ(refusal(R"({"State":{"RetryCount":"1"}})"), "State.RetryCount must be a number");
  EXPECT_EQ(refusal(R"({"State":1})"), "State must be an object");
  EXPECT_EQ(refusal("[]"), "it must be an object");
  EXPECT_TRUE(refusal("{").starts_with("it is not valid JSON"));
}

TEST(ReadMockContext, HasATokenOnlyWhereATaskWaitsForMore) {
  EXPECT_EQ(refusal(R"({"Task":{"Token":"t"}})", kCallback), "");
  EXPECT_TRUE(refusal(R"({"Task":{"Token":"t"}})").starts_with("Context object contains 'Task'"));
}

}  // namespace
}  // namespace pawl::asl
