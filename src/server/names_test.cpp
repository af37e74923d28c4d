// Tests of the names that clients know things by: ARNs, generated names, signed tokens.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "server/arns.h"
#include "server/server_test_fixture.h"
#include "server/signer.h"
#include "server/task_tokens.h"

namespace pawl::server {
namespace {

TEST(Arns, AreReadBack) {
  const Arns arns("eu-west-1", "123456789012");
  EXPECT_EQ(arns.of_machine("m"), "arn:aws:states:eu-west-1:123456789012:stateMachine:m");
  EXPECT_EQ(arns.parse_machine(arns.of_machine("m"))->name, "m");
  EXPECT_EQ(arns.parse_machine(arns.of_version("m", 7))->version, 7u);
  EXPECT_EQ(arns.parse_machine(arns.of_alias("m", "live"))->alias, "live");
  const auto execution = arns.parse_execution(arns.of_execution("m", "e"));
  EXPECT_EQ(execution->machine + "/" + execution->execution, "m/e");
}

TEST(Arns, AreRefusedInAwsWords) {
  const Arns arns("us-east-1", "000000000000");
  EXPECT_EQ(arns.parse_machine("not_a_valid_arn").error().message,
            "Invalid Arn: 'Invalid ARN prefix: not_a_valid_arn'");
  EXPECT_EQ(arns.parse_machine(arns.of_execution("m", "e")).error().message,
            "Invalid Arn: 'Resource type not valid in this context: execution'");
  for (const char* bad :
       {"", "arn", "arn:aws:states", "arn:aws:states:r:a:stateMachine:", "arn:aws:sqs:r:a:stateMachine:m",
        "arn:aws:states:r:a:stateMachine:m:", "arn:aws:states:r:a:stateMachine:m:1:2"})
    EXPECT_EQ(arns.parse_machine(bad).error().type, "InvalidArn") << bad;
  EXPECT_FALSE(arns.parse_execution("arn:aws:states:r:a:execution:m").has_value());
}

TEST(GeneratedNames, AreReadBackAndNoOthers) {
  for (const uint64_t number : {1ull, 4097ull, 0xFFFF000000000001ull}) {
    const std::string name = generated_name(ExecutionId(number));
    EXPECT_EQ(name.size(), 36u);
    EXPECT_EQ(parse_generated_name(name), ExecutionId(number));
    EXPECT_FALSE(parse_generated_name(name + "0"));
  }
  EXPECT_FALSE(parse_generated_name("my-execution"));
  EXPECT_FALSE(parse_generated_name("70617776-6c00-4000-0000-00000000000A"));  // it would be another spelling of one
}

TEST(Signer, KnowsItsOwnTokensOnly) {
  const Signer signer("key");
  const std::string token = signer.sign("task", "1-2");
  EXPECT_EQ(signer.verify("task", token), "1-2");
  EXPECT_FALSE(signer.verify("page", token));
  EXPECT_FALSE(Signer("other").verify("task", token));
  EXPECT_FALSE(signer.verify("task", "2" + token));
  EXPECT_FALSE(signer.verify("task", ""));
}

TEST(Signer, KeepsItsKeyInTheDirectory) {
  const TemporaryFolder folder;
  const auto first = Signer::open(folder.path());
  ASSERT_TRUE(first.has_value());
  EXPECT_TRUE(Signer::open(folder.path())->verify("task", first->sign("task", "text")));
  struct stat status{};
  ASSERT_EQ(::stat((folder.path() + "/key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST(Signer, RefusesADamagedKey) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/key") << "short";
  EXPECT_EQ(Signer::open(folder.path()).error().code, "SERVE_KEY_UNREADABLE");
}

TEST(TaskTokens, NameTheirOperation) {
  const Signer signer("key");
  TaskTokens tokens(signer);
  const TaskName name{ExecutionId(0xFFFFFFFFFFFFFFFF), OperationId(3), 2};
  const std::string token = tokens.mint(name.execution, name.operation, name.attempt);
  EXPECT_EQ(tokens.read(token), name);
  EXPECT_FALSE(tokens.read(signer.sign("task", "1-2")));
  EXPECT_FALSE(tokens.read(signer.sign("task", "1-2-3-4")));
}

}  // namespace
}  // namespace pawl::server
