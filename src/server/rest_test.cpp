#include "server/rest.h"

#include <fstream>
#include <future>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/hmac.h"
#include "server/server_test_fixture.h"
#include "text/yaml.h"

namespace pawl::server {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kFail = R"({"StartAt":"F","States":{"F":{"Type":"Fail","Error":"E","Cause":"C"}}})";

class Rest : public ServerTest {
 protected:
  net::HttpRequest request(const std::string& method, const std::string& path, const std::string& body = "") const {
    net::HttpRequest request;
    request.method = method;
    request.url = server_->url() + "/api" + path;
    request.body = body;
    return request;
  }
  Answered ask(const std::string& method, const std::string& path, const std::string& body = "") const {
    const auto response = net::send(request(method, path, body));
    if (!response) {
      ADD_FAILURE() << to_string(response.error());
      return {};
    }
    auto parsed = json::parse(response->body);
    return {response->status, parsed ? *parsed : Value::string(response->body)};
  }
  // "404 EXECUTION_NOT_FOUND"
  std::string refusal(const std::string& method, const std::string& path, const std::string& body = "") const {
    const Answered answered = ask(method, path, body);
    return std::to_string(answered.status) + " " + answered.text("code");
  }
  static Value member(const Answered& answered, std::string_view name) {
    const Value* found = answered.body.find(name);
    return found == nullptr ? Value() : *found;
  }
  std::string text_of(const Answered& answered) const { return json::print(answered.body); }

  Answered wait_until_closed(const std::string& execution) const {
    wait_for_end("arn:aws:states:us-east-1:000000000000:execution:" + execution);
    return ask("GET", "/executions/" + execution);
  }
  // The whole stream, with its status in front.
  std::string stream(const std::string& path, const std::string& last_event_id = "") const {
    net::HttpRequest wanted = request("GET", path);
    std::string body;
    wanted.on_body = [&](std::string_view piece) { body += piece; };
    if (!last_event_id.empty()) wanted.headers.emplace_back("Last-Event-ID", last_event_id);
    const auto response = net::send(wanted);
    if (!response) return to_string(response.error());
    return std::to_string(response->status) + "\n" + body + response->body;
  }
};

// --- definitions

TEST_F(Rest, DeploysShowsAndUndeploysADefinition) {
  const Answered created = ask("PUT", "/definitions/m", kPass);
  EXPECT_EQ(created.status, 201);
  EXPECT_EQ(created.text("name"), "m");
  EXPECT_EQ(ask("PUT", "/definitions/m?role=arn:aws:iam::1:role/r", kWaitLong).status, 200) << "an update";
  const Answered shown = ask("GET", "/definitions/m");
  EXPECT_EQ(json::print(*shown.body.find("definition")), kWaitLong);
  EXPECT_EQ(shown.text("role"), "arn:aws:iam::1:role/r");
  EXPECT_EQ(shown.text("type"), "STANDARD");
  EXPECT_EQ(ask("DELETE", "/definitions/m").status, 200);
  EXPECT_EQ(refusal("GET", "/definitions/m"), "404 DEFINITION_NOT_FOUND");
  EXPECT_EQ(refusal("DELETE", "/definitions/m"), "404 DEFINITION_NOT_FOUND");
}

TEST_F(Rest, RefusesDefinitionsThatAreNone) {
  EXPECT_EQ(refusal("PUT", "/definitions/m", "{"), "400 DEFINITION_INVALID");
  EXPECT_EQ(refusal("PUT", "/definitions/m", R"({"StartAt":"A","States":{}})"), "400 DEFINITION_INVALID");
  EXPECT_EQ(refusal("PUT", "/definitions/a%20b", kPass), "400 NAME_INVALID");
  EXPECT_EQ(refusal("PUT", "/definitions/m?type=QUICK", kPass), "400 REQUEST_INVALID");
  EXPECT_EQ(ask("PUT", "/definitions/m?type=EXPRESS", kPass).text("type"), "EXPRESS");
  EXPECT_EQ(refusal("PUT", "/definitions/m?type=STANDARD", kPass), "400 REQUEST_INVALID") << "it has another type";
}

TEST_F(Rest, ListsDefinitionsPageByPage) {
  for (const char* name : {"a", "b", "c"}) create(name, kPass);
  const Answered first = ask("GET", "/definitions?limit=2");
  EXPECT_EQ(first.size_of("definitions"), 2u);
  EXPECT_EQ(first.text("next"), "b");
  const Answered second = ask("GET", "/definitions?limit=2&next=b");
  EXPECT_EQ(second.size_of("definitions"), 1u);
  EXPECT_EQ(second.body.find("next"), nullptr);
  EXPECT_EQ(refusal("GET", "/definitions?limit=0"), "400 REQUEST_INVALID");
  EXPECT_EQ(refusal("GET", "/definitions?limit=many"), "400 REQUEST_INVALID");
  EXPECT_EQ(refusal("GET", "/definitions?colour=red"), "400 REQUEST_INVALID");
}

TEST_F(Rest, ADisabledDefinitionTakesNoStartsAndLetsOthersGoOn) {
  const std::string arn = create("m", kWaitLong);
  const std::string running = start_execution(arn, "{}", "before").text("executionArn");
  EXPECT_EQ(member(ask("POST", "/definitions/m/disable"), "enabled"), Value::boolean(false));
  EXPECT_EQ(start_execution(arn).type(), "StateMachineDisabled");
  EXPECT_EQ(refusal("POST", "/executions", R"({"definition":"m"})"), "409 DEFINITION_DISABLED");
  restart();
  EXPECT_EQ(start_execution(arn).type(), "StateMachineDisabled") << "it is durable";
  EXPECT_EQ(ask("GET", "/executions/m:before").text("status"), "RUNNING");
  EXPECT_EQ(member(ask("POST", "/definitions/m/enable"), "enabled"), Value::boolean(true));
  EXPECT_EQ(start_execution(arn).status, 200);
  EXPECT_EQ(refusal("POST", "/definitions/nobody/enable"), "404 DEFINITION_NOT_FOUND");
}

TEST_F(Rest, ADisabledExpressMachineTakesNoSynchronousStarts) {
  EXPECT_EQ(ask("PUT", "/definitions/m?type=EXPRESS", kPass).status, 201);
  ask("POST", "/definitions/m/disable");
  EXPECT_EQ(
      call("StartSyncExecution", "stateMachineArn", "arn:aws:states:us-east-1:000000000000:stateMachine:m").type(),
      "StateMachineDisabled");
}

// --- executions

TEST_F(Rest, StartsShowsAndStopsAnExecution) {
  create("m", kWaitLong);
  const Answered started = ask("POST", "/executions", R"({"definition":"m","name":"one","input":{"a":[1]}})");
  EXPECT_EQ(started.status, 201);
  EXPECT_EQ(started.text("execution"), "m:one");
  EXPECT_EQ(started.text("status"), "RUNNING");
  EXPECT_EQ(json::print(*started.body.find("input")), R"({"a":[1]})");
  const Answered stopped = ask("POST", "/executions/m:one/stop", R"({"error":"E","cause":"C"})");
  EXPECT_EQ(stopped.text("status"), "ABORTED");
  EXPECT_EQ(stopped.text("error") + stopped.text("cause"), "EC");
  EXPECT_NE(stopped.text("ended"), "");
}

TEST_F(Rest, TellsTheOutputAsAValue) {
  create("m", kPass);
  const std::string execution = ask("POST", "/executions", R"({"definition":"m","input":{"a":1}})").text("execution");
  const Answered ended = wait_until_closed(execution);
  EXPECT_EQ(ended.text("status"), "SUCCEEDED");
  EXPECT_EQ(json::print(*ended.body.find("output")), R"({"a":1})");
}

TEST_F(Rest, FindsAnExecutionOfAnExpressMachineAfterItsStart) {
  ask("PUT", "/definitions/m?type=EXPRESS", kPass);
  const Answered started = ask("POST", "/executions", R"({"definition":"m","name":"shared"})");
  EXPECT_EQ(started.status, 201) << text_of(started);
  EXPECT_EQ(ask("GET", "/executions/" + started.text("execution")).status, 200);
}

TEST_F(Rest, RedrivesWhatFailedAndNothingElse) {
  create("m", kFail);
  ask("POST", "/executions", R"({"definition":"m","name":"one"})");
  wait_until_closed("m:one");
  EXPECT_EQ(member(ask("POST", "/executions/m:one/redrive"), "redrives"), Value::integer(1));
  create("good", kPass);
  ask("POST", "/executions", R"({"definition":"good","name":"one"})");
  wait_until_closed("good:one");
  EXPECT_EQ(refusal("POST", "/executions/good:one/redrive"), "409 EXECUTION_NOT_REDRIVABLE");
}

TEST_F(Rest, ListsExecutionsByDefinitionAndStatus) {
  create("m", kWaitLong);
  create("other", kPass);
  for (const char* name : {"a", "b", "c"})
    ask("POST", "/executions", std::string(R"({"definition":"m","name":")") + name + "\"}");
  ask("POST", "/executions", R"({"definition":"other","name":"d"})");
  wait_until_closed("other:d");
  EXPECT_EQ(ask("GET", "/executions").size_of("executions"), 4u);
  EXPECT_EQ(ask("GET", "/executions?status=SUCCEEDED").size_of("executions"), 1u);
  const Answered first = ask("GET", "/executions?definition=m&limit=2");
  EXPECT_EQ(first.body.find("executions")->items()[0].find("name")->as_string(), "c") << "the newest first";
  const Answered second = ask("GET", "/executions?definition=m&limit=2&next=" + first.text("next"));
  EXPECT_EQ(second.size_of("executions"), 1u);
  EXPECT_EQ(second.body.find("next"), nullptr);
  EXPECT_EQ(refusal("GET", "/executions?status=TIRED"), "400 REQUEST_INVALID");
  EXPECT_EQ(refusal("GET", "/executions?definition=nobody"), "404 DEFINITION_NOT_FOUND");
}

TEST_F(Rest, RefusesStartsThatSayTooLittleOrWrongThings) {
  create("m", kWaitLong);
  EXPECT_EQ(refusal("POST", "/executions", "{"), "400 REQUEST_INVALID");
  EXPECT_EQ(refusal("POST", "/executions", "[]"), "400 REQUEST_INVALID");
  EXPECT_EQ(refusal("POST", "/executions", "{}"), "400 REQUEST_INVALID");
  EXPECT_EQ(refusal("POST", "/executions", R"({"definition":7})"), "400 REQUEST_INVALID");
  EXPECT_EQ(refusal("POST", "/executions", R"({"definition":"m","inptu":{}})"), "400 REQUEST_INVALID");
  EXPECT_EQ(refusal("POST", "/executions", R"({"definition":"m","name":7})"), "400 REQUEST_INVALID");
  EXPECT_EQ(refusal("POST", "/executions", R"({"definition":"m","name":"a b"})"), "400 NAME_INVALID");
  EXPECT_EQ(refusal("POST", "/executions", R"({"definition":"nobody"})"), "404 DEFINITION_NOT_FOUND");
  ask("POST", "/executions", R"({"definition":"m","name":"one"})");
  EXPECT_EQ(refusal("POST", "/executions", R"({"definition":"m","name":"one","input":1})"),
            "409 EXECUTION_ALREADY_EXISTS");
}

TEST_F(Rest, KnowsNoOtherExecutions) {
  create("m", kPass);
  for (const char* path : {"m:none", "nobody:none", "none", "arn:aws:states:us-east-1:000000000000:execution:m:none"})
    for (const char* more : {"", "/facts", "/facts/stream"})
      EXPECT_EQ(refusal("GET", std::string("/executions/") + path + more), "404 EXECUTION_NOT_FOUND") << path << more;
  for (const char* action : {"stop", "redrive"})
    EXPECT_EQ(refusal("POST", std::string("/executions/m:none/") + action), "404 EXECUTION_NOT_FOUND");
}

// --- facts

TEST_F(Rest, TellsTheFactsInTheKernelsWords) {
  create("m", kPass);
  ask("POST", "/executions", R"({"definition":"m","name":"one","input":{"a":1}})");
  wait_until_closed("m:one");
  const Answered all = ask("GET", "/executions/m:one/facts");
  ASSERT_EQ(all.size_of("facts"), 4u) << text_of(all);
  const Value& entered = all.body.find("facts")->items()[1];
  EXPECT_EQ(entered.find("kind")->as_string(), "StateEntered");
  EXPECT_EQ(entered.find("state")->as_string(), "A");
  EXPECT_EQ(*entered.find("seq"), Value::integer(2));
  EXPECT_EQ(json::print(*entered.find("value")), R"({"a":1})");
  EXPECT_EQ(*all.body.find("ended"), Value::boolean(true));
  const Answered page = ask("GET", "/executions/m:one/facts?after=1&limit=2");
  EXPECT_EQ(page.size_of("facts"), 2u);
  EXPECT_EQ(*page.body.find("next"), Value::integer(3));
  EXPECT_EQ(refusal("GET", "/executions/m:one/facts?after=-1"), "400 REQUEST_INVALID");
  EXPECT_EQ(refusal("GET", "/executions/m:one/facts?limit=1001"), "400 REQUEST_INVALID");
}

TEST_F(Rest, StreamsWhatHasHappenedAndEnds) {
  create("m", kPass);
  ask("POST", "/executions", R"({"definition":"m","name":"one"})");
  wait_until_closed("m:one");
  const std::string all = stream("/executions/m:one/facts/stream");
  EXPECT_THAT(all, AllOf(HasSubstr("200\nid: 1\ndata: {\"seq\":1,\"kind\":\"ExecutionStarted\""),
                         HasSubstr("\n\nid: 4\ndata: "), HasSubstr("\nevent: end\n")));
  const std::string rest = stream("/executions/m:one/facts/stream", "2");
  EXPECT_THAT(rest, AllOf(HasSubstr("200\nid: 3\n"), Not(HasSubstr("id: 2\n"))));
  EXPECT_EQ(stream("/executions/m:one/facts/stream?after=1", "4"), "204\n") << "what came last counts";
  EXPECT_THAT(stream("/executions/m:one/facts/stream?after=x"), HasSubstr("REQUEST_INVALID"));
  EXPECT_THAT(stream("/executions/m:one/facts/stream?as=poems"), HasSubstr("REQUEST_INVALID"));
}

TEST_F(Rest, StreamsTheEventsOfAwsToo) {
  create("m", kPass);
  ask("POST", "/executions", R"({"definition":"m","name":"one"})");
  wait_until_closed("m:one");
  const Answered history =
      call("GetExecutionHistory", "executionArn", "arn:aws:states:us-east-1:000000000000:execution:m:one");
  const std::string events = stream("/executions/m:one/facts/stream?as=events");
  for (const Value& event : history.body.find("events")->items())
    EXPECT_THAT(events, HasSubstr("\ndata: " + json::print(event) + "\n\n"));
}

TEST_F(Rest, StreamsFactsAsTheyHappenUntilTheExecutionEnds) {
  create("m", kWaitLong);
  ask("POST", "/executions", R"({"definition":"m","name":"one"})");
  std::promise<void> waits;
  std::string body;
  net::HttpRequest wanted = request("GET", "/executions/m:one/facts/stream");
  wanted.on_body = [&](std::string_view piece) {
    const bool had_it = body.contains("\"operationKind\":\"timer\"") || body.contains("StateEntered");
    body += piece;
    if (!had_it && body.contains("StateEntered")) waits.set_value();
  };
  auto streamed = std::async(std::launch::async, [&] { return net::send(wanted); });
  ASSERT_EQ(waits.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
  EXPECT_EQ(ask("POST", "/executions/m:one/stop").text("status"), "ABORTED");
  const auto response = streamed.get();
  ASSERT_TRUE(response) << to_string(response.error());
  EXPECT_THAT(body, AllOf(HasSubstr("\"kind\":\"ExecutionAborted\""), HasSubstr("event: end\n")));
}

TEST_F(Rest, AStreamDoesNotHoldUpTheEndOfTheServer) {
  create("m", kWaitLong);
  ask("POST", "/executions", R"({"definition":"m","name":"one"})");
  std::promise<void> begun;
  bool is_begun = false;
  net::HttpRequest wanted = request("GET", "/executions/m:one/facts/stream");
  wanted.on_body = [&](std::string_view) {
    if (!std::exchange(is_begun, true)) begun.set_value();
  };
  auto streamed = std::async(std::launch::async, [&] { return net::send(wanted); });
  ASSERT_EQ(begun.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
  server_.reset();
  EXPECT_FALSE(streamed.get()) << "the body is cut off, so that the client comes back";
}

// --- who may, and what there is

TEST_F(Rest, RefusesOtherMethodsAndPaths) {
  EXPECT_EQ(refusal("DELETE", "/executions"), "405 METHOD_NOT_ALLOWED");
  EXPECT_EQ(refusal("PATCH", "/definitions/m"), "405 METHOD_NOT_ALLOWED");
  EXPECT_EQ(refusal("GET", "/definitions/m/enable"), "405 METHOD_NOT_ALLOWED");
  EXPECT_EQ(refusal("GET", "/nothing"), "404 ROUTE_NOT_FOUND");
  EXPECT_EQ(refusal("GET", "/executions/a/b/c"), "404 ROUTE_NOT_FOUND");
}

TEST_F(Rest, RefusesWhatAPageOfAnotherSiteSends) {
  net::HttpRequest foreign = request("POST", "/executions", R"({"definition":"m"})");
  foreign.headers.emplace_back("Origin", "http://evil.example");
  EXPECT_EQ(net::send(foreign)->status, 403);
  net::HttpRequest own = request("POST", "/executions", R"({"definition":"m"})");
  own.headers.emplace_back("Origin", server_->url());
  EXPECT_EQ(net::send(own)->status, 404) << "there is no m, but it was asked for";
}

TEST(RestRoles, EveryRouteWantsItsRole) {
  const TemporaryFolder folder;
  ServerOptions options;
  options.directory = folder.path();
  options.port = 0;
  const std::vector<std::pair<Role, std::string>> tokens = {{Role::kRead, "reader-reader-reader"},
                                                            {Role::kOperate, "operator-operator-00"},
                                                            {Role::kAdmin, "admin-admin-admin-00"}};
  for (const auto& [role, token] : tokens)
    options.tokens.push_back({std::string(to_string(role)), role, net::sha256(token)});
  const auto server = Server::start(options);
  ASSERT_TRUE(server) << to_string(server.error());
  for (const Route& route : rest_routes()) {
    net::HttpRequest request;
    request.method = route.method;
    request.url = (*server)->url() + std::string(route.path.substr(0, route.path.find('{')));
    if (const size_t end = route.path.find('}'); end != std::string_view::npos)
      request.url += "nobody:none" + std::string(route.path.substr(end + 1));
    EXPECT_EQ(net::send(request)->status, 401) << request.method << request.url;
    for (const auto& [role, token] : tokens) {
      request.headers = {{"Authorization", "Bearer " + token}};
      EXPECT_EQ(net::send(request)->status == 403, role < route.role) << request.method << request.url << token;
    }
  }
}

TEST(RestRoutes, AreThoseOfTheOpenApiFile) {
  std::ifstream file(PAWL_SOURCE_DIR "/docs/openapi.yaml");
  std::ostringstream text;
  text << file.rdbuf();
  const auto document = text::parse_yaml(text.str());
  ASSERT_TRUE(document) << to_string(document.error());
  std::set<std::string> documented, routes;
  for (const json::Member& path : document->root.find("paths")->members())
    for (const json::Member& method : path.value.members()) {
      if (method.key.as_string() == "parameters") continue;
      std::string line = std::string(method.key.as_string()) + " " + std::string(path.key.as_string());
      if (const Value* parameters = method.value.find("parameters"))
        for (const Value& parameter : parameters->items())
          if (parameter.find("in") != nullptr && parameter.find("in")->as_string() == "query")
            line += " " + std::string(parameter.find("name")->as_string());
      documented.insert(line);
    }
  for (const Route& route : rest_routes()) {
    std::string method(route.method);
    for (char& c : method) c = static_cast<char>(std::tolower(c));
    routes.insert(method + " " + std::string(route.path) + (route.query.empty() ? "" : " ") + std::string(route.query));
  }
  EXPECT_EQ(documented, routes);
}

}  // namespace
}  // namespace pawl::server
