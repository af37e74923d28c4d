// A client of the Step Functions protocol, for the commands that talk to a server. It signs its requests where the
// environment has AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, for the region in AWS_REGION (us-east-1 without it).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace pawl::cli {

class Client {
 public:
  explicit Client(std::string endpoint) : endpoint_(std::move(endpoint)) {}

  // Errors: SERVER_UNREACHABLE, SERVER_ANSWER, and SERVER_REFUSED, whose `where` is AWS's name of the error.
  Result<json::Value> call(std::string_view operation, const json::Value& request) const;

  // An ARN as it is; a name as the server's own ARN of it.
  Result<std::string> machine_arn(const std::string& name) const;
  // The same for MACHINE:EXECUTION.
  Result<std::string> execution_arn(const std::string& name) const;

 private:
  Result<json::Value> send(const std::string& method, const std::string& path, std::string_view target,
                           std::string body) const;
  Result<std::string> arn_prefix() const;

  std::string endpoint_;
};

}  // namespace pawl::cli
