#include "lang/asl/resource.h"

#include <gtest/gtest.h>

namespace pawl::asl {
namespace {

struct Example {
  std::string_view resource;
  ResourceFamily family;
  std::string_view type;
  std::string_view action;
};

class ParseResource : public testing::TestWithParam<Example> {};

TEST_P(ParseResource, NamesFamilyTypeAndAction) {
  const Example& example = GetParam();
  const ResourceName name = parse_resource(example.resource);
  EXPECT_EQ(name.family, example.family);
  EXPECT_EQ(name.type, example.type);
  EXPECT_EQ(name.action, example.action);
}

constexpr std::string_view kFunction = "arn:aws:lambda:us-east-1:111111111111:function:Hello:1";
constexpr std::string_view kActivity = "arn:aws:states:us-east-1:111111111111:activity:Pack";

INSTANTIATE_TEST_SUITE_P(
    Resources, ParseResource,
    testing::Values(Example{kFunction, ResourceFamily::kLambdaFunction, "lambda", kFunction},
                    Example{kActivity, ResourceFamily::kActivity, "activity", kActivity},
                    Example{"arn:aws:states:::sqs:sendMessage.waitForTaskToken", ResourceFamily::kTask, "sqs",
                            "sendMessage.waitForTaskToken"},
                    Example{"arn:aws:states:::states:startExecution.sync:2", ResourceFamily::kTask, "states",
                            "startExecution.sync:2"},
                    Example{"arn:aws:states:::aws-sdk:s3:getObject", ResourceFamily::kTask, "aws-sdk:s3", "getObject"},
                    Example{"arn:aws:states:::lonely", ResourceFamily::kTask, "lonely", "lonely"},
                    Example{"https://example.com/pay", ResourceFamily::kTask, "http", "https://example.com/pay"},
                    Example{"pay", ResourceFamily::kTask, "task", "pay"},
                    Example{"", ResourceFamily::kTask, "task", ""},
                    Example{"arn:", ResourceFamily::kTask, "", "arn:"}));

TEST(ArnPart, IsEmptyBehindTheEnd) {
  EXPECT_EQ(arn_part("arn:aws:states:us-east-1:1:execution:Order:one", 3), "us-east-1");
  EXPECT_EQ(arn_part("arn:aws", 3), "");
  EXPECT_EQ(arn_part("", 0), "");
}

}  // namespace
}  // namespace pawl::asl
