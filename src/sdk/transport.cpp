#include "sdk/transport.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace pawl::durable::detail {
namespace {

[[noreturn]] void fail(const std::string& what) { throw HttpError(what); }

// Waits until the socket can be read or written.
void wait_for(int socket, short events, Transport::Deadline deadline) {
  for (;;) {
    int timeout = -1;
    if (deadline != Transport::Deadline::max()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      if (left.count() <= 0) fail("the service did not answer in time");
      timeout = static_cast<int>(std::min<std::int64_t>(left.count(), 1'000'000));
    }
    pollfd waiting{socket, events, 0};
    const int ready = ::poll(&waiting, 1, timeout);
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) fail(std::string("poll: ") + std::strerror(errno));
  }
}

class Socket {
 public:
  explicit Socket(int handle) : handle_(handle) {}
  Socket(const Socket&) = delete;
  Socket(Socket&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
  ~Socket() {
    if (handle_ >= 0) ::close(handle_);
  }
  int handle() const noexcept { return handle_; }

 private:
  int handle_;
};

void connect_socket(const Socket& socket, const addrinfo& address, Transport::Deadline deadline) {
  if (::connect(socket.handle(), address.ai_addr, address.ai_addrlen) == 0) return;
  if (errno != EINPROGRESS) fail(std::strerror(errno));
  wait_for(socket.handle(), POLLOUT, deadline);
  int problem = 0;
  socklen_t size = sizeof problem;
  ::getsockopt(socket.handle(), SOL_SOCKET, SO_ERROR, &problem, &size);
  if (problem != 0) fail(std::strerror(problem));
}

Socket open_socket(const Endpoint& endpoint, Transport::Deadline deadline) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int problem = ::getaddrinfo(endpoint.host.c_str(), std::to_string(endpoint.port).c_str(), &hints, &found);
      problem != 0) {
    fail(endpoint.host + ": " + ::gai_strerror(problem));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, &::freeaddrinfo);
  std::string problems;
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    Socket socket(
        ::socket(address->ai_family, address->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, address->ai_protocol));
    if (socket.handle() < 0) continue;
    try {
      connect_socket(socket, *address, deadline);
      const int on = 1;
      ::setsockopt(socket.handle(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      return socket;
    } catch (const HttpError& error) {
      problems = error.what();
    }
  }
  fail("cannot connect to " + endpoint.authority() + ": " + problems);
}

class PlainTransport final : public Transport {
 public:
  explicit PlainTransport(Socket socket) : socket_(std::move(socket)) {}

  void write(std::string_view bytes, Deadline deadline) override {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_.handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent > 0) {
        bytes.remove_prefix(static_cast<std::size_t>(sent));
      } else if (errno == EAGAIN || errno == EINTR) {
        wait_for(socket_.handle(), POLLOUT, deadline);
      } else {
        fail(std::string("send: ") + std::strerror(errno));
      }
    }
  }

  std::size_t read(std::span<char> into, Deadline deadline) override {
    for (;;) {
      const ssize_t got = ::recv(socket_.handle(), into.data(), into.size(), 0);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EAGAIN && errno != EINTR) fail(std::string("recv: ") + std::strerror(errno));
      wait_for(socket_.handle(), POLLIN, deadline);
    }
  }

 private:
  Socket socket_;
};

std::string tls_problem(const char* what) {
  char text[256] = "";
  ERR_error_string_n(ERR_get_error(), text, sizeof text);
  return std::string(what) + ": " + text;
}

SSL_CTX* tls_context() {
  // Made once, and never freed: connections of other threads may still use it while the process ends.
  static SSL_CTX* const context = [] {
    SSL_CTX* made = SSL_CTX_new(TLS_client_method());
    if (made == nullptr) fail(tls_problem("TLS"));
    SSL_CTX_set_min_proto_version(made, TLS1_2_VERSION);
    SSL_CTX_set_verify(made, SSL_VERIFY_PEER, nullptr);
    const char* bundle = std::getenv("AWS_CA_BUNDLE");
    const int loaded = bundle != nullptr && *bundle != '\0' ? SSL_CTX_load_verify_locations(made, bundle, nullptr)
                                                            : SSL_CTX_set_default_verify_paths(made);
    if (loaded != 1) fail(tls_problem("the certificates could not be loaded"));
    return made;
  }();
  return context;
}

class TlsTransport final : public Transport {
 public:
  TlsTransport(Socket socket, const std::string& host, Deadline deadline)
      : socket_(std::move(socket)), tls_(SSL_new(tls_context()), &SSL_free) {
    if (!tls_) fail(tls_problem("TLS"));
    SSL_set_fd(tls_.get(), socket_.handle());
    SSL_set_tlsext_host_name(tls_.get(), host.c_str());
    SSL_set1_host(tls_.get(), host.c_str());
    repeat([&] { return SSL_connect(tls_.get()); }, deadline, "TLS handshake");
  }

  void write(std::string_view bytes, Deadline deadline) override {
    while (!bytes.empty()) {
      bytes.remove_prefix(repeat(
          [&] {
            return SSL_write(tls_.get(), bytes.data(), static_cast<int>(std::min<std::size_t>(bytes.size(), 1 << 20)));
          },
          deadline, "TLS write"));
    }
  }

  std::size_t read(std::span<char> into, Deadline deadline) override {
    return repeat([&] { return SSL_read(tls_.get(), into.data(), static_cast<int>(into.size())); }, deadline,
                  "TLS read");
  }

 private:
  template <typename Call>
  std::size_t repeat(Call call, Deadline deadline, const char* what) {
    for (;;) {
      ERR_clear_error();
      const int result = call();
      if (result > 0) return static_cast<std::size_t>(result);
      switch (SSL_get_error(tls_.get(), result)) {
        case SSL_ERROR_WANT_READ:
          wait_for(socket_.handle(), POLLIN, deadline);
          break;
        case SSL_ERROR_WANT_WRITE:
          wait_for(socket_.handle(), POLLOUT, deadline);
          break;
        case SSL_ERROR_ZERO_RETURN:
          return 0;
        default:
          fail(tls_problem(what));
      }
    }
  }

  Socket socket_;
  std::unique_ptr<SSL, decltype(&SSL_free)> tls_;
};

}  // namespace

std::unique_ptr<Transport> connect_to(const Endpoint& endpoint, Transport::Deadline deadline) {
  Socket socket = open_socket(endpoint, deadline);
  if (endpoint.tls) return std::make_unique<TlsTransport>(std::move(socket), endpoint.host, deadline);
  return std::make_unique<PlainTransport>(std::move(socket));
}

}  // namespace pawl::durable::detail
