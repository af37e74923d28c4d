// Functions over HTTP: this test is the worker, and whoever invokes.
#include "server/functions.h"

#include <future>

#include "server/server_test_fixture.h"

namespace pawl::server {
namespace {

struct Spoken {
  int status = 0;
  std::string body;
  net::HttpHeaders headers;

  Value json() const { return json::parse(body).value_or(Value()); }
  std::string text(std::string_view name) const {
    const Value parsed = json();
    const Value* found = parsed.find(name);
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
  }
  Value member(std::string_view name) const {
    const Value parsed = json();
    const Value* found = parsed.find(name);
    return found == nullptr ? Value() : *found;
  }
  std::string header(std::string_view name) const { return std::string(headers.get(name)); }
  std::string error() const { return std::to_string(status) + " " + header("x-amzn-errortype"); }
};

// A call that the worker has taken.
struct Taken {
  std::string id;
  Value event;

  std::string token() const { return std::string(event.find("CheckpointToken")->as_string()); }
  std::string arn() const { return std::string(event.find("DurableExecutionArn")->as_string()); }
  Value operations() const { return *event.find("InitialExecutionState")->find("Operations"); }
  Value detail(size_t operation, std::string_view name) const {
    const Value all = operations();
    return *all.at(operation).find(name);
  }
};

class Functions : public testing::Test {
 protected:
  Functions() {
    serve("order", {});
    serve("plain", {.is_durable = false});
    serve("slow", {.execution_timeout = std::chrono::hours(1)});
    start();
  }

  void serve(const std::string& name, const FunctionSettings& settings) {
    ServedFunction function;
    function.command.function = name;
    function.configuration = function_members(settings);
    functions_.push_back(std::move(function));
  }
  void start() {
    ServerOptions options;
    options.directory = folder_.path();
    options.port = 0;
    options.virtual_now = virtual_now_;
    options.functions = functions_;
    auto server = Server::start(std::move(options));
    ASSERT_TRUE(server.has_value()) << to_string(server.error());
    server_ = std::move(*server);
  }
  void restart() {
    server_.reset();
    start();
  }

  using Headers = std::vector<std::pair<std::string, std::string>>;
  Spoken ask(const std::string& method, const std::string& path, std::string body = {}, Headers headers = {}) const {
    net::HttpRequest request;
    request.method = method;
    request.url = server_->url() + path;
    request.body = std::move(body);
    for (auto& [name, value] : headers) request.headers.emplace_back(std::move(name), std::move(value));
    const auto response = net::send(request);
    if (!response) {
      ADD_FAILURE() << to_string(response.error());
      return {};
    }
    Spoken spoken{response->status, response->body, {}};
    for (const auto& [name, value] : response->headers) spoken.headers.add(name, value);
    return spoken;
  }
  Spoken invoke(const std::string& function, const std::string& payload, Headers headers = {}) const {
    return ask("POST", "/2015-03-31/functions/" + function + "/invocations", payload, std::move(headers));
  }
  // Starts an execution that nobody waits for; gives its ARN.
  std::string start_order(const std::string& payload = "{}", const std::string& name = "") const {
    Headers headers{{"X-Amz-Invocation-Type", "Event"}};
    if (!name.empty()) headers.emplace_back("X-Amz-Durable-Execution-Name", name);
    const Spoken started = invoke("order", payload, std::move(headers));
    EXPECT_EQ(started.status, 202) << started.body;
    return started.header("X-Amz-Durable-Execution-Arn");
  }
  std::future<Spoken> invoke_later(const std::string& function, const std::string& payload,
                                   Headers headers = {}) const {
    return std::async(std::launch::async, [=, this] { return invoke(function, payload, headers); });
  }

  // --- as the worker

  static std::string runtime(const std::string& function) { return "/runtime/" + function + "/2018-06-01/runtime/"; }
  Taken take(const std::string& function = "order") const {
    const Spoken next = ask("GET", runtime(function) + "invocation/next");
    EXPECT_EQ(next.status, 200) << next.body;
    return {next.header("Lambda-Runtime-Aws-Request-Id"), next.json()};
  }
  Spoken answer(const Taken& call, const std::string& body, const std::string& function = "order") const {
    return ask("POST", runtime(function) + "invocation/" + call.id + "/response", body);
  }
  Spoken fail_call(const Taken& call, const std::string& body, const std::string& function = "order") const {
    return ask("POST", runtime(function) + "invocation/" + call.id + "/error", body);
  }

  static std::string encoded(std::string_view arn) {
    std::string out;
    for (const char c : arn) out += c == ':' ? "%3A" : c == '/' ? "%2F" : c == '$' ? "%24" : std::string(1, c);
    return out;
  }
  Spoken checkpoint(const std::string& arn, const std::string& token, const std::string& updates,
                    const std::string& client = "", Headers headers = {}) const {
    const std::string with_client = client.empty() ? "" : R"(,"ClientToken":")" + client + "\"";
    return ask("POST", "/2025-12-01/durable-executions/" + encoded(arn) + "/checkpoint",
               R"({"CheckpointToken":")" + token + R"(","Updates":)" + updates + with_client + "}", std::move(headers));
  }
  Spoken state(const Taken& call, const std::string& token, const std::string& more = "") const {
    return ask("GET",
               "/2025-12-01/durable-executions/" + encoded(call.arn()) + "/state?CheckpointToken=" + token + more);
  }

  // --- as a client of Step Functions

  Value call_states(const std::string& operation, const Value& body) const {
    const Spoken spoken = ask("POST", "/", json::print(body), {{"X-Amz-Target", "AWSStepFunctions." + operation}});
    EXPECT_EQ(spoken.status, 200) << spoken.body;
    return spoken.json();
  }
  std::string create_machine(const std::string& name, const std::string& definition) const {
    json::ObjectBuilder body;
    body.set("name", Value::string(name));
    body.set("definition", Value::string(definition));
    body.set("roleArn", Value::string("arn:aws:iam::000000000000:role/test"));
    const Value created = call_states("CreateStateMachine", body.build());
    return std::string(created.find("stateMachineArn")->as_string());
  }
  std::string start_machine(const std::string& arn, const std::string& input) const {
    json::ObjectBuilder body;
    body.set("stateMachineArn", Value::string(arn));
    body.set("input", Value::string(input));
    const Value started = call_states("StartExecution", body.build());
    return std::string(started.find("executionArn")->as_string());
  }
  // "SUCCEEDED" and the output, or another status and the error.
  std::string end_of_machine(const std::string& execution) const {
    json::ObjectBuilder body;
    body.set("executionArn", Value::string(execution));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (const Value asked = body.build();;) {
      const Value described = call_states("DescribeExecution", asked);
      const std::string status(described.find("status")->as_string());
      const Value* told = described.find(status == "SUCCEEDED" ? "output" : "error");
      if (status != "RUNNING") return status + " " + std::string(told == nullptr ? "" : told->as_string());
      if (std::chrono::steady_clock::now() > deadline) return "RUNNING";
      std::this_thread::yield();
    }
  }

  static constexpr const char* kStep =
      R"([{"Id":"s1","Type":"STEP","Action":"START","Name":"charge"},)"
      R"({"Id":"s1","Type":"STEP","Action":"SUCCEED","Name":"charge","Payload":"\"paid\""}])";
  static constexpr const char* kDone = R"({"Status":"SUCCEEDED","Result":"{\"ok\":true}"})";

  TemporaryFolder folder_;
  std::optional<Timestamp> virtual_now_;
  std::vector<ServedFunction> functions_;
  std::unique_ptr<Server> server_;
};

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
  start();
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
  EXPECT_EQ(ask("GET", path).member("Versions").size(), 3U);
}

TEST_F(Functions, TakeOneAnswerOfAWorker) {
  auto invoked = invoke_later("order", "{}");
  const Taken call = take();
  EXPECT_EQ(answer(call, kDone, "plain").status, 400) << "not its call";
  EXPECT_EQ(answer(call, kDone).status, 202);
  EXPECT_EQ(answer(call, R"({"Status":"FAILED"})").status, 400);
  EXPECT_EQ(invoked.get().body, R"({"ok":true})");
}

TEST_F(Functions, HaveNoWorkersWhereThereIsNoFunction) {
  EXPECT_EQ(ask("GET", runtime("nobody") + "invocation/next").status, 404);
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
