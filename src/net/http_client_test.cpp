#include "net/http_client.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "net/http_test_server.h"

namespace pawl::net {
namespace {

using namespace std::chrono_literals;

HttpRequest post(const std::string& url, std::string body = "{}") {
  HttpRequest request;
  request.url = url;
  request.body = std::move(body);
  return request;
}

auto always(std::string answer) {
  return [answer](const ReceivedRequest&) { return std::optional(answer); };
}
std::optional<std::string> never(const ReceivedRequest&) { return std::nullopt; }

TEST(SendHttp, ReadsAnEmptyChunkedBodyThatComesByteByByte) {
  HttpTestServer server(always("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"));
  server.answer_byte_by_byte();
  for (int i = 0; i < 20; ++i) {
    const auto answer = send(post(server.url()));
    ASSERT_TRUE(answer) << to_string(answer.error());
    EXPECT_EQ(answer->body, "");
  }
}

TEST(SendHttp, PostsTheBodyAndGivesTheAnswer) {
  HttpTestServer server(always(HttpTestServer::json_answer(200, R"({"a":1})")));
  HttpRequest request = post(server.url("/path?x=1"), R"({"in":true})");
  request.headers = {{"Content-Type", "application/json"}, {"X-Mine", "yes"}};
  const auto answer = send(request);
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, R"({"a":1})");
  const auto received = server.received();
  ASSERT_EQ(received.size(), 1u);
  EXPECT_TRUE(received[0].head.starts_with("POST /path?x=1 HTTP/1.1\r\n"));
  EXPECT_EQ(received[0].header("Host"), "127.0.0.1:" + std::to_string(server.port()));
  EXPECT_EQ(received[0].header("X-Mine"), "yes");
  EXPECT_EQ(received[0].body, R"({"in":true})");
}

TEST(SendHttp, GivesErrorStatusesAndRedirectsAsTheyAre) {
  HttpTestServer failing(always(HttpTestServer::json_answer(503, "busy")));
  EXPECT_EQ(send(post(failing.url()))->status, 503);
  HttpTestServer moved(always("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"));
  const auto answer = send(post(moved.url()));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 302);
  EXPECT_EQ(answer->headers[0], std::pair(std::string("location"), std::string("http://127.0.0.1:1/")));
}

TEST(SendHttp, ReadsChunksAndBodiesThatEndWithTheConnection) {
  HttpTestServer chunked(
      always("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"));
  EXPECT_EQ(send(post(chunked.url()))->body, "abcde");
  HttpTestServer closing(always("HTTP/1.1 200 OK\r\n\r\nall of it"));
  EXPECT_EQ(send(post(closing.url()))->body, "all of it");
}

TEST(SendHttp, SaysThatNobodyListens) {
  uint16_t port = 0;
  {
    port = HttpTestServer(never).port();
  }
  EXPECT_EQ(send(post("http://127.0.0.1:" + std::to_string(port))).error().code, "HTTP_CONNECT_FAILED");
}

// The system completes connections to a socket that nobody accepts on; what hangs is the TLS handshake.
TEST(SendHttp, GivesUpOnConnectingBeforeTheTimeoutOfTheRequest) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  HttpRequest request = post("https://127.0.0.1:" + std::to_string(ntohs(address.sin_port)));
  request.connect_timeout = 50ms;
  EXPECT_EQ(send(request).error().code, "HTTP_CONNECT_FAILED");
  request.timeout = 20ms;
  EXPECT_EQ(send(request).error().code, "HTTP_TIMEOUT");
  ::close(listener);
}

TEST(SendHttp, SaysThatTheNameIsUnknown) {
  EXPECT_EQ(send(post("http://no-such-host.invalid/")).error().code, "HTTP_RESOLVE_FAILED");
}

TEST(SendHttp, EndsAtItsTimeout) {
  HttpTestServer server(never);
  HttpRequest request = post(server.url());
  request.timeout = 50ms;
  const auto answer = send(request);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, "HTTP_TIMEOUT");
}

TEST(SendHttp, EndsWhenItIsStopped) {
  std::stop_source stop;
  HttpTestServer server([&](const ReceivedRequest&) {
    stop.request_stop();
    return std::nullopt;
  });
  EXPECT_EQ(send(post(server.url()), stop.get_token()).error().code, "HTTP_STOPPED");
}

TEST(SendHttp, DoesNotBeginWhereItWasStoppedBefore) {
  HttpTestServer server(never);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(send(post(server.url()), stop.get_token()).error().code, "HTTP_STOPPED");
  EXPECT_TRUE(server.received().empty());
}

TEST(SendHttp, RefusesAnAnswerOverItsLimits) {
  HttpTestServer large(always(HttpTestServer::json_answer(200, std::string(1001, 'x'))));
  HttpRequest request = post(large.url());
  request.body_bytes_max = 1000;
  EXPECT_EQ(send(request).error().code, "HTTP_TOO_LARGE");
  HttpTestServer wordy(always("HTTP/1.1 200 OK\r\nX: " + std::string(kHeaderBytesMax, 'x') + "\r\n\r\n"));
  EXPECT_EQ(send(post(wordy.url())).error().code, "HTTP_TOO_LARGE");
}

TEST(SendHttp, SaysThatTheAnswerIsNotHttpOrCutOff) {
  HttpTestServer nonsense(always("220 mail.example.org ESMTP\r\n\r\n"));
  EXPECT_EQ(send(post(nonsense.url())).error().code, "HTTP_BAD_ANSWER");
  HttpTestServer cut(always("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"));
  EXPECT_EQ(send(post(cut.url())).error().code, "HTTP_CONNECTION_LOST");
  HttpTestServer silent(always(""));
  EXPECT_EQ(send(post(silent.url())).error().code, "HTTP_CONNECTION_LOST");
}

TEST(SendHttp, RefusesHeadersThatWouldBeginAnother) {
  HttpRequest request = post("http://127.0.0.1:1/");
  request.headers = {{"X-Token", "secret\r\nX-Other: 1"}};
  const auto answer = send(request);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, "HTTP_BAD_HEADER");
  EXPECT_EQ(answer.error().what.find("secret"), std::string::npos);
  request.headers = {{"bad name", "x"}};
  EXPECT_EQ(send(request).error().code, "HTTP_BAD_HEADER");
}

TEST(SendHttp, ServesManyThreadsAtOnce) {
  HttpTestServer server([](const ReceivedRequest& request) { return HttpTestServer::json_answer(200, request.body); });
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 16; ++i)
      threads.emplace_back([&, i] {
        const auto answer = send(post(server.url(), std::to_string(i)));
        if (answer && answer->body == std::to_string(i)) ++right;
      });
  }
  EXPECT_EQ(right, 16);
}

class SendHttps : public testing::Test {
 protected:
  void SetUp() override {
    authorities_ = testing::TempDir() + "pawl_https_" + std::to_string(::getpid()) + ".pem";
    certificate_.write_to(authorities_);
  }
  void TearDown() override {
    ::unsetenv("SSL_CERT_FILE");
    std::filesystem::remove(authorities_);
  }
  void trust() { ::setenv("SSL_CERT_FILE", authorities_.c_str(), 1); }

  std::string authorities_;
  TestCertificate certificate_;
};

TEST_F(SendHttps, TalksToAServerWithATrustedCertificate) {
  trust();
  HttpTestServer server(always(HttpTestServer::json_answer(200, "[1]")), &certificate_);
  const auto answer = send(post(server.url()));
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_EQ(answer->body, "[1]");
}

TEST_F(SendHttps, RefusesACertificateThatNobodyVouchesFor) {
  HttpTestServer server(always(HttpTestServer::json_answer(200, "[1]")), &certificate_);
  EXPECT_EQ(send(post(server.url())).error().code, "HTTP_TLS");
  EXPECT_TRUE(server.received().empty());
}

TEST_F(SendHttps, RefusesACertificateForAnotherName) {
  trust();
  HttpTestServer server(always(HttpTestServer::json_answer(200, "[1]")), &certificate_);
  EXPECT_EQ(send(post("https://127.0.0.1:" + std::to_string(server.port()))).error().code, "HTTP_TLS");
}

TEST_F(SendHttps, SaysThatTheServerDoesNotSpeakTls) {
  HttpTestServer server(always(HttpTestServer::json_answer(200, "[1]")));
  EXPECT_EQ(send(post("https://127.0.0.1:" + std::to_string(server.port()))).error().code, "HTTP_TLS");
}

}  // namespace
}  // namespace pawl::net
