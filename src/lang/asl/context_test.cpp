#include "lang/asl/context.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace pawl::asl {
namespace {

const ContextFacts kFacts{.execution_arn = "arn:aws:states:us-east-1:000000000000:execution:Order:one",
                          .execution_name = "one",
                          .role_arn = "arn:aws:iam::000000000000:role/Order",
                          .machine_arn = "arn:aws:states:us-east-1:000000000000:stateMachine:Order",
                          .machine_name = "Order",
                          .started = Timestamp(std::chrono::milliseconds(1'457'920'740'123))};

Value made_with(std::string_view given) {
  return make_context(kFacts, json::parse(R"({"id":7})").value(), json::parse(given).value());
}

TEST(MakeContext, HasTheMembersThatAwsShows) {
  EXPECT_EQ(json::print(made_with("null")),
            R"({"Execution":{"Id":"arn:aws:states:us-east-1:000000000000:execution:Order:one","Input":{"id":7},)"
            R"("Name":"one","RoleArn":"arn:aws:iam::000000000000:role/Order","StartTime":"2016-03-14T01:59:00.123Z",)"
            R"("RedriveCount":0},"StateMachine":{"Id":"arn:aws:states:us-east-1:000000000000:stateMachine:Order",)"
            R"("Name":"Order"}})");
}

TEST(MakeContext, LetsAGivenMemberReplaceOnlyItself) {
  const Value context = made_with(R"({"Execution":{"Name":"given"}})");
  EXPECT_EQ(*context.find("Execution")->find("Name"), Value::string("given"));
  EXPECT_EQ(*context.find("Execution")->find("RoleArn"), Value::string(kFacts.role_arn));
}

TEST(MakeContext, AddsGivenMembersThatItDoesNotKnow) {
  const Value context = made_with(R"({"Tenant":{"Id":3}})");
  EXPECT_EQ(json::print(*context.find("Tenant")), R"({"Id":3})");
}

TEST(MakeContext, ReplacesAScalarByAGivenObject) {
  const Value context = made_with(R"({"StateMachine":{"Name":{"full":"Order"}}})");
  EXPECT_EQ(json::print(*context.find("StateMachine")->find("Name")), R"({"full":"Order"})");
}

}  // namespace
}  // namespace pawl::asl
