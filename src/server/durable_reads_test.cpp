// Durable executions, as those see them who read, list, stop and answer.
#include <gmock/gmock.h>

#include "server/functions_test_fixture.h"

namespace pawl::server {
namespace {

using testing::HasSubstr;

constexpr const char* kExecutions = "/2025-12-01/durable-executions/";
constexpr const char* kCallbacks = "/2025-12-01/durable-execution-callbacks/";
constexpr const char* kWait = R"([{"Id":"w","Type":"WAIT","Action":"START","WaitOptions":{"WaitSeconds":3600}}])";
constexpr const char* kCallback =
    R"([{"Id":"c","Type":"CALLBACK","Action":"START","Name":"ask","CallbackOptions":{"TimeoutSeconds":3600}}])";
constexpr const char* kPending = R"({"Status":"PENDING"})";

class DurableReads : public Functions {
 protected:
  Spoken get(const std::string& arn, const std::string& more = "") const {
    return ask("GET", kExecutions + encoded(arn) + more);
  }
  Spoken list(const std::string& query = "", const std::string& function = "order") const {
    return ask("GET", "/2025-12-01/functions/" + function + "/durable-executions" + query);
  }
  Spoken stop(const std::string& arn, const std::string& error = "") const {
    return ask("POST", kExecutions + encoded(arn) + "/stop", error);
  }
  // One that waits for an hour, or that has ended.
  std::string start_waiting(const std::string& name = "") const {
    const std::string arn = start_order("{}", name);
    const Taken call = take();
    checkpoint(arn, call.token(), kWait);
    answer(call, kPending);
    return arn;
  }
  std::string run(const std::string& name = "", const std::string& envelope = kDone) const {
    auto invoked =
        invoke_later("order", R"({"n":1})", name.empty() ? Headers() : Headers{{"X-Amz-Durable-Execution-Name", name}});
    const Taken call = take();
    checkpoint(call.arn(), call.token(), kStep);
    answer(call, envelope);
    return invoked.get().header("X-Amz-Durable-Execution-Arn");
  }
  // An execution that waits for a callback, and the callback's id.
  std::pair<std::string, std::string> start_asking() const {
    const std::string arn = start_order();
    const Taken call = take();
    const Spoken taken = checkpoint(arn, call.token(), kCallback);
    answer(call, kPending);
    const Value state = taken.member("NewExecutionState");
    const Value& operation = state.find("Operations")->at(0);
    return {arn, std::string(operation.find("CallbackDetails")->find("CallbackId")->as_string())};
  }
  // Of the callback, as the next call is told of it; null where there is none.
  static Value told(const Taken& call, std::string_view name) {
    const Value details = call.detail(1, "CallbackDetails");
    const Value* found = details.find(name);
    return found == nullptr ? Value() : *found;
  }
  static std::vector<int64_t> ids_of(const Spoken& page) {
    std::vector<int64_t> ids;
    const Value events = page.member("Events");
    for (const Value& event : events.items()) ids.push_back(event.find("EventId")->as_integer().value_or(0));
    return ids;
  }
  static std::string names_of(const Spoken& page) {
    std::string names;
    const Value executions = page.member("DurableExecutions");
    for (const Value& execution : executions.items())
      names += std::string(execution.find("DurableExecutionName")->as_string()) + " ";
    return names;
  }
};

// --- get

TEST_F(DurableReads, TellWhatRunsAndHowItEnded) {
  const std::string waiting = start_waiting("one");
  const Spoken running = get(waiting);
  EXPECT_EQ(running.status, 200);
  EXPECT_EQ(running.text("DurableExecutionArn"), waiting);
  EXPECT_EQ(running.text("DurableExecutionName"), "one");
  EXPECT_EQ(running.text("FunctionArn"), "arn:aws:lambda:us-east-1:000000000000:function:order:$LATEST");
  EXPECT_EQ(running.text("Status"), "RUNNING");
  EXPECT_EQ(running.text("Version"), "$LATEST");
  EXPECT_EQ(running.text("InputPayload"), "{}");
  EXPECT_TRUE(running.member("EndTimestamp").is_null());
  EXPECT_TRUE(running.member("StartTimestamp").is_number());
  EXPECT_TRUE(running.member("DurableConfig").is_object());

  const Spoken ended = get(run());
  EXPECT_EQ(ended.text("Status"), "SUCCEEDED");
  EXPECT_EQ(ended.text("Result"), R"({"ok":true})");
  EXPECT_TRUE(ended.member("EndTimestamp").is_number());
  const Spoken failed =
      get(run("", R"({"Status":"FAILED","Error":{"ErrorType":"T","ErrorMessage":"M","ErrorData":"D"}})"));
  EXPECT_EQ(failed.text("Status"), "FAILED");
  EXPECT_EQ(json::print(failed.member("Error")), R"({"ErrorType":"T","ErrorMessage":"M","ErrorData":"D"})");
}

TEST_F(DurableReads, LeaveTheDataOutWhereItIsNotWanted) {
  const Spoken bare = get(run(), "?IncludeExecutionData=false");
  EXPECT_EQ(bare.status, 200);
  EXPECT_TRUE(bare.member("InputPayload").is_null());
  EXPECT_TRUE(bare.member("Result").is_null());
  EXPECT_EQ(bare.member("ExecutionDataIncluded"), Value::boolean(false));
  EXPECT_EQ(get(run(), "?IncludeExecutionData=perhaps").error(), "400 ValidationException");
}

TEST_F(DurableReads, RefuseWhatIsNotThere) {
  const std::string arn = start_waiting("one");
  std::string other = arn;
  other.replace(other.find("/one/"), 5, "/two/");
  const std::string nobody = arn.substr(0, arn.rfind('/')) + "/70617776-6c00-4000-0000-0000000fffff";
  for (const char* what : {"", "/history"}) {
    EXPECT_EQ(get(other, what).error(), "404 ResourceNotFoundException") << what;
    EXPECT_EQ(get(nobody, what).error(), "404 ResourceNotFoundException") << what;
    EXPECT_EQ(get("none", what).error(), "400 ValidationException") << what;
  }
  EXPECT_EQ(get(nobody).text("Message"), "Durable Execution does not exist");
  EXPECT_EQ(stop(nobody).error(), "404 ResourceNotFoundException");
}

// --- history

TEST_F(DurableReads, GiveAHistoryInPagesAndBothOrders) {
  const std::string arn = run();
  const Spoken all = get(arn, "/history");
  EXPECT_EQ(ids_of(all), (std::vector<int64_t>{1, 2, 3, 4, 5}));
  EXPECT_TRUE(all.member("NextMarker").is_null());
  const Spoken first = get(arn, "/history?MaxItems=2");
  EXPECT_EQ(ids_of(first), (std::vector<int64_t>{1, 2}));
  const std::string marker = first.text("NextMarker");
  EXPECT_EQ(ids_of(get(arn, "/history?MaxItems=2&Marker=" + marker)), (std::vector<int64_t>{3, 4}));
  const Spoken newest = get(arn, "/history?MaxItems=3&ReverseOrder=true");
  EXPECT_EQ(ids_of(newest), (std::vector<int64_t>{5, 4, 3}));
  const Spoken oldest = get(arn, "/history?ReverseOrder=true&MaxItems=3&Marker=" + newest.text("NextMarker"));
  EXPECT_EQ(ids_of(oldest), (std::vector<int64_t>{2, 1}));
  EXPECT_TRUE(oldest.member("NextMarker").is_null());
  EXPECT_EQ(get(arn, "/history?ReverseOrder=true&Marker=" + marker).error(), "400 InvalidParameterValueException");
  EXPECT_EQ(get(arn, "/history?Marker=forged").error(), "400 InvalidParameterValueException");
  EXPECT_EQ(get(arn, "/history?MaxItems=1001").error(), "400 ValidationException");
  EXPECT_EQ(ids_of(get(arn, "/history?MaxItems=0")).size(), 5u);
}

TEST_F(DurableReads, GiveAHistoryWithoutData) {
  const Value events = get(run(), "/history?IncludeExecutionData=false").member("Events");
  EXPECT_EQ(json::print(*events.at(0).find("ExecutionStartedDetails")->find("Input")), R"({"Truncated":true})");
  EXPECT_EQ(json::print(*events.at(4).find("ExecutionSucceededDetails")->find("Result")), R"({"Truncated":true})");
}

// --- lists

TEST_F(DurableReads, ListByFunctionInBothOrdersAndPages) {
  for (const char* name : {"a", "b", "c"}) start_waiting(name);
  EXPECT_EQ(names_of(list()), "c b a ");
  EXPECT_EQ(names_of(list("?ReverseOrder=true")), "a b c ");
  const Spoken newest = list("?MaxItems=2");
  EXPECT_EQ(names_of(newest), "c b ");
  EXPECT_EQ(names_of(list("?MaxItems=2&Marker=" + newest.text("NextMarker"))), "a ");
  const Spoken oldest = list("?MaxItems=2&ReverseOrder=true");
  EXPECT_EQ(names_of(list("?MaxItems=2&ReverseOrder=true&Marker=" + oldest.text("NextMarker"))), "c ");
  EXPECT_EQ(list("?Marker=" + oldest.text("NextMarker")).error(), "400 InvalidParameterValueException");
  EXPECT_EQ(names_of(list("", "slow")), "");
  EXPECT_EQ(list("", "nobody").error(), "404 ResourceNotFoundException");
}

TEST_F(DurableReads, ListByNameStatusAndTime) {
  stop(start_waiting("a"));
  start_waiting("b");
  EXPECT_EQ(names_of(list("?DurableExecutionName=a")), "a ");
  EXPECT_EQ(names_of(list("?DurableExecutionName=none")), "");
  EXPECT_EQ(names_of(list("?Statuses=STOPPED")), "a ");
  EXPECT_EQ(names_of(list("?Statuses=RUNNING&DurableExecutionName=a")), "");
  EXPECT_EQ(names_of(list("?StartedBefore=2020-01-01T00%3A00%3A00Z")), "");
  EXPECT_EQ(names_of(list("?StartedAfter=2020-01-01T00%3A00%3A00Z")), "b a ");
  EXPECT_EQ(list("?Statuses=RUNNING&Statuses=FAILED").text("Message"), "Cannot filter by more than one status");
  EXPECT_EQ(list("?Statuses=DONE").error(), "400 ValidationException");
  EXPECT_EQ(list("?StartedAfter=yesterday").error(), "400 ValidationException");
  EXPECT_EQ(list("?DurableExecutionName=a%20b").error(), "400 ValidationException");
}

// --- stop

TEST_F(DurableReads, ListThoseOfLatestBehindAnyNumberOfThoseOfAVersion) {
  const std::string arn = start_order();
  ASSERT_EQ(ask("POST", "/2015-03-31/functions/order/versions", "{}").text("Version"), "1");
  for (int i = 0; i < 4; ++i) ASSERT_EQ(invoke("order:1", "{}", {{"X-Amz-Invocation-Type", "Event"}}).status, 202);
  const Value listed = list("?MaxItems=1").member("DurableExecutions");
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed.at(0).find("DurableExecutionArn")->as_string(), arn);
  EXPECT_EQ(list("?MaxItems=3", "order:1").member("DurableExecutions").size(), 3u);
}

TEST_F(DurableReads, StopOnceWithTheErrorGiven) {
  const std::string arn = start_waiting();
  const Spoken stopped = stop(arn, R"({"ErrorType":"Ops","ErrorMessage":"halt","StackTrace":["a"]})");
  EXPECT_EQ(stopped.status, 200);
  const Spoken ended = get(arn);
  EXPECT_EQ(ended.text("Status"), "STOPPED");
  EXPECT_EQ(json::print(ended.member("Error")), R"({"ErrorType":"Ops","ErrorMessage":"halt","StackTrace":["a"]})");
  EXPECT_EQ(ended.member("EndTimestamp"), stopped.member("StopTimestamp"));
  EXPECT_EQ(stop(arn).member("StopTimestamp"), stopped.member("StopTimestamp"));
  EXPECT_EQ(json::print(get(arn).member("Error")), json::print(ended.member("Error")));
}

TEST_F(DurableReads, RefuseAStopWithRubbish) {
  const std::string arn = start_waiting();
  EXPECT_EQ(stop(arn, "rubbish").error(), "400 InvalidRequestContentException");
  EXPECT_EQ(stop(arn, R"({"ErrorType":7})").error(), "400 ValidationException");
  EXPECT_EQ(stop(arn, R"({"StackTrace":[7]})").error(), "400 ValidationException");
  EXPECT_EQ(get(arn).text("Status"), "RUNNING");
}

// --- callbacks

TEST_F(DurableReads, TakeACallbackOnce) {
  const auto [arn, id] = start_asking();
  EXPECT_EQ(ask("POST", kCallbacks + id + "/heartbeat").status, 200);
  EXPECT_EQ(ask("POST", kCallbacks + id + "/succeed", R"({"approved":true})").body, "{}");
  for (const char* what : {"/succeed", "/fail", "/heartbeat"})
    EXPECT_EQ(ask("POST", kCallbacks + id + what).error(), "400 CallbackTimeoutException") << what;
  const Taken again = take();
  EXPECT_EQ(json::print(told(again, "Result")), R"("{\"approved\":true}")");
  answer(again, kDone);
}

TEST_F(DurableReads, TakeAFailureWithItsErrorWhole) {
  const auto [arn, id] = start_asking();
  const std::string error = R"({"ErrorMessage":"no","ErrorType":"Rejected","ErrorData":"d"})";
  EXPECT_EQ(ask("POST", kCallbacks + id + "/fail", error).status, 200);
  const Taken again = take();
  EXPECT_EQ(again.detail(1, "Status"), Value::string("FAILED"));
  EXPECT_EQ(json::print(told(again, "Error")), error);
  answer(again, kDone);
}

TEST_F(DurableReads, TakeAnAnswerWithNothingInIt) {
  const auto [first, success] = start_asking();
  EXPECT_EQ(ask("POST", kCallbacks + success + "/succeed").status, 200);
  const Taken succeeded = take();
  EXPECT_TRUE(told(succeeded, "Result").is_null());
  answer(succeeded, kDone);
  const auto [second, failure] = start_asking();
  EXPECT_EQ(ask("POST", kCallbacks + failure + "/fail").status, 200);
  const Taken failed = take();
  EXPECT_EQ(json::print(told(failed, "Error")), "{}");
  answer(failed, kDone);
}

TEST_F(DurableReads, RefuseCallbacksOfNobodyAndRubbish) {
  for (const char* what : {"/succeed", "/fail", "/heartbeat"}) {
    const Spoken refused = ask("POST", std::string(kCallbacks) + "QUJD%2B%2F%3D%3D" + what);
    EXPECT_EQ(refused.error(), "400 InvalidParameterValueException") << what;
    EXPECT_EQ(refused.text("Message"), "Invalid callback id") << what;
  }
  const auto [arn, id] = start_asking();
  EXPECT_EQ(ask("POST", kCallbacks + id + "/succeed", std::string(262'145, 'x')).error(), "400 ValidationException");
  EXPECT_EQ(ask("POST", kCallbacks + id + "/succeed", "\xFF").error(), "400 InvalidParameterValueException");
  EXPECT_EQ(ask("POST", kCallbacks + id + "/fail", "rubbish").error(), "400 InvalidRequestContentException");
  EXPECT_EQ(get(arn).text("Status"), "RUNNING");
}

TEST_F(DurableReads, KeepTheIdOfACallbackOverARestart) {
  const auto [arn, id] = start_asking();
  restart();
  EXPECT_EQ(ask("POST", kCallbacks + id + "/succeed", "1").status, 200);
  answer(take(), kDone);
}

// --- Pawl's own REST

TEST_F(DurableReads, AreFoundByPawlsOwnRest) {
  const std::string arn = start_waiting("one");
  for (const std::string& subject : {encoded(arn), std::string("order:one"), std::string("function:order:one")}) {
    EXPECT_EQ(ask("GET", "/api/executions/" + subject).text("name"), "one") << subject;
    EXPECT_EQ(ask("GET", "/api/executions/" + subject + "/facts").status, 200) << subject;
  }
  EXPECT_EQ(ask("GET", "/api/executions/order:none").status, 404);
  EXPECT_EQ(ask("GET", "/api/executions/one").status, 404);
}

TEST_F(DurableReads, StreamTheirEventsAsLambdaHasThem) {
  const std::string arn = run("one");
  const Spoken stream = ask("GET", "/api/executions/order:one/facts/stream?as=events");
  EXPECT_THAT(stream.body, HasSubstr(R"("EventType":"StepSucceeded")"));
  EXPECT_THAT(stream.body, HasSubstr("event: end"));
}

}  // namespace
}  // namespace pawl::server
