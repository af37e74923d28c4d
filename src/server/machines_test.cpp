// Tests of the operations on state machines, over HTTP.
#include <gtest/gtest.h>

#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

class Machines : public ServerTest {
 protected:
  static constexpr const char* kArn = "arn:aws:states:us-east-1:000000000000:stateMachine:m";
};

TEST_F(Machines, AreCreatedAndDescribed) {
  EXPECT_EQ(create("m", kPass), kArn);
  const Answered described = call("DescribeStateMachine", "stateMachineArn", kArn);
  EXPECT_EQ(described.text("definition"), kPass);
  EXPECT_EQ(described.text("status"), "ACTIVE");
  EXPECT_EQ(described.text("type"), "STANDARD");
  EXPECT_EQ(described.text("roleArn"), "arn:aws:iam::000000000000:role/test");
  EXPECT_TRUE(described.body.find("creationDate")->is_number());
}

TEST_F(Machines, SurviveARestart) {
  create("m", kPass);
  restart();
  EXPECT_EQ(call("DescribeStateMachine", "stateMachineArn", kArn).text("definition"), kPass);
}

TEST_F(Machines, AreTheSameWhenCreatedAgain) {
  create("m", kPass);
  EXPECT_EQ(create("m", kPass), kArn);
  const Answered other = call("CreateStateMachine", creation("m", kWaitLong));
  EXPECT_EQ(other.status, 400);
  EXPECT_EQ(other.type(), "StateMachineAlreadyExists");
  EXPECT_EQ(other.message(), std::string("State Machine Already Exists: '") + kArn + "'");
}

TEST_F(Machines, AreRefusedWithAWrongDefinition) {
  const Answered refused =
      call("CreateStateMachine", creation("m", R"({"Comment":"BASE_INVALID_DER","StartAt":"State_1"})"));
  EXPECT_EQ(refused.type(), "InvalidDefinition");
  EXPECT_EQ(refused.message(),
            "Invalid State Machine Definition: 'SCHEMA_VALIDATION_FAILED: These fields are required: [States] at /'");
  EXPECT_EQ(call("DescribeStateMachine", "stateMachineArn", kArn).type(), "StateMachineDoesNotExist");
  EXPECT_EQ(call("CreateStateMachine", creation("m", "no: json")).type(), "InvalidDefinition");
}

TEST_F(Machines, AreRefusedWithABadName) {
  EXPECT_EQ(call("CreateStateMachine", creation("a b", kPass)).message(), "Invalid Name: 'a b'");
  EXPECT_EQ(call("CreateStateMachine", creation("a\x1f", kPass)).type(), "InvalidName");
  EXPECT_EQ(call("CreateStateMachine", creation("a\u0085", kPass)).type(), "InvalidName");
  EXPECT_EQ(call("CreateStateMachine", creation("\u00a9", kPass)).status, 200);
  EXPECT_EQ(call("CreateStateMachine", creation("", kPass)).type(), "ValidationException");
  EXPECT_EQ(call("CreateStateMachine", creation(std::string(81, 'a'), kPass)).type(), "ValidationException");
}

TEST_F(Machines, GetANewRevisionByAnUpdate) {
  create("m", kPass);
  const Answered updated =
      call("UpdateStateMachine", "{\"stateMachineArn\":\"" + std::string(kArn) +
                                     "\",\"definition\":" + json::print(Value::string(kWaitLong)) + "}");
  ASSERT_EQ(updated.status, 200) << updated.message();
  const Answered described = call("DescribeStateMachine", "stateMachineArn", kArn);
  EXPECT_EQ(described.text("definition"), kWaitLong);
  EXPECT_EQ(described.text("revisionId"), updated.text("revisionId"));
  EXPECT_EQ(call("UpdateStateMachine", "stateMachineArn", kArn).type(), "MissingRequiredParameter");
}

TEST_F(Machines, KeepRunningExecutionsOnTheirRevision) {
  create("m", kWaitLong);
  const std::string execution = start_execution(kArn).text("executionArn");
  call("UpdateStateMachine",
       "{\"stateMachineArn\":\"" + std::string(kArn) + "\",\"definition\":" + json::print(Value::string(kPass)) + "}");
  EXPECT_EQ(call("DescribeStateMachineForExecution", "executionArn", execution).text("definition"), kWaitLong);
  EXPECT_EQ(call("ListExecutions", "stateMachineArn", kArn).size_of("executions"), 1u);
}

TEST_F(Machines, AreGoneOnceDeletedButTheirExecutionsAreNot) {
  create("m", kPass);
  const std::string execution = start_execution(kArn, "{}", "one").text("executionArn");
  EXPECT_EQ(call("DeleteStateMachine", "stateMachineArn", kArn).status, 200);
  EXPECT_EQ(call("DeleteStateMachine", "stateMachineArn", kArn).status, 200);
  EXPECT_EQ(start_execution(kArn).message(), std::string("State Machine Does Not Exist: '") + kArn + "'");
  EXPECT_EQ(call("DescribeExecution", "executionArn", execution).text("status"), "SUCCEEDED");
  create("m", kWaitLong);
  EXPECT_EQ(start_execution(kArn, "{}", "one").status, 200) << "names of another machine's executions are free";
  EXPECT_EQ(call("DescribeExecution", "executionArn", execution).text("status"), "RUNNING");
}

TEST_F(Machines, AreListedInPages) {
  for (const char* name : {"c", "a", "b"}) create(name, kPass);
  const Answered first = call("ListStateMachines", R"({"maxResults":2})");
  ASSERT_EQ(first.size_of("stateMachines"), 2u);
  const Answered second = call("ListStateMachines", "nextToken", first.text("nextToken"));
  ASSERT_EQ(second.size_of("stateMachines"), 1u);
  EXPECT_EQ(*second.body.find("stateMachines")->at(0).find("name"), Value::string("c"));
  EXPECT_EQ(second.body.find("nextToken"), nullptr);
  EXPECT_EQ(call("ListStateMachines", "nextToken", "forged").type(), "InvalidToken");
}

TEST_F(Machines, HaveVersions) {
  create("m", kPass);
  const std::string version =
      call("PublishStateMachineVersion", "stateMachineArn", kArn).text("stateMachineVersionArn");
  EXPECT_EQ(version, std::string(kArn) + ":1");
  EXPECT_EQ(call("PublishStateMachineVersion", "stateMachineArn", kArn).text("stateMachineVersionArn"), version);
  EXPECT_EQ(call("ListStateMachineVersions", "stateMachineArn", kArn).size_of("stateMachineVersions"), 1u);
  EXPECT_EQ(start_execution(version).status, 200);
  EXPECT_EQ(call("DeleteStateMachineVersion", "stateMachineVersionArn", version).status, 200);
  EXPECT_EQ(start_execution(version).type(), "StateMachineDoesNotExist");
}

TEST_F(Machines, HaveAliases) {
  create("m", kPass);
  const std::string version =
      call("PublishStateMachineVersion", "stateMachineArn", kArn).text("stateMachineVersionArn");
  const auto routing = [&](int weight) {
    return R"("routingConfiguration":[{"stateMachineVersionArn":")" + version + R"(","weight":)" +
           std::to_string(weight) + "}]";
  };
  EXPECT_EQ(call("CreateStateMachineAlias", R"({"name":"live",)" + routing(99) + "}").type(), "ValidationException");
  const Answered created = call("CreateStateMachineAlias", R"({"name":"live",)" + routing(100) + "}");
  const std::string alias = created.text("stateMachineAliasArn");
  EXPECT_EQ(alias, std::string(kArn) + ":live") << created.message();
  EXPECT_EQ(call("DeleteStateMachineVersion", "stateMachineVersionArn", version).type(), "ConflictException");
  restart();
  EXPECT_EQ(start_execution(alias).status, 200);
  EXPECT_EQ(call("DescribeStateMachineAlias", "stateMachineAliasArn", alias).size_of("routingConfiguration"), 1u);
  EXPECT_EQ(call("ListStateMachineAliases", "stateMachineArn", kArn).size_of("stateMachineAliases"), 1u);
  EXPECT_EQ(
      call("UpdateStateMachineAlias", R"({"stateMachineAliasArn":")" + alias + R"(","description":"new"})").status,
      200);
  EXPECT_EQ(call("DescribeStateMachineAlias", "stateMachineAliasArn", alias).text("description"), "new");
  EXPECT_EQ(call("DeleteStateMachineAlias", "stateMachineAliasArn", alias).status, 200);
  EXPECT_EQ(start_execution(alias).type(), "StateMachineDoesNotExist");
  EXPECT_EQ(call("DescribeStateMachineAlias", "stateMachineAliasArn", alias).type(), "ResourceNotFound");
}

TEST_F(Machines, RouteByTheWeightsOfAnAlias) {
  create("m", kPass);
  call("PublishStateMachineVersion", "stateMachineArn", kArn);
  call("UpdateStateMachine", "{\"stateMachineArn\":\"" + std::string(kArn) +
                                 "\",\"publish\":true,\"definition\":" + json::print(Value::string(kWaitLong)) + "}");
  const auto route = [&](const char* version, int weight) {
    return R"({"stateMachineVersionArn":")" + std::string(kArn) + ":" + version + R"(","weight":)" +
           std::to_string(weight) + "}";
  };
  const Answered created = call("CreateStateMachineAlias", R"({"name":"live","routingConfiguration":[)" +
                                                               route("1", 0) + "," + route("2", 100) + "]}");
  ASSERT_EQ(created.status, 200) << created.message();
  for (int i = 0; i < 10; ++i) {
    const std::string execution = start_execution(created.text("stateMachineAliasArn")).text("executionArn");
    EXPECT_EQ(call("DescribeStateMachineForExecution", "executionArn", execution).text("definition"), kWaitLong);
  }
}

TEST_F(Machines, HaveTags) {
  create("m", kPass);
  const std::string arn = "\"resourceArn\":\"" + std::string(kArn) + "\"";
  EXPECT_EQ(call("TagResource", "{" + arn + R"(,"tags":[{"key":"team","value":"a"},{"key":"x","value":"y"}]})").status,
            200);
  EXPECT_EQ(call("UntagResource", "{" + arn + R"(,"tagKeys":["x","absent"]})").status, 200);
  EXPECT_EQ(json::print(call("ListTagsForResource", "{" + arn + "}").body), R"({"tags":[{"key":"team","value":"a"}]})");
  EXPECT_EQ(call("TagResource", "{" + arn + R"(,"tags":[{"value":"a"}]})").type(), "ValidationException");
}

TEST_F(Machines, AreValidatedWithoutBeingCreated) {
  const Answered good = call("ValidateStateMachineDefinition", "definition", kPass);
  EXPECT_EQ(good.text("result"), "OK");
  EXPECT_EQ(call("ValidateStateMachineDefinition", "definition", "{}").text("result"), "FAIL");
}

}  // namespace
}  // namespace pawl::server
