// Bodies that come in pieces.
#include <condition_variable>
#include <future>
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/http_client.h"
#include "net/http_server.h"
#include "net/http_server_test_client.h"

namespace pawl::net {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

// What a test and a source that is asked by the server's thread have in common.
class Tap {
 public:
  void ask(SendPiece send) {
    const std::lock_guard lock(mutex_);
    asked_ = std::move(send);
    ++times_asked_;
    changed_.notify_all();
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    asked_ = nullptr;
    changed_.notify_all();
  }
  // Waits until the server wants a piece.
  SendPiece take() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, 10s, [this] { return static_cast<bool>(asked_); })) << "nothing was asked for";
    return std::exchange(asked_, nullptr);
  }
  void send(std::optional<std::string> piece) { take()(std::move(piece)); }
  bool wait_for_close() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 10s, [this] { return closed_; });
  }
  int times_asked() {
    const std::lock_guard lock(mutex_);
    return times_asked_;
  }

 private:
  std::mutex mutex_;  // guards everything
  std::condition_variable changed_;
  SendPiece asked_;
  int times_asked_ = 0;
  bool closed_ = false;
};

class TapSource final : public HttpBodySource {
 public:
  TapSource(Tap& tap, std::string pulse) : tap_(tap), pulse_(std::move(pulse)) {}
  ~TapSource() override { tap_.close(); }
  void next(SendPiece send) override { tap_.ask(std::move(send)); }
  std::string pulse() override { return pulse_; }

 private:
  Tap& tap_;
  std::string pulse_;
};

std::unique_ptr<HttpServer> serve(Tap& tap, const HttpServerLimits& limits = {}, const std::string& pulse = "") {
  HttpServerOptions options;
  options.limits = limits;
  auto server = HttpServer::listen(options, [&tap, pulse](HttpServerRequest request, Respond respond) {
    HttpServerResponse response;
    response.body = "whole";
    if (request.target == "/stream") response.source = std::make_unique<TapSource>(tap, pulse);
    respond(std::move(response));
  });
  EXPECT_TRUE(server) << to_string(server.error());
  return std::move(*server);
}

constexpr const char* kGet = "GET /stream HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(HttpServerStream, SendsEachPieceAsAChunkAndKeepsTheConnection) {
  Tap tap;
  const auto server = serve(tap);
  RawClient client(server->port());
  client.send(kGet);
  tap.send("first");
  tap.send("");
  tap.send("and then the second");
  tap.send(std::nullopt);
  EXPECT_TRUE(tap.wait_for_close());
  client.send("GET /whole HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const std::string answers = client.read_to_end();
  EXPECT_THAT(answers, AllOf(HasSubstr("Transfer-Encoding: chunked\r\n"),
                             HasSubstr("\r\n\r\n5\r\nfirst\r\n13\r\nand then the second\r\n0\r\n\r\nHTTP/1.1 200 OK"),
                             EndsWith("\r\n\r\nwhole")));
  EXPECT_EQ(tap.times_asked(), 4);
}

TEST(HttpServerStream, SendsAnOldClientEverythingUntilItCloses) {
  Tap tap;
  const auto server = serve(tap);
  RawClient client(server->port());
  client.send("GET /stream HTTP/1.0\r\n\r\n");
  tap.send("first");
  tap.send("second");
  tap.send(std::nullopt);
  EXPECT_THAT(client.read_to_end(), AllOf(EndsWith("\r\n\r\nfirstsecond"), Not(HasSubstr("chunked"))));
}

TEST(HttpServerStream, NoticesAtOnceThatTheClientHasGone) {
  Tap tap;
  const auto server = serve(tap);
  SendPiece late;
  {
    RawClient client(server->port());
    client.send(kGet);
    tap.send("first");
    late = tap.take();
  }
  EXPECT_TRUE(tap.wait_for_close());
  late("into the void");
}

TEST(HttpServerStream, DoesNotAskForMoreThanASlowClientTakes) {
  Tap tap;
  HttpServerLimits limits;
  limits.write_time_max = 100ms;
  const auto server = serve(tap, limits);
  RawClient client(server->port());
  client.send(kGet);
  tap.send(std::string(64 << 20, 'x'));
  EXPECT_TRUE(tap.wait_for_close()) << "a client that takes nothing is dropped";
  EXPECT_EQ(tap.times_asked(), 1);
}

TEST(HttpServerStream, CutsTheBodyOffWhereThePieceNeverComes) {
  Tap tap;
  const auto server = serve(tap);
  RawClient client(server->port());
  client.send(kGet);
  tap.take();
  EXPECT_THAT(client.read_to_end(), Not(HasSubstr("0\r\n\r\n")));
}

TEST(HttpServerStream, WritesAPulseWhereNoPieceComes) {
  Tap tap;
  HttpServerLimits limits;
  limits.pulse_time = 1ms;
  limits.linger_time_max = 20ms;
  const auto server = serve(tap, limits, "tick");
  std::promise<void> ticked;
  std::string body;
  HttpRequest request;
  request.method = "GET";
  request.url = "http://127.0.0.1:" + std::to_string(server->port()) + "/stream";
  request.on_body = [&](std::string_view piece) {
    const bool had_tick = body.contains("tick");
    body += piece;
    if (!had_tick && body.contains("tick")) ticked.set_value();
  };
  auto answered = std::async(std::launch::async, [&] { return send(request); });
  SendPiece first = tap.take();
  ASSERT_EQ(ticked.get_future().wait_for(10s), std::future_status::ready);
  first("piece");
  tap.send(std::nullopt);
  const auto response = answered.get();
  ASSERT_TRUE(response) << to_string(response.error());
  EXPECT_THAT(body, HasSubstr("tickpiece"));
  EXPECT_EQ(response->body, "") << "it was handed over";
}

TEST(HttpServerStream, EndsWithTheServer) {
  Tap tap;
  const auto server = serve(tap);
  RawClient client(server->port());
  client.send(kGet);
  tap.send("first");
  const SendPiece open = tap.take();
  server->shutdown(10s);
  EXPECT_TRUE(tap.wait_for_close());
  EXPECT_THAT(client.read_to_end(), EndsWith("5\r\nfirst\r\n"));
}

TEST(HttpServerStream, SendsNoBodyToHead) {
  Tap tap;
  const auto server = serve(tap);
  RawClient client(server->port());
  client.send("HEAD /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(client.read_to_end(), EndsWith("\r\n\r\n"));
  EXPECT_EQ(tap.times_asked(), 0);
}

}  // namespace
}  // namespace pawl::net
