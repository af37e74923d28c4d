// A server with functions for tests: the test is the worker, and whoever invokes, over HTTP.
#pragma once

#include <future>

#include "server/functions.h"
#include "server/server_test_fixture.h"

namespace pawl::server {

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

class Functions : public ServerHost {
 protected:
  Functions() {
    serve("order", {});
    serve("plain", {.is_durable = false});
    serve("slow", {.execution_timeout = std::chrono::hours(1)});
    Functions::start_server();
  }

  void serve(const std::string& name, const FunctionSettings& settings) {
    ServedFunction function;
    function.command.function = name;
    function.configuration = function_members(settings);
    functions_.push_back(std::move(function));
  }
  void start_server() override {
    ServerOptions options;
    options.functions = functions_;
    start_with(std::move(options));
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

  std::vector<ServedFunction> functions_;
};

}  // namespace pawl::server
