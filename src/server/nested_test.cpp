// Task states that start executions, over HTTP and through restarts.
#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

constexpr const char* kAnswer =
    R"({"StartAt":"A","States":{"A":{"Type":"Pass","Result":{"Arg1":"argument1"},"End":true}}})";
constexpr const char* kFails =
    R"({"StartAt":"F","States":{"F":{"Type":"Fail","Error":"SomeFailure","Cause":"as it should"}}})";

class NestedTest : public ServerTest {
 protected:
  // A machine of one Task that starts what `parameters` say.
  static std::string starting(const std::string& suffix, const std::string& parameters, const std::string& more = "") {
    return R"({"StartAt":"Start","States":{"Start":{"Type":"Task","Resource":"arn:aws:states:::states:startExecution)" +
           suffix + R"(","Parameters":)" + parameters + more + R"(,"End":true}}})";
  }
  std::string start_parent(const std::string& definition) const {
    static int last = 0;
    return start_execution(create("parent-" + std::to_string(++last), definition)).text("executionArn");
  }
  Answered run_parent(const std::string& definition) const { return wait_for_end(start_parent(definition)); }

  // The only execution of a machine, when there is one.
  std::string only_execution(const std::string& machine_arn) const {
    const Answered listed = poll("ListExecutions", "stateMachineArn", machine_arn,
                                 [](const Answered& answered) { return answered.size_of("executions") == 1; });
    return std::string(listed.body.find("executions")->items()[0].find("executionArn")->as_string());
  }

  static Value parsed(const std::string& text) { return json::parse(text).value(); }
  static std::string text_at(const Value& value, std::string_view name) {
    const Value* found = value.find(name);
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
  }
  static std::string names_of(const Value& object) {
    std::string names;
    for (const json::Member& member : object.members()) names += std::string(member.key.as_string()) + " ";
    return names;
  }
  std::string types_of_history(const std::string& execution_arn) const {
    const Answered history = call("GetExecutionHistory", "executionArn", execution_arn);
    std::string types;
    for (const Value& event : history.body.find("events")->items()) types += text_at(event, "type") + " ";
    return types;
  }
  static std::string quoted(const std::string& arn) { return "\"" + arn + "\""; }
};

TEST_F(NestedTest, StartsAndGoesOn) {
  const std::string child = create("child", kWaitLong);
  const Answered parent =
      run_parent(starting("", R"({"StateMachineArn":)" + quoted(child) + R"(,"Name":"one","Input":{"a":1}})"));
  ASSERT_EQ(parent.text("status"), "SUCCEEDED") << json::print(parent.body);
  const Value output = parsed(parent.text("output"));
  EXPECT_EQ(names_of(output), "ExecutionArn StartDate ");
  const Answered described = call("DescribeExecution", "executionArn", text_at(output, "ExecutionArn"));
  EXPECT_EQ(described.text("name"), "one");
  EXPECT_EQ(described.text("input"), R"({"a":1})");
  EXPECT_EQ(described.text("status"), "RUNNING");
}

TEST_F(NestedTest, WaitsForTheEndAndTellsItInText) {
  const std::string child = create("child", kAnswer);
  const std::string parent =
      start_parent(starting(".sync", R"({"StateMachineArn":)" + quoted(child) + R"(,"Input":null})"));
  const Answered ended = wait_for_end(parent);
  ASSERT_EQ(ended.text("status"), "SUCCEEDED") << json::print(ended.body);
  const Value output = parsed(ended.text("output"));
  EXPECT_EQ(names_of(output),
            "ExecutionArn Input InputDetails Name Output OutputDetails RedriveCount RedriveStatus RedriveStatusReason "
            "StartDate StateMachineArn Status StopDate ");
  EXPECT_EQ(text_at(output, "Input"), "{}");
  EXPECT_EQ(text_at(output, "Output"), R"({"Arg1":"argument1"})");
  EXPECT_EQ(json::print(*output.find("InputDetails")), R"({"Included":true})");
  EXPECT_EQ(text_at(output, "Status"), "SUCCEEDED");
  EXPECT_EQ(types_of_history(parent),
            "ExecutionStarted TaskStateEntered TaskScheduled TaskStarted TaskSubmitted TaskSucceeded TaskStateExited "
            "ExecutionSucceeded ");
}

TEST_F(NestedTest, TellsTheEndInJsonWithSync2) {
  const std::string child = create("child", kAnswer);
  const Answered parent =
      run_parent(starting(".sync:2", R"({"StateMachineArn":)" + quoted(child) + R"(,"Input":{"b":[2]}})"));
  ASSERT_EQ(parent.text("status"), "SUCCEEDED") << json::print(parent.body);
  const Value output = parsed(parent.text("output"));
  EXPECT_EQ(json::print(*output.find("Input")), R"({"b":[2]})");
  EXPECT_EQ(json::print(*output.find("Output")), R"({"Arg1":"argument1"})");
}

TEST_F(NestedTest, FailsWithTheDescriptionOfAChildThatFailed) {
  const std::string child = create("child", kFails);
  for (const std::string suffix : {".sync", ".sync:2"}) {
    const Answered parent = run_parent(starting(suffix, R"({"StateMachineArn":)" + quoted(child) + "}"));
    EXPECT_EQ(parent.text("status"), "FAILED");
    EXPECT_EQ(parent.text("error"), "States.TaskFailed");
    const Value cause = parsed(parent.text("cause"));
    EXPECT_EQ(text_at(cause, "Error"), "SomeFailure");
    EXPECT_EQ(text_at(cause, "Cause"), "as it should");
    EXPECT_EQ(text_at(cause, "Input"), "{}");
    EXPECT_EQ(text_at(cause, "Status"), "FAILED");
  }
}

TEST_F(NestedTest, FailsLikeAwsWhereTheMachineIsNotThere) {
  const std::string missing = "arn:aws:states:us-east-1:000000000000:stateMachine:none";
  const Answered parent = run_parent(starting("", R"({"StateMachineArn":)" + quoted(missing) + "}"));
  EXPECT_EQ(parent.text("error"), "StepFunctions.StateMachineDoesNotExistException");
  const std::string begin = "State Machine Does Not Exist: '" + missing +
                            "' (Service: AWSStepFunctions; Status Code: 400; Error Code: StateMachineDoesNotExist; ";
  EXPECT_TRUE(parent.text("cause").starts_with(begin)) << parent.text("cause");
}

TEST_F(NestedTest, FailsWhereParametersAreMissingOrUnknown) {
  const std::string child = create("child", kAnswer);
  EXPECT_EQ(run_parent(starting("", "{}")).text("error"), "States.Runtime");
  EXPECT_EQ(run_parent(starting("", R"({"StateMachineArn":)" + quoted(child) + R"(,"Nme":"x"})")).text("error"),
            "States.Runtime");
  EXPECT_EQ(run_parent(starting("", R"({"StateMachineArn":)" + quoted(child) + R"(,"Name":"a b"})")).text("error"),
            "StepFunctions.InvalidNameException");
  EXPECT_EQ(run_parent(starting("", R"({"StateMachineArn":)" + quoted(child) + R"(,"Input":"{"})")).text("error"),
            "StepFunctions.InvalidExecutionInputException");
}

TEST_F(NestedTest, RefusesANameThatIsTaken) {
  const std::string child = create("child", kAnswer);
  wait_for_end(start_execution(child, "{}", "taken").text("executionArn"));
  const Answered parent =
      run_parent(starting(".sync", R"({"StateMachineArn":)" + quoted(child) + R"(,"Name":"taken"})"));
  EXPECT_EQ(parent.text("error"), "StepFunctions.ExecutionAlreadyExistsException");
}

TEST_F(NestedTest, StartsAnExpressMachineButDoesNotWaitForIt) {
  json::ObjectBuilder body;
  body.set("name", Value::string("quick"));
  body.set("definition", Value::string(kAnswer));
  body.set("roleArn", Value::string("arn:aws:iam::000000000000:role/test"));
  body.set("type", Value::string("EXPRESS"));
  const std::string child = call("CreateStateMachine", json::print(body.build())).text("stateMachineArn");
  const Answered plain = run_parent(starting("", R"({"StateMachineArn":)" + quoted(child) + R"(,"Name":"n"})"));
  EXPECT_EQ(plain.text("status"), "SUCCEEDED") << json::print(plain.body);
  EXPECT_NE(text_at(parsed(plain.text("output")), "ExecutionArn").find(":express:quick:n:"), std::string::npos);
  const Answered sync = run_parent(starting(".sync", R"({"StateMachineArn":)" + quoted(child) + "}"));
  EXPECT_EQ(sync.text("error"), "StepFunctions.StateMachineTypeNotSupportedException");
}

TEST_F(NestedTest, StopsTheChildWithItsParentAndWaitsThroughRestarts) {
  const std::string child = create("child", kWaitLong);
  const std::string parent = start_parent(starting(".sync:2", R"({"StateMachineArn":)" + quoted(child) + "}"));
  const std::string child_execution = only_execution(child);
  restart();
  EXPECT_EQ(call("DescribeExecution", "executionArn", parent).text("status"), "RUNNING");
  call("StopExecution", "executionArn", parent);
  EXPECT_EQ(wait_for_end(child_execution).text("status"), "ABORTED");
}

TEST_F(NestedTest, TellsAParentAfterARestartThatItsChildWasStopped) {
  const std::string child = create("child", kWaitLong);
  const std::string parent = start_parent(starting(".sync", R"({"StateMachineArn":)" + quoted(child) + "}"));
  const std::string child_execution = only_execution(child);
  restart();
  call("StopExecution", R"({"executionArn":)" + quoted(child_execution) + R"(,"error":"Mine","cause":"enough"})");
  const Answered ended = wait_for_end(parent);
  EXPECT_EQ(ended.text("error"), "States.TaskFailed");
  EXPECT_EQ(text_at(parsed(ended.text("cause")), "Status"), "ABORTED");
  EXPECT_EQ(text_at(parsed(ended.text("cause")), "Error"), "Mine");
}

TEST_F(NestedTest, StopsTheChildWhenTheTaskTimesOut) {
  const std::string child = create("child", kWaitLong);
  const std::string parent =
      start_parent(starting(".sync", R"({"StateMachineArn":)" + quoted(child) + "}", R"(,"TimeoutSeconds":1)"));
  EXPECT_EQ(wait_for_end(parent).text("error"), "States.Timeout");
  EXPECT_EQ(wait_for_end(only_execution(child)).text("status"), "ABORTED");
}

}  // namespace
}  // namespace pawl::server
