// The SDK's client for other programs (pawl/durable_client.h), every call of it, against a real server.
#include "pawl/durable_client.h"

#include <gmock/gmock.h>

#include "pawl/durable/service.h"
#include "server/functions_test_fixture.h"

namespace pawl::server {
namespace {

constexpr const char* kPending = R"({"Status":"PENDING"})";
constexpr const char* kWait = R"([{"Id":"w","Type":"WAIT","Action":"START","WaitOptions":{"WaitSeconds":3600}}])";
constexpr const char* kCallback = R"([{"Id":"c","Type":"CALLBACK","Action":"START","Name":"ask"}])";

class DurableClient : public Functions {
 protected:
  durable::Client client() const {
    durable::ClientOptions options;
    options.endpoint = server_->url();
    options.region = "us-east-1";
    options.access_key = "AKIAFAKE";
    options.secret_key = "fake";
    return durable::Client(options);
  }
  std::string begin(const std::string& name) const {
    return client().invoke("order", "{}", {.execution_name = name, .asynchronous = true}).execution_arn;
  }
  std::string start_waiting(const std::string& name) const {
    const std::string arn = begin(name);
    const Taken call = take();
    checkpoint(arn, call.token(), kWait);
    answer(call, kPending);
    return arn;
  }
  // The id of the callback that an execution waits for.
  std::string start_asking() const {
    const std::string arn = begin("");
    const Taken call = take();
    checkpoint(arn, call.token(), kCallback);
    answer(call, kPending);
    const durable::HistoryPage history = client().history(arn);
    return history.events.at(1).at("CallbackStartedDetails").at("CallbackId").as_string();
  }
  template <typename Call>
  static std::string code_of(Call call) {
    try {
      call();
    } catch (const durable::ApiError& error) {
      return error.code();
    }
    return "nothing thrown";
  }
};

TEST_F(DurableClient, InvokesAndIsGivenTheResult) {
  auto invoked = std::async(std::launch::async, [this] { return client().invoke("order", R"({"n":1})"); });
  const Taken call = take();
  answer(call, kDone);
  const durable::InvokeResult result = invoked.get();
  EXPECT_EQ(result.status, 200);
  EXPECT_EQ(result.payload, R"({"ok":true})");
  EXPECT_EQ(result.function_error, "");
  EXPECT_EQ(result.execution_arn, call.arn());
  EXPECT_EQ(result.version, "$LATEST");
}

TEST_F(DurableClient, IsToldAFunctionsError) {
  auto invoked = std::async(std::launch::async, [this] { return client().invoke("order", "{}"); });
  answer(take(), R"({"Status":"FAILED","Error":{"ErrorType":"T","ErrorMessage":"M"}})");
  const durable::InvokeResult result = invoked.get();
  EXPECT_EQ(result.function_error, "Unhandled");
  EXPECT_EQ(result.payload, R"({"errorMessage":"M","errorType":"T"})");
}

TEST_F(DurableClient, InvokesDryAndIsRefusedWithAwsNames) {
  EXPECT_EQ(client().invoke("order", "{}", {.dry_run = true}).status, 204);
  EXPECT_EQ(code_of([&] { client().invoke("nobody", "{}"); }), "ResourceNotFoundException");
  begin("one");
  EXPECT_EQ(code_of([&] { client().invoke("order", "[]", {.execution_name = "one", .asynchronous = true}); }),
            "DurableExecutionAlreadyStartedException");
  EXPECT_EQ(code_of([&] { client().get("none"); }), "ValidationException");
}

TEST_F(DurableClient, GetsWhatAnExecutionIs) {
  const std::string arn = begin("one");
  const durable::ExecutionDescription running = client().get(arn);
  EXPECT_EQ(running.arn, arn);
  EXPECT_EQ(running.name, "one");
  EXPECT_EQ(running.status, "RUNNING");
  EXPECT_EQ(running.input, "{}");
  EXPECT_FALSE(running.ended.has_value());
  const auto age = std::chrono::system_clock::now() - running.started;
  EXPECT_TRUE(age >= std::chrono::seconds(-1) && age < std::chrono::minutes(5));
  answer(take(), kDone);
  EXPECT_FALSE(client().get(arn, false).input.has_value());
}

TEST_F(DurableClient, ReadsAHistoryPageByPage) {
  const std::string arn = start_waiting("one");
  const durable::HistoryPage first = client().history(arn, {.items_max = 2});
  ASSERT_EQ(first.events.size(), 2u);
  EXPECT_EQ(first.events[1].at("EventType").as_string(), "WaitStarted");
  const durable::HistoryPage rest = client().history(arn, {.items_max = 2, .marker = first.next_marker});
  ASSERT_EQ(rest.events.size(), 1u);
  EXPECT_EQ(rest.events[0].at("EventType").as_string(), "InvocationCompleted");
  EXPECT_EQ(rest.next_marker, "");
  EXPECT_EQ(client().history(arn, {.reverse = true}).events.at(0).at("EventId").as_integer(), 3);
}

TEST_F(DurableClient, ListsAndStops) {
  const std::string a = start_waiting("a");
  start_waiting("b");
  const durable::Timestamp stopped = client().stop(a, durable::ErrorObject{.type = "Ops", .message = "halt"});
  const durable::ExecutionDescription ended = client().get(a);
  EXPECT_EQ(ended.status, "STOPPED");
  EXPECT_EQ(ended.ended, stopped);
  ASSERT_TRUE(ended.error.has_value());
  EXPECT_EQ(ended.error->type, "Ops");
  EXPECT_EQ(client().stop(a), stopped);

  const durable::ExecutionPage newest = client().list("order", {.items_max = 1});
  ASSERT_EQ(newest.executions.size(), 1u);
  EXPECT_EQ(newest.executions[0].name, "b");
  EXPECT_EQ(client().list("order", {.items_max = 1, .marker = newest.next_marker}).executions.at(0).name, "a");
  EXPECT_EQ(client().list("order", {.status = "STOPPED"}).executions.at(0).name, "a");
  EXPECT_EQ(client().list("order", {.execution_name = "b", .reverse = true}).executions.size(), 1u);
  EXPECT_TRUE(client().list("order", {.started_before = "2020-01-01T00:00:00Z"}).executions.empty());
}

TEST_F(DurableClient, AnswersCallbacks) {
  const std::string success = start_asking();
  client().heartbeat_callback(success);
  client().succeed_callback(success, R"({"approved":true})");
  EXPECT_EQ(code_of([&] { client().succeed_callback(success); }), "CallbackTimeoutException");
  const Taken succeeded = take();
  EXPECT_EQ(succeeded.detail(1, "Status"), Value::string("SUCCEEDED"));
  answer(succeeded, kDone);

  client().fail_callback(start_asking(), {.type = "Rejected", .message = "no"});
  const Taken failed = take();
  EXPECT_EQ(failed.detail(1, "Status"), Value::string("FAILED"));
  answer(failed, kDone);
  EXPECT_EQ(code_of([&] { client().heartbeat_callback("nothing"); }), "InvalidParameterValueException");
}

}  // namespace
}  // namespace pawl::server
