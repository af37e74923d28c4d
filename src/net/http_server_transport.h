// The bytes of one connection of the HTTP server, in clear or through TLS. Only for the server's own files.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/ip/tcp.hpp>
#include <openssl/ssl.h>

#include "base/result.h"
#include "net/http_server.h"

namespace pawl::net::server {

namespace asio = boost::asio;
using boost::system::error_code;
using tcp = asio::ip::tcp;

struct TlsFree {
  void operator()(SSL_CTX* context) const { ::SSL_CTX_free(context); }
  void operator()(SSL* session) const { ::SSL_free(session); }
};

// The certificate and the key, for all connections: immutable once it is made.
class TlsIdentity {
 public:
  // TLS 1.2 and later. Error: HTTP_TLS_FILES.
  static Result<std::shared_ptr<const TlsIdentity>> read(const HttpServerTls& files);

  SSL_CTX* context() const { return context_.get(); }

 private:
  explicit TlsIdentity(SSL_CTX* context) : context_(context) {}
  std::unique_ptr<SSL_CTX, TlsFree> context_;
};

// A non-blocking socket, and with an identity the TLS session on it. OpenSSL reads and writes the socket by itself and
// a record at a time, so that nothing readable hides in its buffers: waiting for the socket is waiting for the bytes.
// The handshake happens inside the first calls of read_some().
//
// Ownership: a Connection's, on its loop's thread. SIGPIPE must be blocked there, for OpenSSL writes without
// MSG_NOSIGNAL.
class Transport {
 public:
  Transport(tcp::socket socket, const TlsIdentity* identity);

  tcp::socket& socket() { return socket_; }
  bool is_handshaking() const { return tls_ != nullptr && ::SSL_is_init_finished(tls_.get()) == 0; }
  // What a call that gave would_block waits for.
  tcp::socket::wait_type wanted() const { return wanted_; }

  // would_block where nothing is there yet; any other error ends the input.
  size_t read_some(char* buffer, size_t size, error_code& error);
  // What was taken of the two texts, one after the other. What would_block left must come again, at least as long.
  size_t write_some(std::string_view first, std::string_view second, error_code& error);
  // Says that nothing more follows.
  void shut_down(error_code& error);

 private:
  error_code failure_of(int result);
  size_t write_records(std::string_view bytes, error_code& error);

  tcp::socket socket_;
  std::unique_ptr<SSL, TlsFree> tls_;
  tcp::socket::wait_type wanted_ = tcp::socket::wait_read;
};

}  // namespace pawl::net::server
