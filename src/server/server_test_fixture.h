// A server for tests: real SQLite in a folder of its own, a free port, and calls over HTTP.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "json/parse.h"
#include "json/print.h"
#include "net/http_client.h"
#include "server/server.h"

namespace pawl::server {

using json::Value;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "pawl_server_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// What came back: the answer, or {"__type", "message"}.
struct Answered {
  int status = 0;
  Value body;

  std::string text(std::string_view name) const {
    const Value* found = body.find(name);
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
  }
  size_t size_of(std::string_view list) const {
    const Value* found = body.find(list);
    return found == nullptr ? 0 : found->size();
  }
  std::string type() const { return text("__type"); }
  std::string message() const { return text("message"); }
};

// A test with a server that can be ended and started again on the same data.
class ServerHost : public testing::Test {
 protected:
  virtual void start_server() = 0;
  void start_with(ServerOptions options) {
    options.directory = folder_.path();
    options.port = 0;
    options.virtual_now = virtual_now_;
    auto server = Server::start(std::move(options));
    ASSERT_TRUE(server.has_value()) << to_string(server.error());
    server_ = std::move(*server);
  }
  void restart() {
    server_.reset();
    start_server();
  }

  TemporaryFolder folder_;
  std::optional<Timestamp> virtual_now_;
  std::unique_ptr<Server> server_;
};

class ServerTest : public ServerHost {
 protected:
  ServerTest() { ServerTest::start_server(); }

  void start_server() override {
    ServerOptions options;
    options.version = "test";
    options.tasks = tasks_;
    options.mocks = mocks_;
    start_with(std::move(options));
  }

  Answered send(const std::string& target, std::string body) const {
    net::HttpRequest request;
    request.url = server_->url() + "/";
    request.headers.emplace_back("X-Amz-Target", target);
    request.body = std::move(body);
    return to_answered(net::send(request));
  }
  Answered get(const std::string& path) const {
    net::HttpRequest request;
    request.method = "GET";
    request.url = server_->url() + path;
    return to_answered(net::send(request));
  }
  Answered call(const std::string& operation, const std::string& body) const {
    return send("AWSStepFunctions." + operation, body);
  }
  // The same with one field of text.
  Answered call(const std::string& operation, std::string_view name, const std::string& text) const {
    json::ObjectBuilder body;
    body.set(name, Value::string(text));
    return call(operation, json::print(body.build()));
  }

  // Creates a machine; gives its ARN.
  std::string create(const std::string& name, const std::string& definition) const {
    const Answered created = call("CreateStateMachine", creation(name, definition));
    EXPECT_EQ(created.status, 200) << created.message();
    return created.text("stateMachineArn");
  }
  static std::string creation(const std::string& name, const std::string& definition) {
    json::ObjectBuilder body;
    body.set("name", Value::string(name));
    body.set("definition", Value::string(definition));
    body.set("roleArn", Value::string("arn:aws:iam::000000000000:role/test"));
    return json::print(body.build());
  }
  Answered start_execution(const std::string& machine_arn, const std::string& input = "{}",
                           const std::string& name = "") const {
    json::ObjectBuilder body;
    body.set("stateMachineArn", Value::string(machine_arn));
    body.set("input", Value::string(input));
    if (!name.empty()) body.set("name", Value::string(name));
    return call("StartExecution", json::print(body.build()));
  }

  // Asks until the answer is as wanted, or fails after a while.
  template <typename Wanted>
  Answered poll(const std::string& operation, const std::string& field, const std::string& text, Wanted wanted) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (;;) {
      Answered answered = call(operation, field, text);
      if (wanted(answered)) return answered;
      if (std::chrono::steady_clock::now() > deadline) {
        ADD_FAILURE() << operation << " never was as wanted: " << json::print(answered.body);
        return answered;
      }
      std::this_thread::yield();
    }
  }
  Answered wait_for_end(const std::string& execution_arn) const {
    return poll("DescribeExecution", "executionArn", execution_arn,
                [](const Answered& answered) { return answered.text("status") != "RUNNING"; });
  }

  connect::TaskTargets tasks_;
  Value mocks_;

 private:
  static Answered to_answered(const Result<net::HttpResponse>& response) {
    if (!response) {
      ADD_FAILURE() << to_string(response.error());
      return {};
    }
    auto body = json::parse(response->body);
    return {response->status, body ? *body : Value::string(response->body)};
  }
};

inline constexpr const char* kPass = R"({"StartAt":"A","States":{"A":{"Type":"Pass","End":true}}})";
inline constexpr const char* kWaitLong = R"({"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":3600,"End":true}}})";

}  // namespace pawl::server
