// One HTTP/1.1 connection of a client, kept open between calls: TCP, or TLS over it.
//
// Strict where it matters: one length, no folded headers, bounded sizes. Belongs to one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl::durable::detail {

inline constexpr std::size_t kHeaderBytesMax = 64 * 1024;
inline constexpr std::size_t kBodyBytesMax = 64 * 1024 * 1024;

// Where a service is: "http://127.0.0.1:9000/base".
struct Endpoint {
  bool tls = false;
  std::string host;
  std::uint16_t port = 0;
  std::string base_path;  // without a slash at its end

  // As a Host header has it: without the port that the scheme has by itself.
  std::string authority() const;
  // Throws std::invalid_argument.
  static Endpoint parse(std::string_view url);
};

using Headers = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method = "GET";
  std::string target;  // path and query, encoded
  Headers headers;     // without Host and Content-Length
  std::string body;
};

struct HttpResponse {
  int status = 0;
  Headers headers;  // names in lower case
  std::string body;

  // The value of a header, by its name in lower case; empty where there is none.
  std::string_view header(std::string_view name) const;
};

// The peer could not be reached, or broke the connection or the protocol.
class HttpError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Transport;

class HttpConnection {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  explicit HttpConnection(Endpoint endpoint);
  ~HttpConnection();
  HttpConnection(HttpConnection&&) noexcept;

  const Endpoint& endpoint() const noexcept { return endpoint_; }

  // Throws HttpError. A connection that the peer has closed in between is opened again, once.
  HttpResponse call(const HttpRequest& request, Deadline deadline);

 private:
  HttpResponse exchange(const std::string& text, Deadline deadline);
  std::string read_head(Deadline deadline);
  void read_body(HttpResponse& response, Deadline deadline);
  void read_chunks(HttpResponse& response, Deadline deadline);
  std::string read_line(Deadline deadline);
  void fill(std::size_t bytes, Deadline deadline);
  void fill_some(Deadline deadline);

  Endpoint endpoint_;
  std::unique_ptr<Transport> transport_;
  std::string buffer_;
  bool answered_ = false;  // the peer has begun to answer the call under way
};

// Percent-encodes all but letters, digits and -_.~
std::string percent_encode(std::string_view text);

}  // namespace pawl::durable::detail
