// A server for tests: real sockets on the loopback address, one thread, one request a connection. It answers with
// whatever bytes a test wants, so that answers which no library would write can be tried too.
#pragma once

#include <atomic>
#include <cstdio>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace pawl::net {

struct ReceivedRequest {
  std::string head;  // the request line and the headers, as they came
  std::string body;

  // The value of a header, or empty.
  std::string header(std::string_view name) const {
    const size_t at = head.find("\r\n" + std::string(name) + ": ");
    if (at == std::string::npos) return {};
    const size_t begin = at + 4 + name.size();
    return head.substr(begin, head.find("\r\n", begin) - begin);
  }
};

// A certificate for "localhost" that it signed itself, made anew.
class TestCertificate {
 public:
  TestCertificate() : key_(EVP_EC_gen("P-256")), certificate_(X509_new()) {
    X509_set_version(certificate_, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate_), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate_), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate_), 3600);
    X509_set_pubkey(certificate_, key_);
    X509_NAME* name = X509_get_subject_name(certificate_);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("localhost"), -1, -1,
                               0);
    X509_set_issuer_name(certificate_, name);
    X509_EXTENSION* names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "DNS:localhost");
    X509_add_ext(certificate_, names, -1);
    X509_EXTENSION_free(names);
    X509_sign(certificate_, key_, EVP_sha256());
  }
  ~TestCertificate() {
    X509_free(certificate_);
    EVP_PKEY_free(key_);
  }
  TestCertificate(const TestCertificate&) = delete;
  TestCertificate& operator=(const TestCertificate&) = delete;

  void write_to(const std::string& path) const {
    FILE* file = std::fopen(path.c_str(), "w");
    ASSERT_NE(file, nullptr);
    PEM_write_X509(file, certificate_);
    std::fclose(file);
  }
  void write_key_to(const std::string& path) const {
    FILE* file = std::fopen(path.c_str(), "w");
    ASSERT_NE(file, nullptr);
    PEM_write_PrivateKey(file, key_, nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(file);
  }
  void use_in(SSL_CTX* context) const {
    SSL_CTX_use_certificate(context, certificate_);
    SSL_CTX_use_PrivateKey(context, key_);
  }

 private:
  EVP_PKEY* key_;
  X509* certificate_;
};

class HttpTestServer {
 public:
  // The bytes to answer with; none: the connection stays open, without an answer, until the client closes it.
  using Answer = std::function<std::optional<std::string>(const ReceivedRequest&)>;

  explicit HttpTestServer(Answer answer, const TestCertificate* certificate = nullptr)
      : answer_(std::move(answer)),
        certificate_(certificate),
        listener_(listen_on_loopback()),
        thread_([this](std::stop_token stop) { serve(stop); }) {}
  ~HttpTestServer() {
    thread_.request_stop();
    thread_.join();
    ::close(listener_);
  }

  uint16_t port() const { return port_; }
  std::string url(const std::string& path = "/") const {
    const std::string origin = certificate_ != nullptr ? "https://localhost:" : "http://127.0.0.1:";
    return origin + std::to_string(port_) + path;
  }
  std::vector<ReceivedRequest> received() const {
    const std::lock_guard lock(mutex_);
    return received_;
  }

  // From now on, each byte of an answer is a packet of its own.
  void answer_byte_by_byte() { byte_by_byte_ = true; }

  static std::string json_answer(int status, const std::string& body) {
    return "HTTP/1.1 " + std::to_string(status) +
           " Reason\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
           body;
  }

 private:
  // Plain or TLS, behind one pair of functions.
  struct Connection {
    int socket;
    SSL* tls = nullptr;
    long read(char* buffer, size_t size) const {
      return tls != nullptr ? SSL_read(tls, buffer, static_cast<int>(size)) : ::recv(socket, buffer, size, 0);
    }
    void write(const std::string& bytes) const {
      for (size_t sent = 0; sent < bytes.size();) {
        const long n = tls != nullptr ? SSL_write(tls, bytes.data() + sent, static_cast<int>(bytes.size() - sent))
                                      : ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (n <= 0) return;
        sent += static_cast<size_t>(n);
      }
    }
  };

  int listen_on_loopback() {
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    EXPECT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener, 64), 0);
    ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    return listener;
  }

  static bool is_readable(int socket, int milliseconds) {
    pollfd ready{socket, POLLIN, 0};
    return ::poll(&ready, 1, milliseconds) > 0;
  }

  void serve(const std::stop_token& stop) {
    std::vector<std::jthread> connections;
    while (!stop.stop_requested()) {
      if (!is_readable(listener_, kPollMilliseconds)) continue;
      const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket >= 0)
        connections.emplace_back([this, socket](std::stop_token ended) { serve_connection(socket, ended); });
    }
  }

  void serve_connection(int socket, const std::stop_token& stop) {
    SSL_CTX* context = certificate_ != nullptr ? SSL_CTX_new(TLS_server_method()) : nullptr;
    Connection connection{socket, nullptr};
    if (context != nullptr) {
      certificate_->use_in(context);
      connection.tls = SSL_new(context);
      SSL_set_fd(connection.tls, socket);
    }
    if (connection.tls == nullptr || SSL_accept(connection.tls) == 1) answer(connection, stop);
    if (connection.tls != nullptr) SSL_shutdown(connection.tls);
    SSL_free(connection.tls);
    SSL_CTX_free(context);
    ::close(socket);
  }

  void answer(const Connection& connection, const std::stop_token& stop) {
    const auto request = read_request(connection);
    if (!request) return;
    {
      const std::lock_guard lock(mutex_);
      received_.push_back(*request);
    }
    const auto bytes = answer_(*request);
    if (bytes && byte_by_byte_) return write_byte_by_byte(connection, *bytes);
    if (bytes) return connection.write(*bytes);
    while (!stop.stop_requested() && !is_readable(connection.socket, kPollMilliseconds)) {
    }
  }

  static void write_byte_by_byte(const Connection& connection, const std::string& bytes) {
    const int on = 1;
    ::setsockopt(connection.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    for (const char byte : bytes) {
      connection.write(std::string(1, byte));
      std::this_thread::yield();  // so that the client reads it by itself, more often than not
    }
  }

  static std::optional<ReceivedRequest> read_request(const Connection& connection) {
    std::string bytes;
    char buffer[4096];
    for (;;) {
      const size_t end = bytes.find("\r\n\r\n");
      if (end != std::string::npos) {
        ReceivedRequest request{bytes.substr(0, end + 2), bytes.substr(end + 4)};
        const std::string length = request.header("Content-Length");
        if (request.body.size() >= (length.empty() ? 0 : std::stoul(length))) return request;
      }
      const long n = connection.read(buffer, sizeof(buffer));
      if (n <= 0) return std::nullopt;
      bytes.append(buffer, static_cast<size_t>(n));
      if (bytes[0] == '\x16') return ReceivedRequest{};  // TLS where plain HTTP was expected: answered at once
    }
  }

  static constexpr int kPollMilliseconds = 10;

  Answer answer_;
  std::atomic<bool> byte_by_byte_ = false;
  const TestCertificate* certificate_;
  uint16_t port_ = 0;
  int listener_;
  mutable std::mutex mutex_;  // guards received_
  std::vector<ReceivedRequest> received_;
  std::jthread thread_;
};

}  // namespace pawl::net
