// What the server answers to an HTTP request: the Step Functions protocol at POST /, AWS Lambda's API for functions
// (lambda.h), /health, /metrics, and Pawl's own REST below /api/.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "net/http_server.h"
#include "server/authorization.h"
#include "server/credentials.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/runtime_workers.h"
#include "server/service.h"

namespace pawl::server {

// What an endpoint is made of, beside the service.
struct EndpointParts {
  Credentials credentials;
  Authorization authorization;
  std::string version;
  RequestMetrics& requests;
  MetricsPage& metrics;
  Log& log;
  RuntimeWorkers& workers;
  uint64_t body_bytes_max;  // of requests that are not about functions
};

// Any thread may call it; it must outlive every answer.
class Endpoint {
 public:
  Endpoint(Service& service, EndpointParts parts) : service_(service), parts_(std::move(parts)) {}

  // The routes by which requests are counted.
  static std::vector<std::string_view> routes();

  void handle(net::HttpServerRequest request, net::Respond respond);

 private:
  net::HttpServerResponse answer(const net::HttpServerRequest& request);
  void handle_functions(const net::HttpServerRequest& request, net::Respond respond);
  void handle_own(const net::HttpServerRequest& request, net::Respond respond);
  void log_refusal(std::string_view route, const std::string& peer, int status);
  void handle_operation(const net::HttpServerRequest& request, net::Respond respond);
  void log_operation(std::string_view operation, const std::string& subject, const std::string& peer,
                     const std::string& request_id, const Outcome<Value>& outcome);
  std::string health() const;

  Service& service_;
  EndpointParts parts_;
  std::atomic<uint64_t> last_request_ = 0;
};

}  // namespace pawl::server
