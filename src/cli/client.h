// A client of the Step Functions protocol and of Lambda's API, for the commands that talk to a server. It signs its
// requests where the environment has AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, for the region in AWS_REGION
// (us-east-1 without it). What is not AWS's it asks for with the access token in PAWL_TOKEN, where there is one.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/commands.h"
#include "json/value.h"

namespace pawl::cli {

// An answer of Lambda's API.
struct LambdaAnswer {
  int status = 0;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case

  std::string header(std::string_view name) const;  // empty where absent
};

class Client {
 public:
  explicit Client(std::string endpoint) : endpoint_(std::move(endpoint)) {}
  explicit Client(const ClientOptions& options)
      : endpoint_(options.endpoint), authorities_file_(options.authorities_file) {}
  explicit Client(const ActivityOptions& options)
      : endpoint_(options.endpoint), authorities_file_(options.authorities_file) {}
  explicit Client(const ScheduleOptions& options)
      : endpoint_(options.endpoint), authorities_file_(options.authorities_file) {}
  explicit Client(const FunctionOptions& options)
      : endpoint_(options.endpoint), authorities_file_(options.authorities_file) {}

  // Errors: SERVER_UNREACHABLE, SERVER_ANSWER, and SERVER_REFUSED, whose `where` is AWS's name of the error.
  // `stop` ends the wait for the answer early, with SERVER_UNREACHABLE.
  Result<json::Value> call(std::string_view operation, const json::Value& request,
                           const std::stop_token& stop = {}) const;

  // Lambda's API: the answer as it came, or SERVER_REFUSED, whose `where` is AWS's name of the error. `path` begins
  // with its date. The errors of call() too.
  Result<LambdaAnswer> call_lambda(const std::string& method, const std::string& path, std::string body = {},
                                   std::vector<std::pair<std::string, std::string>> headers = {}) const;
  // The same where the answer is a JSON object.
  Result<json::Value> ask_lambda(const std::string& method, const std::string& path,
                                 const json::Value& body = {}) const;

  // Pawl's own REST: an answer, or SERVER_REFUSED, whose `where` is the code. The errors of call() too.
  Result<json::Value> ask(const std::string& method, const std::string& path, const json::Value& body = {}) const;
  // The body of an answer, as it comes; the answer's status, of one that is no refusal.
  Result<int> stream(const std::string& path, const std::string& last_event_id,
                     const std::function<void(std::string_view)>& on_body, const std::stop_token& stop) const;

  // An ARN as it is; a name as the server's own ARN of it.
  Result<std::string> machine_arn(const std::string& name) const;
  // The same for MACHINE:EXECUTION.
  Result<std::string> execution_arn(const std::string& name) const;
  Result<std::string> activity_arn(const std::string& name) const;

 private:
  Result<json::Value> send(const std::string& method, const std::string& path, std::string_view target,
                           std::string body, const std::stop_token& stop = {}) const;
  Result<std::string> arn_prefix() const;

  std::string endpoint_;
  std::string authorities_file_;  // whom https trusts besides the system's authorities
};

}  // namespace pawl::cli
