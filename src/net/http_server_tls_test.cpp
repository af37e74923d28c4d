// The HTTP server through TLS, with a certificate that is made for each test.
#include <filesystem>
#include <fstream>
#include <latch>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "net/http_client.h"
#include "net/http_server.h"
#include "net/http_server_test_client.h"
#include "net/http_test_server.h"

namespace pawl::net {
namespace {

using testing::HasSubstr;

// A client that keeps its connection and trusts everyone.
class TlsRawClient {
 public:
  explicit TlsRawClient(uint16_t port)
      : context_(SSL_CTX_new(TLS_client_method())), socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{10, 0};  // a test that waits longer has failed
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    session_ = SSL_new(context_);
    SSL_set_fd(session_, socket_);
    EXPECT_EQ(SSL_connect(session_), 1);
  }
  TlsRawClient(const TlsRawClient&) = delete;
  TlsRawClient& operator=(const TlsRawClient&) = delete;
  ~TlsRawClient() {
    SSL_free(session_);
    SSL_CTX_free(context_);
    ::close(socket_);
  }

  void send(const std::string& bytes) const {
    EXPECT_EQ(SSL_write(session_, bytes.data(), static_cast<int>(bytes.size())), static_cast<int>(bytes.size()));
  }
  std::string read_until(const std::string& wanted) const {
    std::string bytes;
    char buffer[4096];
    while (!bytes.contains(wanted)) {
      const int size = SSL_read(session_, buffer, sizeof(buffer));
      if (size <= 0) return bytes + " (and no more)";
      bytes.append(buffer, static_cast<size_t>(size));
    }
    return bytes;
  }

 private:
  SSL_CTX* context_;
  int socket_;
  SSL* session_ = nullptr;
};

// A certificate of its own, in files; a server that echoes.
class TlsServer : public testing::Test {
 protected:
  TlsServer() {
    std::string pattern = (std::filesystem::temp_directory_path() / "pawl_tls_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
    folder_ = pattern;
    tls_ = {folder_ + "/certificate.pem", folder_ + "/key.pem"};
    certificate_.write_to(tls_.certificate_file);
    certificate_.write_key_to(tls_.key_file);
  }
  ~TlsServer() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<HttpServer> serve(HttpServerLimits limits = {}) const {
    HttpServerOptions options;
    options.tls = tls_;
    options.limits = limits;
    auto server = HttpServer::listen(options, [](HttpServerRequest request, Respond respond) {
      HttpServerResponse response;
      response.body = request.target + " " + request.body;
      respond(std::move(response));
    });
    EXPECT_TRUE(server) << to_string(server.error());
    return std::move(*server);
  }

  HttpRequest request_to(const HttpServer& server) const {
    HttpRequest request;
    request.url = "https://localhost:" + std::to_string(server.port()) + "/path";
    request.authorities_file = tls_.certificate_file;
    return request;
  }

  TestCertificate certificate_;
  std::string folder_;
  HttpServerTls tls_;
};

TEST_F(TlsServer, AnswersAClientThatTrustsItsCertificate) {
  const auto server = serve();
  HttpRequest request = request_to(*server);
  request.body = "hello";
  const auto response = send(request);
  ASSERT_TRUE(response) << to_string(response.error());
  EXPECT_EQ(response->body, "/path hello");
}

TEST_F(TlsServer, IsNotTrustedWithoutItsAuthority) {
  const auto server = serve();
  HttpRequest request = request_to(*server);
  request.authorities_file.clear();
  EXPECT_EQ(send(request).error().code, "HTTP_TLS");
}

TEST_F(TlsServer, TakesAndGivesBodiesOfManyRecords) {
  const auto server = serve();
  HttpRequest request = request_to(*server);
  request.body = std::string(3'000'000, 'x');
  const auto response = send(request);
  ASSERT_TRUE(response) << to_string(response.error());
  EXPECT_EQ(response->body, "/path " + request.body);
}

// As many pieces as it is made with.
class CountedSource final : public HttpBodySource {
 public:
  explicit CountedSource(int pieces) : left_(pieces) {}
  void next(SendPiece send) override { send(left_-- > 0 ? std::optional(std::string(100'000, 'x')) : std::nullopt); }

 private:
  int left_;
};

TEST_F(TlsServer, GivesBodiesInPieces) {
  HttpServerOptions options;
  options.tls = tls_;
  const auto server = HttpServer::listen(options, [](HttpServerRequest, Respond respond) {
    HttpServerResponse response;
    response.source = std::make_unique<CountedSource>(30);
    respond(std::move(response));
  });
  ASSERT_TRUE(server) << to_string(server.error());
  HttpRequest request = request_to(**server);
  std::string body;
  request.on_body = [&](std::string_view piece) { body += piece; };
  const auto response = send(request);
  ASSERT_TRUE(response) << to_string(response.error());
  EXPECT_EQ(body, std::string(3'000'000, 'x'));
}

TEST_F(TlsServer, AnswersManyClientsAtOnce) {
  const auto server = serve();
  constexpr int kClients = 4;
  std::atomic<int> answered = 0;
  {
    std::vector<std::jthread> clients;
    for (int i = 0; i < kClients; ++i)
      clients.emplace_back([&] {
        HttpRequest request = request_to(*server);
        for (int round = 0; round < 2; ++round) {
          request.body = std::string(50'000, static_cast<char>('a' + round));
          const auto response = send(request);
          answered += response && response->body == "/path " + request.body;
        }
      });
  }
  EXPECT_EQ(answered, kClients * 2);
}

TEST_F(TlsServer, ClosesAClientThatSpeaksNoTls) {
  const auto server = serve();
  RawClient client(server->port());
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(client.read_to_end(), testing::Not(HasSubstr("HTTP/1.1")));
}

TEST_F(TlsServer, ClosesAClientThatNeverEndsItsHandshake) {
  HttpServerLimits limits;
  limits.header_time_max = Duration(20);
  const auto server = serve(limits);
  RawClient client(server->port());
  client.send("\x16\x03\x01");
  EXPECT_EQ(client.read_to_end(), "");
}

TEST_F(TlsServer, GoesOnWithAConnectionThatIsKeptAlive) {
  const auto server = serve();
  TlsRawClient client(server->port());
  for (const char* target : {"/1", "/2", "/3"}) {
    client.send(std::string("GET ") + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_THAT(client.read_until(std::string(target) + " "), HasSubstr("200 OK"));
  }
}

TEST_F(TlsServer, AnswersRequestsThatComeAtOnceInTheirOrder) {
  const auto server = serve();
  TlsRawClient client(server->port());
  client.send("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::string answers = client.read_until("/2 ");
  EXPECT_LT(answers.find("/1 "), answers.find("/2 "));
}

TEST_F(TlsServer, RefusesFilesThatAreNoCertificateOrKey) {
  const std::string other = folder_ + "/other.pem";
  std::ofstream(other) << "nothing";
  for (const HttpServerTls& wrong :
       {HttpServerTls{tls_.certificate_file, ""}, HttpServerTls{"", tls_.key_file}, HttpServerTls{other, tls_.key_file},
        HttpServerTls{tls_.certificate_file, other}, HttpServerTls{folder_ + "/none.pem", tls_.key_file}}) {
    HttpServerOptions options;
    options.tls = wrong;
    const auto server = HttpServer::listen(options, [](HttpServerRequest, Respond) {});
    ASSERT_FALSE(server) << wrong.certificate_file << " " << wrong.key_file;
    EXPECT_EQ(server.error().code, "HTTP_TLS_FILES");
  }
}

TEST_F(TlsServer, RefusesAKeyOfAnotherCertificate) {
  const TestCertificate other;
  other.write_key_to(folder_ + "/k.pem");
  HttpServerOptions options;
  options.tls = {tls_.certificate_file, folder_ + "/k.pem"};
  EXPECT_EQ(HttpServer::listen(options, [](HttpServerRequest, Respond) {}).error().code, "HTTP_TLS_FILES");
}

}  // namespace
}  // namespace pawl::net
