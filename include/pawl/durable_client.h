// Durable functions from outside: invoke them, look at their executions, answer their callbacks.
//
//   durable::Client client;                                       // endpoint and credentials of the environment
//   const auto started = client.invoke("order:$LATEST", payload, {.execution_name = "order-42", .asynchronous = true});
//   client.succeed_callback(id, R"({"approved":true})");
//   std::cout << client.get(started.execution_arn).status;
//
// Works against AWS and against Pawl. Calls throw ApiError with the service's code and message; what is throttled or
// did not arrive is tried again.
//
// Threads: a client is used by one thread at a time.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pawl/durable/json.h"
#include "pawl/durable/service.h"
#include "pawl/durable/types.h"

namespace pawl::durable {

struct ClientOptions {
  std::string endpoint = {};  // "http://127.0.0.1:8083"; empty: of the environment, as the functions themselves take it
  std::string region = {};
  std::string access_key = {};  // empty: of the environment
  std::string secret_key = {};
  std::string session_token = {};
  std::chrono::milliseconds timeout = std::chrono::minutes(15);  // of a call with its retries
};

struct InvokeRequest {
  std::string execution_name = {};  // makes the start idempotent; empty: a new one
  std::string qualifier = {};
  std::string tenant_id = {};
  bool asynchronous = false;
  bool dry_run = false;
};

struct InvokeResult {
  int status = 0;              // 200, 202 for asynchronous, 204 for a dry run
  std::string payload;         // the result, or the error where function_error is not empty
  std::string function_error;  // "Unhandled"
  std::string execution_arn;
  std::string version;
};

struct ExecutionDescription {
  std::string arn;
  std::string name;
  std::string function_arn;
  std::string status;  // RUNNING, SUCCEEDED, FAILED, TIMED_OUT, STOPPED
  std::string version;
  Timestamp started{};
  std::optional<Timestamp> ended;
  std::optional<std::string> input;
  std::optional<std::string> result;
  std::optional<ErrorObject> error;
};

struct ExecutionPage {
  std::vector<ExecutionDescription> executions;
  std::string next_marker;  // empty: that was all
};

struct HistoryPage {
  std::vector<Json> events;  // as the API has them
  std::string next_marker;
};

struct ListRequest {
  std::string qualifier = {};
  std::string execution_name = {};
  std::string status = {};
  std::string started_after = {};  // ISO 8601
  std::string started_before = {};
  bool reverse = false;
  int items_max = 0;  // 0: the service's own
  std::string marker = {};
};

struct HistoryRequest {
  bool include_data = true;
  bool reverse = false;
  int items_max = 0;
  std::string marker = {};
};

class Client {
 public:
  explicit Client(const ClientOptions& options = {});
  ~Client();
  Client(Client&&) noexcept;

  // A function that fails is not an exception here: see function_error.
  InvokeResult invoke(const std::string& function, const std::string& payload, const InvokeRequest& request = {});

  ExecutionDescription get(const std::string& execution_arn, bool include_data = true);
  HistoryPage history(const std::string& execution_arn, const HistoryRequest& request = {});
  ExecutionPage list(const std::string& function, const ListRequest& request = {});
  // When it was stopped.
  Timestamp stop(const std::string& execution_arn, const std::optional<ErrorObject>& error = {});

  void succeed_callback(const std::string& callback_id, const std::optional<std::string>& result = {});
  void fail_callback(const std::string& callback_id, const ErrorObject& error = {});
  void heartbeat_callback(const std::string& callback_id);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pawl::durable
