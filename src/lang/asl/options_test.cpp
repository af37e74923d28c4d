#include "lang/asl/options.h"

#include <gtest/gtest.h>

namespace pawl::asl {
namespace {

TEST(Options, FollowAwsUntilSetOtherwise) {
  const Options options;
  EXPECT_FALSE(options.spec_errors);
  EXPECT_FALSE(options.express);
  EXPECT_FALSE(options.task_timeout_seconds.has_value());
}

TEST(Options, TakeTheTextsErrorsAndGoBack) {
  Options options;
  ASSERT_TRUE(options.set("errors=spec"));
  EXPECT_TRUE(options.spec_errors);
  ASSERT_TRUE(options.set("errors=aws"));
  EXPECT_FALSE(options.spec_errors);
}

TEST(Options, TakeATaskTimeoutInSeconds) {
  Options options;
  ASSERT_TRUE(options.set("task_timeout=60"));
  EXPECT_EQ(options.task_timeout_seconds, 60);
}

TEST(Options, TakeTheTypeOfTheMachine) {
  Options options;
  ASSERT_TRUE(options.set("type=express"));
  EXPECT_TRUE(options.express);
}

TEST(Options, RefuseValuesOutsideTheirRange) {
  for (const char* assignment :
       {"task_timeout=", "task_timeout=0", "task_timeout=-1", "task_timeout=6x", "task_timeout=100000000",
        "task_timeout=99999999999999999999", "errors=both", "errors=", "type=EXPRESS", "errors"}) {
    Options options;
    const Result<void> result = options.set(assignment);
    ASSERT_FALSE(result) << assignment;
    EXPECT_EQ(result.error().code, "OPTION_INVALID") << assignment;
    EXPECT_FALSE(result.error().fix.empty()) << assignment;
  }
}

TEST(Options, NameTheOptionThatDoesNotExist) {
  Options options;
  const Result<void> result = options.set("colour=red");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "OPTION_UNKNOWN");
  EXPECT_NE(result.error().what.find("colour"), std::string::npos);
}

}  // namespace
}  // namespace pawl::asl
