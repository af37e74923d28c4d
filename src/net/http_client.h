// One HTTP request and its answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace pawl::net {

inline constexpr Duration kConnectTimeout = std::chrono::seconds(10);
inline constexpr Duration kRequestTimeout = std::chrono::minutes(5);
inline constexpr uint32_t kHeaderBytesMax = 64 * 1024;
inline constexpr uint64_t kBodyBytesMax = 16 * 1024 * 1024;

struct HttpRequest {
  std::string method = "POST";
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;  // Host and Content-Length are made
  std::string body;
  Duration timeout = kRequestTimeout;          // of everything together
  Duration connect_timeout = kConnectTimeout;  // of looking the name up, connecting and the TLS handshake
  uint64_t body_bytes_max = kBodyBytesMax;     // of the answer
  // Where given, the body of an answer with status 200 is handed over as it comes, not kept, and may have any size; the
  // timeout begins anew with each piece. For send() only.
  std::function<void(std::string_view)> on_body;
  std::string authorities_file;  // PEM; whom https trusts besides the system's authorities
};

struct HttpResponse {
  int status = 0;
  std::string reason;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string body;
};

// Sends and waits, on the calling thread; any number of threads may. A connection serves one request. https checks the
// certificate against the system's authorities (or SSL_CERT_FILE) and the host's name. Redirects are not followed.
//
// `stop` ends it early, but for a name that is being looked up: the system's resolver cannot be interrupted.
//
// Errors, whose texts never hold the URL or a header: HTTP_BAD_URL, HTTP_BAD_HEADER, HTTP_RESOLVE_FAILED,
// HTTP_CONNECT_FAILED, HTTP_TLS, HTTP_TIMEOUT, HTTP_TOO_LARGE, HTTP_BAD_ANSWER, HTTP_CONNECTION_LOST, HTTP_STOPPED.
Result<HttpResponse> send(const HttpRequest& request, std::stop_token stop = {});

}  // namespace pawl::net
