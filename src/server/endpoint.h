// What the server answers to an HTTP request: the Step Functions protocol at POST /, /health and /metrics.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "net/http_server.h"
#include "server/authorization.h"
#include "server/credentials.h"
#include "server/service.h"

namespace pawl::server {

// How many requests of the protocol were answered, and how. Any thread may count.
struct RequestCounts {
  std::atomic<uint64_t> succeeded = 0;
  std::atomic<uint64_t> refused = 0;  // the client's mistake, or overload
  std::atomic<uint64_t> failed = 0;   // the server's
};

// Any thread may call it; it must outlive every answer.
class Endpoint {
 public:
  Endpoint(Service& service, Credentials credentials, Authorization authorization, std::string version)
      : service_(service),
        credentials_(std::move(credentials)),
        authorization_(std::move(authorization)),
        version_(std::move(version)) {}

  void handle(net::HttpServerRequest request, net::Respond respond);

 private:
  void handle_operation(const net::HttpServerRequest& request, net::Respond respond);
  void count(const Outcome<Value>& outcome);
  std::string health() const;
  std::string metrics() const;

  Service& service_;
  Credentials credentials_;
  Authorization authorization_;
  std::string version_;
  RequestCounts counts_;
  std::atomic<uint64_t> last_request_ = 0;
};

}  // namespace pawl::server
