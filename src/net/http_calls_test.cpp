#include "net/http_calls.h"

#include <future>

#include <gtest/gtest.h>

#include "net/http_server.h"
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

// A server that keeps its connections open and tells how many it has seen.
class KeepingServer {
 public:
  KeepingServer() {
    server_ = HttpServer::listen({}, [this](HttpServerRequest request, Respond respond) {
                const std::lock_guard lock(mutex_);
                ++requests_;
                if (request.target == "/hold")
                  held_.push_back(std::move(respond));
                else
                  respond({200, {}, request.body});
              }).value();
  }
  ~KeepingServer() {
    {
      const std::lock_guard lock(mutex_);
      held_.clear();
    }
    server_->shutdown(0ms);
  }

  std::string url(const std::string& path = "/") const {
    return "http://127.0.0.1:" + std::to_string(server_->port()) + path;
  }
  uint32_t connections() const { return server_->connections(); }
  size_t requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  std::mutex mutex_;  // guards the next two
  size_t requests_ = 0;
  std::vector<Respond> held_;
  std::unique_ptr<HttpServer> server_;
};

Result<HttpResponse> call(HttpCalls& calls, uint64_t id, HttpRequest request) {
  std::promise<Result<HttpResponse>> answer;
  calls.start(CallId(id), std::move(request), [&](Result<HttpResponse> given) { answer.set_value(std::move(given)); });
  return answer.get_future().get();
}

TEST(HttpCalls, UseOneConnectionForCallsThatFollowEachOther) {
  KeepingServer server;
  HttpCalls calls;
  for (uint64_t i = 1; i <= 20; ++i) {
    const auto answer = call(calls, i, post(server.url(), std::to_string(i)));
    ASSERT_TRUE(answer) << to_string(answer.error());
    EXPECT_EQ(answer->body, std::to_string(i));
  }
  EXPECT_EQ(server.connections(), 1u);
  EXPECT_EQ(server.requests(), 20u);
}

TEST(HttpCalls, AnswerEveryOneOfMoreCallsThanThereAreConnections) {
  KeepingServer server;
  HttpCalls calls;
  constexpr uint64_t kCalls = 5 * kConnectionsToAHostMax;
  std::vector<std::promise<std::string>> answers(kCalls);
  for (uint64_t i = 0; i < kCalls; ++i)
    calls.start(CallId(i + 1), post(server.url(), std::to_string(i)), [&answers, i](Result<HttpResponse> given) {
      answers[i].set_value(given ? given->body : given.error().code);
    });
  for (uint64_t i = 0; i < kCalls; ++i) EXPECT_EQ(answers[i].get_future().get(), std::to_string(i));
  EXPECT_LE(server.connections(), kConnectionsToAHostMax);
}

// The test server closes each connection after its answer, and does not say so beforehand.
TEST(HttpCalls, GoOnWhereTheServerClosesItsConnectionsUnannounced) {
  HttpTestServer server(
      [](const ReceivedRequest& request) { return std::optional(HttpTestServer::json_answer(200, request.body)); });
  HttpCalls calls;
  for (uint64_t i = 1; i <= 50; ++i) {
    const auto answer = call(calls, i, post(server.url(), std::to_string(i)));
    ASSERT_TRUE(answer) << i << ": " << to_string(answer.error());
    EXPECT_EQ(answer->body, std::to_string(i));
  }
}

TEST(HttpCalls, TellThatAFirstUseOfAConnectionWasLostWithoutSendingAgain) {
  HttpTestServer server([](const ReceivedRequest&) { return std::optional(std::string()); });
  HttpCalls calls;
  EXPECT_EQ(call(calls, 1, post(server.url())).error().code, "HTTP_CONNECTION_LOST");
  EXPECT_EQ(server.received().size(), 1u);
}

TEST(HttpCalls, TimeOut) {
  KeepingServer server;
  HttpCalls calls;
  HttpRequest request = post(server.url("/hold"));
  request.timeout = 30ms;
  EXPECT_EQ(call(calls, 1, request).error().code, "HTTP_TIMEOUT");
  EXPECT_TRUE(call(calls, 2, post(server.url())));
}

TEST(HttpCalls, DoNotAnswerWhatWasCancelledAndLetTheNextHaveItsPlace) {
  KeepingServer server;
  HttpCalls calls;
  std::atomic<int> answered = 0;
  for (uint64_t i = 1; i <= kConnectionsToAHostMax + 1; ++i)
    calls.start(CallId(i), post(server.url("/hold")), [&](const Result<HttpResponse>&) { ++answered; });
  std::promise<bool> last;
  calls.start(CallId(1'000), post(server.url()), [&](Result<HttpResponse> given) { last.set_value(bool(given)); });
  for (uint64_t i = 1; i <= kConnectionsToAHostMax + 1; ++i) calls.cancel(CallId(i));
  EXPECT_TRUE(last.get_future().get());
  EXPECT_EQ(answered, 0);
}

TEST(HttpCalls, RefuseWhatCannotBeSent) {
  HttpCalls calls;
  EXPECT_EQ(call(calls, 1, post("ftp://host")).error().code, "HTTP_BAD_URL");
  HttpRequest request = post("http://127.0.0.1:1");
  request.headers = {{"X", "a\r\nb"}};
  EXPECT_EQ(call(calls, 2, request).error().code, "HTTP_BAD_HEADER");
  EXPECT_EQ(call(calls, 3, post("http://127.0.0.1:1")).error().code, "HTTP_CONNECT_FAILED");
}

TEST(HttpCalls, CheckTheServersCertificateAndName) {
  const TestCertificate certificate;
  HttpTestServer server([](const ReceivedRequest&) { return HttpTestServer::json_answer(200, "{}"); }, &certificate);
  HttpCalls calls;
  EXPECT_EQ(call(calls, 1, post(server.url())).error().code, "HTTP_TLS");
}

TEST(HttpCalls, EndWithCallsUnderWay) {
  KeepingServer server;
  {
    HttpCalls calls;
    calls.start(CallId(1), post(server.url("/hold")), [](const Result<HttpResponse>&) { FAIL(); });
    while (server.requests() == 0) std::this_thread::yield();
  }
  EXPECT_EQ(server.requests(), 1u);
}

}  // namespace
}  // namespace pawl::net
