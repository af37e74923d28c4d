// The service that a durable function keeps its progress in, as an interface: over HTTP (AWS Lambda, Pawl) or in
// process.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "pawl/durable/types.h"

namespace pawl::durable {

struct CheckpointRequest {
  std::string execution_arn;
  std::string token;
  std::string client_token;  // the same when a call is made again
  std::vector<OperationUpdate> updates;
};

struct CheckpointAnswer {
  std::optional<std::string> token;  // absent: no checkpoint may follow
  std::vector<OperationRecord> operations;
  std::string next_marker;  // empty: that was all
};

struct StatePage {
  std::vector<OperationRecord> operations;
  std::string next_marker;
};

// The service refused a call, or could not be reached (status 0).
class ApiError : public std::runtime_error {
 public:
  ApiError(int status, std::string code, const std::string& message)
      : std::runtime_error(message), status_(status), code_(std::move(code)) {}

  int status() const noexcept { return status_; }
  const std::string& code() const noexcept { return code_; }
  // Another try may do: throttled, a fault of the service, or not reached.
  bool is_transient() const noexcept;
  // The token is not the current one: another invocation has gone on from here.
  bool is_stale_token() const noexcept;

 private:
  int status_;
  std::string code_;
};

// Calls may come from one thread at a time. They throw ApiError, after the tries that the implementation makes by
// itself, and return no later than `deadline`.
class DurableService {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  virtual ~DurableService() = default;
  virtual CheckpointAnswer checkpoint(const CheckpointRequest& request, Deadline deadline) = 0;
  virtual StatePage state(const std::string& execution_arn, const std::string& token, const std::string& marker,
                          Deadline deadline) = 0;
  // How long until the service's clock shows that time; a service that skips time says less.
  virtual std::chrono::milliseconds until(Timestamp time) const {
    return time - std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  }
};

}  // namespace pawl::durable
