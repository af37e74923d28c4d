// Functions over HTTP: this test is the worker, and whoever invokes.
#include "server/functions.h"

#include "server/functions_test_fixture.h"

namespace pawl::server {
namespace {

TEST_F(Functions, AreCalledWithTheirInputAndTheResultIsGivenToWhoWaits) {
  auto invoked = invoke_later("order", R"({ "id": 7 })", {{"X-Amz-Durable-Execution-Name", "seven"}});
  const Taken call = take();
  EXPECT_EQ(json::print(call.detail(0, "ExecutionDetails")), R"({"InputPayload":"{ \"id\": 7 }"})");
  EXPECT_EQ(answer(call, kDone).status, 202);
  const Spoken answered = invoked.get();
  EXPECT_EQ(answered.status, 200);
  EXPECT_EQ(answered.body, R"({"ok":true})");
  EXPECT_EQ(answered.header("X-Amz-Durable-Execution-Arn"), call.arn());
  EXPECT_EQ(answered.header("X-Amz-Executed-Version"), "$LATEST");
  EXPECT_TRUE(
      call.arn().starts_with("arn:aws:lambda:us-east-1:000000000000:function:order:$LATEST/durable-execution/seven/"));
}

TEST_F(Functions, TellAFailureAsLambdaDoes) {
  auto invoked = invoke_later("order", "{}");
  answer(take(), R"({"Status":"FAILED","Error":{"ErrorType":"Empty","ErrorMessage":"nothing","StackTrace":["a"]}})");
  const Spoken answered = invoked.get();
  EXPECT_EQ(answered.status, 200);
  EXPECT_EQ(answered.header("X-Amz-Function-Error"), "Unhandled");
  EXPECT_EQ(answered.body, R"({"errorMessage":"nothing","errorType":"Empty","stackTrace":["a"]})");
}

TEST_F(Functions, FailWithAnEnvelopeThatIsNone) {
  for (const char* rubbish : {"rubbish", "{}", R"({"Status":"DONE"})", R"({"Status":"PENDING"})"}) {
    auto invoked = invoke_later("order", "{}");
    answer(take(), rubbish);
    EXPECT_EQ(invoked.get().header("X-Amz-Function-Error"), "Unhandled") << rubbish;
  }
}

TEST_F(Functions, AreNotStartedByADryRun) {
  EXPECT_EQ(invoke("order", "{}", {{"X-Amz-Invocation-Type", "DryRun"}}).status, 204);
  EXPECT_EQ(invoke("order", "rubbish", {{"X-Amz-Invocation-Type", "DryRun"}}).error(),
            "400 InvalidRequestContentException");
}

TEST_F(Functions, RefuseBadInvocations) {
  EXPECT_EQ(invoke("nobody", "{}").error(), "404 ResourceNotFoundException");
  EXPECT_EQ(invoke("order:7", "{}").error(), "404 ResourceNotFoundException");
  EXPECT_EQ(invoke("a%20b", "{}").error(), "400 ValidationException");
  EXPECT_EQ(invoke("order", "{").error(), "400 InvalidRequestContentException");
  EXPECT_EQ(invoke("order", "{}", {{"X-Amz-Invocation-Type", "Now"}}).error(), "400 ValidationException");
  EXPECT_EQ(invoke("order", "{}", {{"X-Amz-Durable-Execution-Name", "a b"}}).error(), "400 ValidationException");
  EXPECT_EQ(invoke("plain", "{}", {{"X-Amz-Durable-Execution-Name", "a"}}).error(),
            "400 InvalidParameterValueException");
  EXPECT_EQ(invoke("slow", "{}").error(), "400 InvalidParameterValueException");
  const std::string large = "\"" + std::string(1'048'576, 'x') + "\"";
  EXPECT_EQ(invoke("order", large, {{"X-Amz-Invocation-Type", "Event"}}).error(), "413 RequestTooLargeException");
}

TEST_F(Functions, RunOnceForAName) {
  const std::string arn = start_order(R"({"n":1})", "one");
  EXPECT_EQ(start_order(R"({"n":1})", "one"), arn);
  EXPECT_EQ(invoke("order", R"({"n":2})", {{"X-Amz-Durable-Execution-Name", "one"}}).error(),
            "409 DurableExecutionAlreadyStartedException");
  auto joined = invoke_later("order", R"({"n":1})", {{"X-Amz-Durable-Execution-Name", "one"}});
  answer(take(), kDone);
  EXPECT_EQ(joined.get().body, R"({"ok":true})");
  EXPECT_EQ(invoke("order", R"({"n":1})", {{"X-Amz-Durable-Execution-Name", "one"}}).body, R"({"ok":true})");
  EXPECT_EQ(start_order(R"({"n":1})", "one"), arn);
  EXPECT_EQ(invoke("order", R"({"n":2})", {{"X-Amz-Durable-Execution-Name", "one"}}).error(),
            "409 DurableExecutionAlreadyStartedException");
}

TEST_F(Functions, ThatAreNotDurableAnswerWithWhatTheirCodeSays) {
  auto invoked = invoke_later("plain", R"({"a":1})");
  const Taken call = take("plain");
  EXPECT_EQ(json::print(call.event), R"({"a":1})");
  answer(call, R"([1, 2])", "plain");
  EXPECT_EQ(invoked.get().body, "[1, 2]");
  auto failing = invoke_later("plain", "{}");
  fail_call(take("plain"), R"({"errorType":"E","errorMessage":"m","stackTrace":[]})", "plain");
  const Spoken failed = failing.get();
  EXPECT_EQ(failed.header("X-Amz-Function-Error"), "Unhandled");
  EXPECT_EQ(failed.body, R"({"errorMessage":"m","errorType":"E","stackTrace":[]})");
}

TEST_F(Functions, RecordCheckpointsAndRotateTheirTokens) {
  const std::string arn = start_order();
  const Taken call = take();
  const Spoken first = checkpoint(arn, call.token(), kStep);
  ASSERT_EQ(first.status, 200) << first.body;
  EXPECT_NE(first.text("CheckpointToken"), call.token());
  const Value state = first.member("NewExecutionState");
  EXPECT_EQ(state.find("Operations")->size(), 1U);
  EXPECT_EQ(checkpoint(arn, call.token(), "[]").error(), "400 InvalidParameterValueException");
  EXPECT_EQ(checkpoint(arn, first.text("CheckpointToken"), "[]").status, 200);
}

TEST_F(Functions, AnswerACheckpointAgainWhoseAnswerWasLost) {
  const std::string arn = start_order();
  const Taken call = take();
  const Spoken first = checkpoint(arn, call.token(), kStep, "client-1");
  EXPECT_EQ(checkpoint(arn, call.token(), kStep, "client-1").body, first.body);
  EXPECT_EQ(checkpoint(arn, call.token(), "[]", "client-1").error(), "400 InvalidParameterValueException");
  EXPECT_EQ(checkpoint(arn, call.token(), kStep, "client-2").error(), "400 InvalidParameterValueException");
}

TEST_F(Functions, RefuseTokensThatAreNotTheirs) {
  const std::string arn = start_order();
  const Taken call = take();
  const std::string other = start_order();
  EXPECT_EQ(checkpoint(arn, "forged", "[]").text("Message"), "Invalid checkpoint token");
  EXPECT_EQ(checkpoint(other, call.token(), "[]").text("Message"),
            "Checkpoint token is not valid for the durable execution ARN");
  EXPECT_EQ(checkpoint("nothing", call.token(), "[]").error(), "400 InvalidParameterValueException");
  EXPECT_EQ(state(call, "forged").error(), "400 InvalidParameterValueException");
  answer(call, kDone);
  EXPECT_EQ(checkpoint(arn, call.token(), kStep).text("Message"), "Invalid checkpoint token");
}

TEST_F(Functions, SpellAStaleTokenAsTheJavaScriptSdkExpectsIt) {
  const std::string arn = start_order();
  const auto message = [&](const std::string& agent) {
    return checkpoint(arn, "stale", "[]", "", {{"User-Agent", "aws-sdk-js/3 aws-durable-execution-sdk-js/" + agent}})
        .text("Message");
  };
  EXPECT_EQ(message("2.4.0"), "Invalid Checkpoint Token");
  EXPECT_EQ(message("2.4.1 x"), "Invalid checkpoint token");
}

TEST_F(Functions, RecordNothingOfABatchThatIsRefused) {
  const std::string arn = start_order();
  const Taken call = take();
  const std::string bad = R"([{"Id":"a","Type":"STEP","Action":"START"},{"Id":"b","Type":"WAIT","Action":"SUCCEED"}])";
  EXPECT_EQ(checkpoint(arn, call.token(), bad).error(), "400 InvalidParameterValueException");
  EXPECT_EQ(checkpoint(arn, call.token(), R"([{"Id":"a"}])").error(), "400 ValidationException");
  EXPECT_EQ(checkpoint(arn, call.token(), "7").error(), "400 ValidationException");
  EXPECT_EQ(state(call, call.token()).member("Operations").size(), 1U);
}

TEST_F(Functions, PageThroughTheirState) {
  const std::string arn = start_order();
  const Taken call = take();
  const std::string token = checkpoint(arn, call.token(), kStep).text("CheckpointToken");
  const Spoken first = state(call, token, "&MaxItems=1");
  EXPECT_EQ(first.member("Operations").size(), 1U);
  const Spoken second = state(call, token, "&MaxItems=1&Marker=" + first.text("NextMarker"));
  const Value operations = second.member("Operations");
  EXPECT_EQ(json::print(*operations.at(0).find("Id")), R"("s1")");
  EXPECT_EQ(state(call, token, "&MaxItems=1001").error(), "400 InvalidParameterValueException");
}

TEST_F(Functions, AreCalledAgainWithWhatTheyRecordedWhenAWaitIsOver) {
  server_.reset();
  virtual_now_ = SystemClock().now();
  start_server();
  auto invoked = invoke_later("order", "{}");
  const Taken first = take();
  checkpoint(first.arn(), first.token(),
             R"([{"Id":"w","Type":"WAIT","Action":"START","WaitOptions":{"WaitSeconds":86400}}])");
  answer(first, R"({"Status":"PENDING"})");
  const Taken second = take();
  EXPECT_EQ(second.operations().size(), 2U);
  EXPECT_EQ(json::print(second.detail(1, "Status")), R"("SUCCEEDED")");
  answer(second, kDone);
  EXPECT_EQ(invoked.get().body, R"({"ok":true})");
}

TEST_F(Functions, AreCalledAnewAfterARestartAndTheOldTokenIsStale) {
  const std::string arn = start_order();
  const Taken before = take();
  ASSERT_EQ(checkpoint(arn, before.token(), kStep, "client").status, 200);
  restart();
  const Taken after = take();
  EXPECT_EQ(after.arn(), arn);
  EXPECT_EQ(after.operations().size(), 2U);
  EXPECT_EQ(checkpoint(arn, before.token(), kStep, "client").error(), "400 InvalidParameterValueException");
  EXPECT_EQ(answer(before, kDone).status, 400);
  EXPECT_EQ(checkpoint(arn, after.token(), "[]").status, 200);
}

// --- calls of other functions

std::string chained(const std::string& function) {
  return R"([{"Id":"c","Type":"CHAINED_INVOKE","Action":"START","Payload":"{\"x\":1}","ChainedInvokeOptions":{"FunctionName":")" +
         function + R"("}}])";
}

TEST_F(Functions, CallFunctionsThatAreNotDurable) {
  auto invoked = invoke_later("order", "{}");
  const Taken first = take();
  EXPECT_EQ(checkpoint(first.arn(), first.token(), chained("plain")).status, 200);
  answer(first, R"({"Status":"PENDING"})");
  const Taken called = take("plain");
  EXPECT_EQ(json::print(called.event), R"({"x":1})");
  answer(called, R"({"y": 2})", "plain");
  const Taken second = take();
  EXPECT_EQ(json::print(second.detail(1, "ChainedInvokeDetails")), R"({"Result":"{\"y\": 2}"})");
  answer(second, kDone);
  EXPECT_EQ(invoked.get().body, R"({"ok":true})");
}

TEST_F(Functions, AreToldOfTheErrorOfAFunctionTheyCall) {
  start_order();
  const Taken first = take();
  checkpoint(first.arn(), first.token(), chained("plain"));
  answer(first, R"({"Status":"PENDING"})");
  fail_call(take("plain"), R"({"errorType":"E","errorMessage":"m"})", "plain");
  const Taken second = take();
  EXPECT_EQ(json::print(second.detail(1, "Status")), R"("FAILED")");
  EXPECT_EQ(json::print(second.detail(1, "ChainedInvokeDetails")), R"({"Error":{"ErrorType":"E","ErrorMessage":"m"}})");
}

TEST_F(Functions, AreToldThatAFunctionTheyCallIsNotThere) {
  start_order();
  const Taken first = take();
  EXPECT_EQ(checkpoint(first.arn(), first.token(), chained("nobody")).status, 200);
  answer(first, R"({"Status":"PENDING"})");
  const Value details = take().detail(1, "ChainedInvokeDetails");
  EXPECT_EQ(json::print(*details.find("Error")->find("ErrorType")), R"("ResourceNotFoundException")");
}

TEST_F(Functions, CallDurableFunctionsOnceAlsoOverARestart) {
  start_order();
  const Taken first = take();
  checkpoint(first.arn(), first.token(), chained("slow:$LATEST"));
  answer(first, R"({"Status":"PENDING"})");
  const std::string child = take("slow").arn();
  restart();
  const Taken called = take("slow");
  EXPECT_EQ(called.arn(), child);
  answer(called, R"({"Status":"SUCCEEDED","Result":"7"})", "slow");
  const Taken second = take();
  EXPECT_EQ(json::print(second.detail(1, "ChainedInvokeDetails")), R"({"Result":"7"})");
}

TEST_F(Functions, CallStateMachines) {
  const std::string machine = create_machine("echo", kPass);
  start_order();
  const Taken first = take();
  checkpoint(first.arn(), first.token(), chained(machine));
  answer(first, R"({"Status":"PENDING"})");
  EXPECT_EQ(json::print(take().detail(1, "ChainedInvokeDetails")), R"({"Result":"{\"x\":1}"})");
}

TEST_F(Functions, AreCalledByTaskStates) {
  const std::string by_arn =
      R"({"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:plain","End":true}}})";
  const std::string machine = create_machine("caller", by_arn);
  const std::string execution = start_machine(machine, R"({"a":1})");
  const Taken call = take("plain");
  EXPECT_EQ(json::print(call.event), R"({"a":1})");
  answer(call, R"({"b":2})", "plain");
  EXPECT_EQ(end_of_machine(execution), R"(SUCCEEDED {"b":2})");
}

TEST_F(Functions, ThatAreDurableAreCalledByTaskStates) {
  const std::string by_name =
      R"({"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke",)"
      R"("Parameters":{"FunctionName":"order","Payload":{"a":1}},"OutputPath":"$.Payload","End":true}}})";
  const std::string execution = start_machine(create_machine("caller", by_name), "{}");
  const Taken call = take();
  EXPECT_EQ(json::print(call.detail(0, "ExecutionDetails")), R"({"InputPayload":"{\"a\":1}"})");
  restart();
  answer(take(), kDone);
  EXPECT_EQ(end_of_machine(execution), R"(SUCCEEDED {"ok":true})");
}

TEST_F(Functions, TellTaskStatesOfTheirErrors) {
  const std::string by_arn =
      R"({"StartAt":"T","States":{"T":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:order","End":true}}})";
  const std::string execution = start_machine(create_machine("caller", by_arn), "{}");
  answer(take(), R"({"Status":"FAILED","Error":{"ErrorType":"Empty","ErrorMessage":"nothing"}})");
  EXPECT_EQ(end_of_machine(execution), "FAILED Empty");
}

// --- their configuration

TEST_F(Functions, AreCreatedChangedAndDeleted) {
  const std::string path = "/2015-03-31/functions";
  const Spoken created =
      ask("POST", path,
          R"({"FunctionName":"new","Role":"r","Handler":"h","Timeout":5,"DurableConfig":{"ExecutionTimeout":60}})");
  ASSERT_EQ(created.status, 201) << created.body;
  EXPECT_EQ(created.text("FunctionArn"), "arn:aws:lambda:us-east-1:000000000000:function:new");
  EXPECT_EQ(json::print(created.member("DurableConfig")), R"({"ExecutionTimeout":60,"RetentionPeriodInDays":14})");
  EXPECT_EQ(ask("POST", path, R"({"FunctionName":"new"})").error(), "409 ResourceConflictException");
  EXPECT_EQ(ask("PUT", path + "/new/configuration", R"({"Timeout":7})").member("Timeout"), Value::integer(7));
  restart();
  EXPECT_EQ(ask("GET", path + "/new/configuration").member("Timeout"), Value::integer(7));
  EXPECT_EQ(ask("GET", path + "/new").status, 200);
  EXPECT_EQ(ask("GET", path).member("Functions").size(), 4U);
  EXPECT_EQ(ask("DELETE", path + "/new").status, 204);
  EXPECT_EQ(ask("GET", path + "/new").error(), "404 ResourceNotFoundException");
  EXPECT_EQ(ask("GET", path).member("Functions").size(), 3U);
}

TEST_F(Functions, RefuseBadConfigurations) {
  const std::string path = "/2015-03-31/functions";
  for (const char* bad :
       {R"({})", R"({"FunctionName":"a b"})", R"({"FunctionName":"a","Timeout":901})",
        R"({"FunctionName":"a","MemorySize":1})", R"({"FunctionName":"a","DurableConfig":{"ExecutionTimeout":0}})",
        R"({"FunctionName":"a","DurableConfig":{"RetentionPeriodInDays":91}})"})
    EXPECT_EQ(ask("POST", path, bad).error(), "400 ValidationException") << bad;
  EXPECT_EQ(ask("PUT", path + "/plain/configuration", R"({"DurableConfig":{"ExecutionTimeout":60}})").error(),
            "400 InvalidParameterValueException");
  EXPECT_EQ(ask("GET", path + "/a").error(), "404 ResourceNotFoundException");
}

TEST_F(Functions, ArePublishedAndRunTheVersionTheyBeganWith) {
  const std::string path = "/2015-03-31/functions/order/versions";
  EXPECT_EQ(ask("POST", path, "{}").text("Version"), "1");
  EXPECT_EQ(ask("POST", path, "{}").text("Version"), "1") << "nothing changed";
  ask("PUT", "/2015-03-31/functions/order/configuration", R"({"Timeout":7})");
  EXPECT_EQ(ask("POST", path, "{}").text("Version"), "2");
  auto invoked = invoke_later("order:1", "{}");
  const Taken call = take();
  EXPECT_NE(call.arn().find("function:order:1/durable-execution/"), std::string::npos);
  answer(call, kDone);
  EXPECT_EQ(invoked.get().header("X-Amz-Executed-Version"), "1");
}

TEST_F(Functions, ListTheirVersionsInPages) {
  const std::string path = "/2015-03-31/functions/order/versions";
  for (const char* seconds : {"7", "8", "9"}) {
    ask("PUT", "/2015-03-31/functions/order/configuration", R"({"Timeout":)" + std::string(seconds) + "}");
    ask("POST", path, "{}");
  }
  std::string listed;
  std::string marker;
  do {
    const Spoken page = ask("GET", path + "?MaxItems=2" + (marker.empty() ? "" : "&Marker=" + marker));
    const Value versions = page.member("Versions");
    for (const Value& version : versions.items())
      listed.append(version.find("Version")->as_string()).append(" ");
    listed += "| ";
    marker = page.text("NextMarker");
  } while (!marker.empty());
  EXPECT_EQ(listed, "$LATEST 1 | 2 3 | ");
  EXPECT_EQ(ask("GET", path + "?MaxItems=1").text("NextMarker"), "0");
  EXPECT_EQ(ask("GET", path + "?Marker=x").error(), "400 InvalidParameterValueException");
  EXPECT_EQ(ask("GET", path).member("Versions").size(), 4U);
}

TEST_F(Functions, TakeOneAnswerOfAWorker) {
  auto invoked = invoke_later("order", "{}");
  const Taken call = take();
  EXPECT_EQ(answer(call, kDone, "plain").status, 400) << "not its call";
  EXPECT_EQ(answer(call, kDone).status, 202);
  EXPECT_EQ(answer(call, R"({"Status":"FAILED"})").status, 400);
  EXPECT_EQ(invoked.get().body, R"({"ok":true})");
}

TEST_F(Functions, HaveNoWorkersWhereThereIsNoFunctionOrVersion) {
  for (const char* name : {"nobody", "order:1", "order:one", "order:"})
    EXPECT_EQ(ask("GET", runtime(name) + "invocation/next").status, 404) << name;
}

TEST_F(Functions, HaveWorkersOfTheirVersions) {
  ask("POST", "/2015-03-31/functions/order/versions", "{}");
  auto taken = std::async(std::launch::async, [this] { return take("order:1"); });
  do {  // the function's own workers get those that come before the version's has asked
    ASSERT_EQ(invoke("order:1", "{}", {{"X-Amz-Invocation-Type", "Event"}}).status, 202);
  } while (taken.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready);
  const Taken call = taken.get();
  EXPECT_EQ(answer(call, kDone).status, 400) << "it is of the version's workers";
  EXPECT_EQ(answer(call, kDone, "order:1").status, 202);
}

TEST_F(Functions, HaveTheSameWorkersAsTheirLatest) {
  const std::string arn = start_order();
  const Taken call = take("order:$LATEST");
  EXPECT_EQ(call.arn(), arn);
  EXPECT_EQ(answer(call, kDone).status, 202);
}

TEST_F(Functions, AreNotAmongTheStateMachines) {
  net::HttpRequest request;
  request.url = server_->url() + "/";
  request.headers.emplace_back("X-Amz-Target", "AWSStepFunctions.ListStateMachines");
  request.body = "{}";
  EXPECT_EQ(net::send(request)->body, R"({"stateMachines":[]})");
}

TEST_F(Functions, KnowNoOtherOperations) {
  EXPECT_EQ(ask("PUT", "/2025-12-01/nothing").error(), "404 UnknownOperationException");
}

}  // namespace
}  // namespace pawl::server
