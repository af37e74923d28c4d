// An HTTP/1.1 server on one or more threads of its own.
//
//   auto server = HttpServer::listen({.port = 8083}, [](HttpServerRequest request, Respond respond) {
//     respond({.status = 200, .body = "{}"});      // now, or later, from any thread
//   });
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "net/http_server_message.h"

namespace pawl::net {

// What one client may take of the server. A time counts from the first byte of what it bounds.
struct HttpServerLimits {
  uint32_t header_bytes_max = 32 * 1024;                      // request line and headers; else 431
  uint64_t body_bytes_max = 4 * 1024 * 1024;                  // else 413
  uint32_t connections_max = 20'000;                          // further ones are answered 503 and closed
  Duration header_time_max = std::chrono::seconds(10);        // else 408
  Duration body_time_max = std::chrono::seconds(30);          // else 408
  Duration idle_time_max = std::chrono::seconds(75);          // between requests; then closed
  Duration write_time_max = std::chrono::seconds(30);         // for the client to take an answer; then closed
  Duration pulse_time = std::chrono::seconds(15);             // of a body in pieces, without one; then its pulse
  Duration linger_time_max = std::chrono::milliseconds(500);  // for the client to read a last answer; then closed
};

// Files in PEM form. Both empty: no TLS.
struct HttpServerTls {
  std::string certificate_file;  // the server's own first, then those that vouch for it
  std::string key_file;

  bool is_wanted() const { return !certificate_file.empty() || !key_file.empty(); }
};

struct HttpServerOptions {
  std::string host = "127.0.0.1";  // an address, or a name of this machine
  uint16_t port = 0;               // 0: a free one
  uint32_t threads = 1;
  HttpServerTls tls;
  HttpServerLimits limits;
  // Called by a thread of the server after it has called the handler, as soon as no other request waits for it. Unlike
  // the handler it may block for a moment.
  std::function<void()> when_idle;
};

// Answers one request: exactly once, now or later, from any thread, also after the server has ended (then it does
// nothing). One that is destroyed unused answers 500.
using Respond = std::move_only_function<void(HttpServerResponse)>;

// Lifecycle: listen() binds the port and starts the threads; shutdown() or the destructor ends them.
//
// Concurrency: a connection belongs to one of the threads, which parses, calls the handler and writes; it must not be
// blocked. The requests of a connection are handled one after another, and answered in their order, also where a client
// sends several at once. With more than one thread the handler is called by several at a time.
//
// Limits: HttpServerLimits. They are looked at in steps of a quarter of the shortest one, at most a second, so that a
// client may have that much more. To have room for all connections, listen() raises the process's soft limit of open
// files up to its hard one; where that is not enough it takes fewer connections, so that files are left for the rest. A
// client that goes away while its request is handled is noticed when it is answered, or by who asked (when_gone());
// while a body comes in pieces, at once, and one that sends nothing more counts as gone then.
class HttpServer {
 public:
  using Handler = std::function<void(HttpServerRequest, Respond)>;

  // Errors: HTTP_LISTEN_FAILED, HTTP_LISTEN_ADDRESS, HTTP_TLS_FILES.
  static Result<std::unique_ptr<HttpServer>> listen(const HttpServerOptions& options, Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  uint16_t port() const;
  uint32_t connections() const;  // open now

  // Accepts nothing more, closes idle connections, cuts off bodies that come in pieces, waits for at most `grace` until
  // requests that have begun are answered, then closes the rest; the handler is not called afterwards. Not for the
  // server's own threads. A second call does nothing.
  void shutdown(Duration grace);

 private:
  class Server;
  explicit HttpServer(std::unique_ptr<Server> server);
  std::unique_ptr<Server> server_;
};

}  // namespace pawl::net
