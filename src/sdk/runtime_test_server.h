// A small HTTP server for tests: the Runtime API and the calls of a durable function, over real sockets, for one
// LocalExecution.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pawl/durable_testing.h"
#include "sdk/wire.h"

namespace pawl::durable::testing {

struct ServedRequest {
  std::string method;
  std::string path;
  std::string query;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

struct ServedAnswer {
  int status = 200;
  std::string body = "{}";
  std::map<std::string, std::string> headers = {};
  bool drop = false;  // closes the connection without an answer
};

inline std::string percent_decode(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '%' && at + 2 < text.size()) {
      out += static_cast<char>(std::stoi(text.substr(at + 1, 2), nullptr, 16));
      at += 2;
    } else {
      out += text[at];
    }
  }
  return out;
}

// Serves one connection at a time on each of its threads until it is destroyed.
class TestServer {
 public:
  explicit TestServer(std::function<ServedAnswer(const ServedRequest&)> handler) : handler_(std::move(handler)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    ::listen(listener_, 16);
    socklen_t size = sizeof address;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~TestServer() {
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    ::close(listener_);
    {
      const std::lock_guard lock(mutex_);
      for (const int connection : connections_) ::shutdown(connection, SHUT_RDWR);
    }
    for (std::thread& thread : threads_) thread.join();
  }

  std::string authority() const { return "127.0.0.1:" + std::to_string(port_); }
  std::vector<ServedRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  // That were made so far.
  std::size_t connections() const {
    const std::lock_guard lock(mutex_);
    return connections_.size();
  }

 private:
  void accept_all() {
    for (int connection = 0; (connection = ::accept(listener_, nullptr, nullptr)) >= 0;) {
      const std::lock_guard lock(mutex_);
      connections_.push_back(connection);
      threads_.emplace_back([this, connection] {
        std::string buffer;
        while (serve_one(connection, buffer)) {
        }
        ::shutdown(connection, SHUT_RDWR);
      });
    }
  }

  static bool fill(int connection, std::string& buffer) {
    char bytes[4096];
    const ssize_t got = ::recv(connection, bytes, sizeof bytes, 0);
    if (got <= 0) return false;
    buffer.append(bytes, static_cast<std::size_t>(got));
    return true;
  }

  bool serve_one(int connection, std::string& buffer) {
    std::size_t end = 0;
    while ((end = buffer.find("\r\n\r\n")) == std::string::npos) {
      if (!fill(connection, buffer)) return false;
    }
    ServedRequest request = parse(buffer.substr(0, end));
    buffer.erase(0, end + 4);
    const std::size_t length =
        request.headers.contains("content-length") ? std::stoul(request.headers["content-length"]) : 0;
    while (buffer.size() < length) {
      if (!fill(connection, buffer)) return false;
    }
    request.body = buffer.substr(0, length);
    buffer.erase(0, length);
    ServedAnswer answer;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
      answer = handler_(request);
    }
    if (answer.drop) return false;
    std::string text = "HTTP/1.1 " + std::to_string(answer.status) +
                       " Answer\r\nContent-Length: " + std::to_string(answer.body.size()) + "\r\n";
    for (const auto& [name, value] : answer.headers) text += name + ": " + value + "\r\n";
    text += "\r\n" + answer.body;
    return ::send(connection, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
  }

  static ServedRequest parse(const std::string& head) {
    ServedRequest request;
    std::size_t at = head.find(' ');
    request.method = head.substr(0, at);
    const std::string target = head.substr(at + 1, head.find(' ', at + 1) - at - 1);
    request.path = target.substr(0, target.find('?'));
    if (target.find('?') != std::string::npos) request.query = target.substr(target.find('?') + 1);
    while ((at = head.find("\r\n", at)) != std::string::npos) {
      at += 2;
      const std::size_t colon = head.find(": ", at);
      std::string name = head.substr(at, colon - at);
      for (char& c : name) c = static_cast<char>(std::tolower(c));
      request.headers[name] = head.substr(colon + 2, head.find("\r\n", at) - colon - 2);
    }
    return request;
  }

  std::function<ServedAnswer(const ServedRequest&)> handler_;
  int listener_ = -1;
  int port_ = 0;
  std::thread acceptor_;
  mutable std::mutex mutex_;
  std::vector<int> connections_;
  std::vector<std::thread> threads_;
  std::vector<ServedRequest> requests_;
};

inline OperationUpdate read_update(const Json& json) {
  const auto text = [&json](const char* name) { return json.find(name) != nullptr ? json.at(name).as_string() : ""; };
  const auto number = [&json](const char* options, const char* name) -> std::optional<std::int64_t> {
    const Json* holder = json.find(options);
    return holder != nullptr && holder->find(name) != nullptr ? std::optional(holder->at(name).as_integer())
                                                              : std::nullopt;
  };
  OperationUpdate update;
  update.id = text("Id");
  update.type = *operation_type(text("Type"));
  update.action = *operation_action(text("Action"));
  update.parent_id = text("ParentId");
  update.name = text("Name");
  update.sub_type = text("SubType");
  if (json.find("Payload") != nullptr) update.payload = text("Payload");
  if (json.find("Error") != nullptr) update.error = detail::read_error(json.at("Error"));
  update.retry_delay_seconds = number("StepOptions", "NextAttemptDelaySeconds");
  update.wait_seconds = number("WaitOptions", "WaitSeconds");
  update.timeout_seconds = number("CallbackOptions", "TimeoutSeconds");
  update.heartbeat_seconds = number("CallbackOptions", "HeartbeatTimeoutSeconds");
  if (json.find("ChainedInvokeOptions") != nullptr)
    update.function_name = json.at("ChainedInvokeOptions").at("FunctionName").as_string();
  update.replay_children = json.find("ContextOptions") != nullptr;
  return update;
}

inline std::string records_text(const std::vector<OperationRecord>& records, detail::TimeUnit unit) {
  std::string text = "[";
  for (const OperationRecord& record : records) {
    if (text.size() > 1) text += ',';
    detail::append_record(text, record, unit);
  }
  return text + "]";
}

// The event of an invocation as the Runtime API delivers it.
inline std::string event_text(const InvocationEvent& event) {
  Json json = Json::object({{"DurableExecutionArn", event.execution_arn}, {"CheckpointToken", event.token}});
  json["InitialExecutionState"]["Operations"] =
      Json::parse(records_text(event.operations, detail::TimeUnit::Milliseconds));
  if (!event.next_marker.empty()) json["InitialExecutionState"]["NextMarker"] = event.next_marker;
  json["UpdatedOperationIds"] = Json::array();
  return json.dump();
}

// The checkpoint and state calls of a LocalExecution over HTTP.
inline ServedAnswer serve_durable(LocalExecution& execution, const ServedRequest& request) {
  const std::string prefix = "/2025-12-01/durable-executions/";
  const std::string arn = percent_decode(request.path.substr(prefix.size(), request.path.rfind('/') - prefix.size()));
  try {
    if (request.path.ends_with("/checkpoint")) {
      const Json body = Json::parse(request.body);
      CheckpointRequest call{arn, body.at("CheckpointToken").as_string(), body.at("ClientToken").as_string(), {}};
      for (const Json& update : body.at("Updates").as_array()) call.updates.push_back(read_update(update));
      const CheckpointAnswer answer = execution.checkpoint(call, DurableService::Deadline::max());
      Json json = Json::object();
      if (answer.token) json["CheckpointToken"] = *answer.token;
      json["NewExecutionState"]["Operations"] = Json::parse(records_text(answer.operations, detail::TimeUnit::Seconds));
      return {200, json.dump()};
    }
    const auto parameter = [&request](const std::string& name) {
      const std::size_t at = request.query.find(name + "=") + name.size() + 1;
      return percent_decode(request.query.substr(at, request.query.find('&', at) - at));
    };
    const StatePage page =
        execution.state(arn, parameter("CheckpointToken"), parameter("Marker"), DurableService::Deadline::max());
    Json json = Json::object({{"Operations", Json::parse(records_text(page.operations, detail::TimeUnit::Seconds))}});
    if (!page.next_marker.empty()) json["NextMarker"] = page.next_marker;
    return {200, json.dump()};
  } catch (const ApiError& error) {
    return {error.status(),
            Json::object({{"Type", "User"}, {"Message", error.what()}}).dump(),
            {{"x-amzn-ErrorType", error.code()}}};
  }
}

}  // namespace pawl::durable::testing
