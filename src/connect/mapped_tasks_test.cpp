#include "connect/mapped_tasks.h"

#include <future>

#include <gtest/gtest.h>

#include "connect/functions.h"
#include "connect/pattern.h"
#include "json/parse.h"
#include "json/print.h"
#include "net/http_test_server.h"
#include "text/yaml.h"

namespace pawl::connect {
namespace {

using namespace std::chrono_literals;
using net::HttpTestServer;
using net::ReceivedRequest;

std::optional<std::string> no_environment(const std::string&) { return std::nullopt; }
std::optional<std::string> test_environment(const std::string& name) {
  if (name == "TOKEN") return "s3cret-value";
  return std::nullopt;
}

Result<TaskTargets> targets_of(const std::string& json, const Environment& environment = no_environment) {
  return read_task_map(json::parse_document(json).value(), environment);
}

TaskRequest request_for(const std::string& resource) {
  TaskRequest request;
  request.task = engine::TaskId(1);
  request.state = "Pay";
  request.resource = resource;
  request.input = json::parse(R"({"order":7})").value();
  request.idempotency_key = "run-1";
  return request;
}

std::string text_of(const TaskAnswer& answer) {
  constexpr const char* kKinds[] = {"submitted ", "succeeded ", "failed ", "timed out "};
  return kKinds[static_cast<int>(answer.kind)] + json::print(answer.value);
}

std::string call(MappedTasks& tasks, const TaskRequest& request) {
  std::promise<TaskAnswer> answer;
  EXPECT_TRUE(tasks.claims(request).value_or(false));
  tasks.start(request, [&](TaskAnswer given) { answer.set_value(std::move(given)); });
  return text_of(answer.get_future().get());
}

std::string call(const std::string& map, const TaskRequest& request, const Environment& environment = no_environment) {
  MappedTasks tasks(targets_of(map, environment).value(), {});
  return call(tasks, request);
}

std::string error_of(const std::string& answer) {
  return std::string(json::parse(answer.substr(7))->find("Error")->as_string());
}

std::string http_map(const HttpTestServer& server, const std::string& more = "") {
  return R"({"*":{"http":")" + server.url("/pay") + "\"" + more + "}}";
}

auto always(std::string answer) {
  return [answer](const ReceivedRequest&) { return std::optional(answer); };
}

TEST(TaskMap, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(targets_of("[]").error().code, "TASKS_INVALID");
  EXPECT_EQ(targets_of(R"({"a":1})").error().code, "TASKS_INVALID");
  EXPECT_EQ(targets_of(R"({"a":{}})").error().code, "TASKS_INVALID");
  EXPECT_EQ(targets_of(R"({"a":{"http":"http://h","exec":["x"]}})").error().code, "TASKS_INVALID");
  EXPECT_EQ(targets_of(R"({"a":{"exec":[]}})").error().code, "TASKS_INVALID");
  EXPECT_EQ(targets_of(R"({"a":{"exec":["x"],"headers":{}}})").error().code, "TASKS_INVALID");
  EXPECT_EQ(targets_of(R"({"a":{"exec":["x"],"timeout":0}})").error().code, "TASKS_INVALID");
  EXPECT_EQ(targets_of(R"({"a":{"exec":["x"],"timeout":"1"}})").error().code, "TASKS_INVALID");
  EXPECT_EQ(targets_of(R"({"a":{"http":"ftp://h"}})").error().code, "HTTP_BAD_URL");
  const Error unknown = targets_of(R"({"a":{"htpp":"http://h"}})").error();
  EXPECT_EQ(unknown.code, "TASKS_UNKNOWN_FIELD");
  EXPECT_EQ(unknown.fix, "Did you mean 'http'?");
  EXPECT_EQ(unknown.where, "1:14 /a/htpp");
}

TEST(TaskMap, FillsInTheEnvironment) {
  const auto targets = targets_of(R"({"a":{"http":"http://h/${TOKEN}/x"}})", test_environment);
  ASSERT_TRUE(targets);
  EXPECT_EQ((*targets)[0].url->text, "http://h/s3cret-value/x");
  EXPECT_EQ((*targets)[0].url->written, "http://h/${TOKEN}/x");
  EXPECT_EQ(targets_of(R"({"a":{"http":"http://${MISSING}"}})").error().code, "TASKS_ENV_MISSING");
  EXPECT_EQ(targets_of(R"({"a":{"http":"http://${OPEN"}})").error().code, "TASKS_INVALID");
}

TEST(TaskMap, MatchesExactlyFirstThenByPattern) {
  EXPECT_TRUE(matches_pattern("arn:*:function:pay*", "arn:aws:lambda:eu:1:function:payment"));
  EXPECT_TRUE(matches_pattern("*", ""));
  EXPECT_TRUE(matches_pattern("a*b*c", "aXbXbc"));
  EXPECT_FALSE(matches_pattern("a*b", "abc"));
  EXPECT_FALSE(matches_pattern("a", "A"));
  MappedTasks tasks(
      targets_of(R"({"ab*":{"exec":["echo","1"]},"a*":{"exec":["echo","2"]},"abc":{"exec":["echo","3"]}})").value(),
      {});
  EXPECT_EQ(call(tasks, request_for("abc")), "succeeded 3");
  EXPECT_EQ(call(tasks, request_for("abd")), "succeeded 1");
  EXPECT_EQ(call(tasks, request_for("axd")), "succeeded 2");
  EXPECT_FALSE(*tasks.claims(request_for("b")));
}

TEST(MappedTasks, FindsWhatIsNoArnByTheNameOfWhatCallsItToo) {
  MappedTasks tasks(targets_of(R"({"Pay":{"exec":["true"]}})").value(), {});
  EXPECT_TRUE(tasks.claims(request_for("pay-function")).value());
  EXPECT_TRUE(tasks.claims(request_for("http://pay.example.org")).value());
  EXPECT_FALSE(tasks.claims(request_for("arn:aws:lambda:us-east-1:000000000000:function:pay")).value());
}

TEST(MappedTasks, PrefersAnExactNameToAPattern) {
  MappedTasks tasks(targets_of(R"({"*":{"exec":["false"]},"Pay":{"exec":["printf","7"]}})").value(), {});
  EXPECT_EQ(call(tasks, request_for("pay-function")), "succeeded 7");
}

TEST(HttpTask, PostsTheInputAndTakesTheJsonAnswer) {
  HttpTestServer server(always(HttpTestServer::json_answer(200, R"({"paid":true})")));
  EXPECT_EQ(
      call(http_map(server, R"(,"headers":{"Authorization":"Bearer ${TOKEN}"})"), request_for("x"), test_environment),
      R"(succeeded {"paid":true})");
  const auto received = server.received();
  ASSERT_EQ(received.size(), 1u);
  EXPECT_EQ(received[0].body, R"({"order":7})");
  EXPECT_EQ(received[0].header("Idempotency-Key"), "run-1");
  EXPECT_EQ(received[0].header("Content-Type"), "application/json");
  EXPECT_EQ(received[0].header("Authorization"), "Bearer s3cret-value");
}

TEST(HttpTask, TakesAnEmptyAnswerAsNull) {
  HttpTestServer server(always("HTTP/1.1 204 No Content\r\n\r\n"));
  EXPECT_EQ(call(http_map(server), request_for("x")), "succeeded null");
}

TEST(HttpTask, FailsAsTheAnswerSays) {
  HttpTestServer server(
      always(HttpTestServer::json_answer(500, R"({"errorType":"Bank.Busy","errorMessage":"later"})")));
  EXPECT_EQ(call(http_map(server), request_for("x")), R"(failed {"Error":"Bank.Busy","Cause":"later"})");
}

TEST(HttpTask, FailsWithTheStatusWhereTheAnswerSaysNothing) {
  HttpTestServer busy(always(HttpTestServer::json_answer(503, "try later")));
  const std::string answer = call(http_map(busy), request_for("x"));
  EXPECT_EQ(error_of(answer), "States.TaskFailed");
  EXPECT_NE(answer.find("answered 503 Reason: try later"), std::string::npos) << answer;
  HttpTestServer forbidding(always(HttpTestServer::json_answer(403, "no")));
  EXPECT_EQ(error_of(call(http_map(forbidding), request_for("x"))), "States.Permissions");
  HttpTestServer unknown(always(HttpTestServer::json_answer(401, "who")));
  EXPECT_EQ(error_of(call(http_map(unknown), request_for("x"))), "States.Permissions");
  HttpTestServer moved(always(HttpTestServer::json_answer(302, "")));
  EXPECT_EQ(error_of(call(http_map(moved), request_for("x"))), "States.TaskFailed");
}

TEST(HttpTask, FailsWhereTheAnswerIsNotJson) {
  HttpTestServer server(always(HttpTestServer::json_answer(200, "<html>")));
  const std::string answer = call(http_map(server), request_for("x"));
  EXPECT_EQ(error_of(answer), "States.TaskFailed");
  EXPECT_NE(answer.find("is not JSON"), std::string::npos) << answer;
}

TEST(HttpTask, NeverShowsSecrets) {
  HttpTestServer server(always(HttpTestServer::json_answer(500, "bad token s3cret-value!")));
  const std::string map = R"({"*":{"http":")" + server.url("/${TOKEN}") + R"("}})";
  const std::string answer = call(map, request_for("x"), test_environment);
  EXPECT_EQ(answer.find("s3cret-value"), std::string::npos) << answer;
  EXPECT_NE(answer.find("/${TOKEN} answered 500"), std::string::npos) << answer;
  EXPECT_NE(answer.find("bad token ***!"), std::string::npos) << answer;
}

TEST(HttpTask, TimesOutByTheShorterOfTheTimeouts) {
  HttpTestServer server([](const ReceivedRequest&) { return std::nullopt; });
  EXPECT_EQ(call(http_map(server, R"(,"timeout":0.05)"), request_for("x")), R"(timed out {"Error":"States.Timeout"})");
  TaskRequest request = request_for("x");
  request.timeout = 50ms;
  EXPECT_EQ(call(http_map(server, R"(,"timeout":1000)"), request), R"(timed out {"Error":"States.Timeout"})");
}

TEST(HttpTask, RefusesAnAnswerOverTheLimit) {
  HttpTestServer server(always(HttpTestServer::json_answer(200, "\"" + std::string(1000, 'x') + "\"")));
  MappedTasks tasks(targets_of(http_map(server)).value(), {.answer_bytes_max = 100});
  EXPECT_EQ(error_of(call(tasks, request_for("x"))), "States.DataLimitExceeded");
}

TEST(HttpTask, CallsAResourceThatIsAUrl) {
  HttpTestServer server(always(HttpTestServer::json_answer(200, "1")));
  EXPECT_EQ(call("{}", request_for(server.url())), "succeeded 1");
  MappedTasks closed({}, {.call_urls = false});
  EXPECT_FALSE(*closed.claims(request_for(server.url())));
}

TEST(HttpTask, DoesNotCallAPartOfADocument) {
  MappedTasks tasks({}, {});
  EXPECT_FALSE(*tasks.claims(request_for("https://pets.example/openapi.json#getPet")));
}

TEST(HttpTask, IsOnlySubmittedWhereTheStateWaitsForItsToken) {
  HttpTestServer server(always(HttpTestServer::json_answer(200, "1")));
  TaskRequest request = request_for(server.url());
  request.waits_for_token = true;
  EXPECT_EQ(call("{}", request), "submitted 1");
}

TEST(ExecTask, GivesTheInputAndTakesTheOutput) {
  EXPECT_EQ(call(R"({"*":{"exec":["sh","-c","cat; echo"]}})", request_for("x")), R"(succeeded {"order":7})");
  EXPECT_EQ(call(R"({"*":{"exec":["true"]}})", request_for("x")), "succeeded null");
}

TEST(ExecTask, FailsWithWhatTheCommandWroteToStderr) {
  EXPECT_EQ(call(R"({"*":{"exec":["sh","-c","echo no funds >&2; exit 1"]}})", request_for("x")),
            R"(failed {"Error":"States.TaskFailed","Cause":"no funds"})");
  EXPECT_EQ(call(R"({"*":{"exec":["sh","-c","exit 4"]}})", request_for("x")),
            R"(failed {"Error":"States.TaskFailed","Cause":"'sh' exited with 4."})");
}

TEST(ExecTask, MakesItsCauseValidUtf8) {
  EXPECT_EQ(call(R"({"*":{"exec":["sh","-c","printf '\\377bad' >&2; exit 1"]}})", request_for("x")),
            "failed {\"Error\":\"States.TaskFailed\",\"Cause\":\"\xEF\xBF\xBD"
            "bad\"}");
}

TEST(ExecTask, FailsForACommandThatMayNotBeRunOrIsNotThere) {
  EXPECT_EQ(error_of(call(R"({"*":{"exec":["/etc/passwd"]}})", request_for("x"))), "States.Permissions");
  EXPECT_EQ(error_of(call(R"({"*":{"exec":["no-such-command-anywhere"]}})", request_for("x"))), "States.TaskFailed");
}

TEST(ExecTask, NeverShowsSecrets) {
  const std::string answer =
      call(R"({"*":{"exec":["sh","-c","echo $0 >&2; exit 1","${TOKEN}"]}})", request_for("x"), test_environment);
  EXPECT_EQ(answer, R"(failed {"Error":"States.TaskFailed","Cause":"***"})");
}

TEST(ExecTask, TimesOut) {
  EXPECT_EQ(call(R"({"*":{"exec":["sleep","1000"],"timeout":0.05}})", request_for("x")),
            R"(timed out {"Error":"States.Timeout"})");
}

TEST(MappedTasks, EndWhatStillRunsWhenTheyEnd) {
  std::atomic<int> answered = 0;
  {
    MappedTasks tasks(targets_of(R"({"*":{"exec":["sleep","1000"]}})").value(), {});
    for (uint32_t i = 1; i <= 2 * kWorkersMax; ++i) {
      TaskRequest request = request_for("x");
      request.task = engine::TaskId(i);
      tasks.start(request, [&](const TaskAnswer&) { ++answered; });
      if (i % 2 == 0) tasks.cancel(request.task);
    }
  }
  EXPECT_LE(answered, static_cast<int>(2 * kWorkersMax));
}

TEST(FunctionTasks, CallTheFunctionOfTheResource) {
  FunctionTasks tasks;
  tasks.add("double:*", [](const TaskRequest& request) {
    return TaskAnswer::succeeded(Value::integer(2 * *request.input.find("order")->as_integer()));
  });
  EXPECT_FALSE(*tasks.claims(request_for("half")));
  ASSERT_TRUE(*tasks.claims(request_for("double:it")));
  std::promise<TaskAnswer> answer;
  tasks.start(request_for("double:it"), [&](TaskAnswer given) { answer.set_value(std::move(given)); });
  EXPECT_EQ(text_of(answer.get_future().get()), "succeeded 14");
}

TEST(WorkerPool, RunsNoMoreThanItsThreadsAtOnce) {
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  std::atomic<int> done = 0;
  std::promise<void> all_done;
  constexpr int kJobs = 200;
  WorkerPool pool;
  for (int i = 0; i < kJobs; ++i) {
    pool.submit(engine::TaskId(static_cast<uint32_t>(i + 1)), [&](const std::stop_token&) {
      const int now = ++running;
      for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
      }
      --running;
      if (++done == kJobs) all_done.set_value();
    });
  }
  all_done.get_future().wait();
  EXPECT_LE(most, static_cast<int>(kWorkersMax));
}

}  // namespace
}  // namespace pawl::connect
