// ApiClient: signed calls of the Lambda API over one connection, made again where that may help.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "pawl/durable/service.h"
#include "sdk/http_connection.h"
#include "sdk/sigv4.h"

namespace pawl::durable::detail {

struct ApiSettings {
  Endpoint endpoint;
  std::string region;
  Credentials credentials;  // without a key nothing is signed

  // AWS_ENDPOINT_URL_LAMBDA, then AWS_ENDPOINT_URL, then AWS's of AWS_REGION; the credentials of the environment.
  static ApiSettings from_environment();
};

// Belongs to one thread at a time.
class ApiClient {
 public:
  using Deadline = DurableService::Deadline;
  static constexpr int kAttemptsMax = 4;
  static constexpr std::chrono::seconds kCallTimeout{55};

  explicit ApiClient(ApiSettings settings);

  // Throttled and failed calls, and those that did not arrive, are made again with a growing delay until the deadline.
  // Throws ApiError. `target` is path and query, encoded.
  HttpResponse call(const std::string& method, const std::string& target, std::string body, Headers headers,
                    Deadline deadline);

 private:
  HttpResponse call_once(HttpRequest request, Deadline deadline);

  ApiSettings settings_;
  HttpConnection connection_;
};

// The service over HTTP.
class HttpService final : public DurableService {
 public:
  explicit HttpService(ApiSettings settings) : client_(std::move(settings)) {}

  CheckpointAnswer checkpoint(const CheckpointRequest& request, Deadline deadline) override;
  StatePage state(const std::string& execution_arn, const std::string& token, const std::string& marker,
                  Deadline deadline) override;

 private:
  ApiClient client_;
};

}  // namespace pawl::durable::detail
