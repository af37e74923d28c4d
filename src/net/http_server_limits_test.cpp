// What clients that misbehave, and the server's end, do to the server.
#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "net/http_server.h"
#include "net/http_server_test_client.h"

namespace pawl::net {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

HttpServerResponse ok(std::string body) {
  HttpServerResponse response;
  response.body = std::move(body);
  return response;
}
void answer_size(HttpServerRequest request, Respond respond) {
  respond(ok("size " + std::to_string(request.body.size())));
}

std::unique_ptr<HttpServer> serve(const HttpServerLimits& limits, HttpServer::Handler handler = answer_size) {
  HttpServerOptions options;
  options.limits = limits;
  auto server = HttpServer::listen(options, std::move(handler));
  EXPECT_TRUE(server) << to_string(server.error());
  return std::move(*server);
}

std::string answer_to(const HttpServer& server, const std::string& bytes) {
  RawClient client(server.port());
  client.send(bytes);
  return client.read_to_end();
}

void expect_still_answers(const HttpServer& server) {
  RawClient client(server.port());
  client.send(kGet);
  EXPECT_THAT(client.read_answer(), EndsWith("size 0"));
}

// A handler whose requests stay open until the test answers them.
class OneRequest {
 public:
  HttpServer::Handler handler() {
    return [this](HttpServerRequest, Respond respond) { came_.set_value(std::move(respond)); };
  }
  Respond wait() { return came_.get_future().get(); }

 private:
  std::promise<Respond> came_;
};

TEST(HttpServerLimits, RefusesWhatIsNoHttp) {
  const auto server = serve({});
  for (const std::string& bytes :
       {std::string("\x16\x03\x01\x02\x00\x01\x00", 7), std::string("\0\0\0\0", 4), std::string("hello\r\n\r\n"),
        std::string("GET / HTTP/3.0\r\n\r\n"), std::string("GET / HTTP/1.1\r\nHost x\r\n\r\n"),
        std::string("{\"json\": true}\r\n\r\n")})
    EXPECT_THAT(answer_to(*server, bytes), AllOf(StartsWith("HTTP/1.1 400 "), HasSubstr("Connection: close"))) << bytes;
  expect_still_answers(*server);
}

TEST(HttpServerLimits, RefusesRequestsThatTwoServersWouldReadDifferently) {
  const auto server = serve({});
  const std::string begin = "POST / HTTP/1.1\r\nHost: x\r\n";
  EXPECT_THAT(answer_to(*server, begin + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc"),
              StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(answer_to(*server, begin + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc"),
              StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(answer_to(*server, begin + "Content-Length: +3\r\n\r\nabc"), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(answer_to(*server, begin + "Transfer-Encoding: gzip\r\n\r\nabc"), StartsWith("HTTP/1.1 501 "));
  EXPECT_THAT(answer_to(*server, begin + "Host: y\r\n\r\n"), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(answer_to(*server, "GET / HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 400 "));
}

TEST(HttpServerLimits, RefusesHeadersAboveTheLimit) {
  HttpServerLimits limits;
  limits.header_bytes_max = 200;
  const auto server = serve(limits);
  const std::string begin = "GET / HTTP/1.1\r\nHost: x\r\nX-Long: ";
  EXPECT_THAT(answer_to(*server, begin + std::string(10'000, 'a') + "\r\n\r\n"), StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(answer_to(*server, "GET /" + std::string(10'000, 'a')), StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(answer_to(*server, begin + std::string(100, 'a') + "\r\nConnection: close\r\n\r\n"),
              StartsWith("HTTP/1.1 200 "));
}

TEST(HttpServerLimits, RefusesBodiesAboveTheLimit) {
  HttpServerLimits limits;
  limits.body_bytes_max = 10;
  const auto server = serve(limits);
  const std::string begin = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
  EXPECT_THAT(answer_to(*server, begin + "Content-Length: 10\r\n\r\n0123456789"), EndsWith("size 10"));
  EXPECT_THAT(answer_to(*server, begin + "Content-Length: 11\r\n\r\n"), StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(answer_to(*server, begin + "Content-Length: 11\r\n\r\n"), HasSubstr(R"({"code":"HTTP_BODY_TOO_LARGE",)"));
  EXPECT_THAT(answer_to(*server, begin + "Content-Length: 99999999999999999999999\r\n\r\n"),
              StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(answer_to(*server, begin + "Expect: 100-continue\r\nContent-Length: 11\r\n\r\n"),
              StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(
      answer_to(*server, begin + "Transfer-Encoding: chunked\r\n\r\n8\r\n01234567\r\n8\r\n01234567\r\n0\r\n\r\n"),
      StartsWith("HTTP/1.1 413 "));
}

TEST(HttpServerLimits, LetsAClientThatStillSendsReadItsRefusal) {
  HttpServerLimits limits;
  limits.body_bytes_max = 10;
  const auto server = serve(limits);
  RawClient client(server->port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n" + std::string(1'000'000, 'a'));
  EXPECT_THAT(client.read_answer(), StartsWith("HTTP/1.1 413 "));
}

TEST(HttpServerLimits, TimesSlowHeadersAndBodiesOut) {
  HttpServerLimits limits;
  limits.header_time_max = 20ms;
  limits.body_time_max = 20ms;
  const auto server = serve(limits);
  EXPECT_THAT(answer_to(*server, "GET / HT"), StartsWith("HTTP/1.1 408 "));
  EXPECT_THAT(answer_to(*server, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123"),
              StartsWith("HTTP/1.1 408 "));
  expect_still_answers(*server);
}

TEST(HttpServerLimits, ClosesConnectionsThatAreIdleForTooLong) {
  HttpServerLimits limits;
  limits.idle_time_max = 20ms;
  const auto server = serve(limits);
  EXPECT_EQ(answer_to(*server, ""), "");
  EXPECT_THAT(answer_to(*server, kGet), AllOf(StartsWith("HTTP/1.1 200 "), EndsWith("size 0")));
}

TEST(HttpServerLimits, ClosesOnClientsThatDoNotTakeTheirAnswer) {
  HttpServerLimits limits;
  limits.write_time_max = 20ms;
  const auto server = serve(limits, [](HttpServerRequest request, Respond respond) {
    respond(ok(request.method == "POST" ? std::string(32 << 20, 'a') : "size 0"));
  });
  RawClient client(server->port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
  while (server->connections() == 0) std::this_thread::yield();
  while (server->connections() == 1) expect_still_answers(*server), std::this_thread::yield();
  EXPECT_EQ(client.read_answer(), "closed");
}

TEST(HttpServerLimits, AnswersBesideTwoThousandIdleConnections) {
  const auto server = serve({});
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_cur < 5000) GTEST_SKIP() << "this machine allows only " << files.rlim_cur << " open files";
  std::vector<RawClient> idle;
  for (int i = 0; i < 2000; ++i) {
    idle.emplace_back(server->port());
    if (i % 2 == 0) idle.back().send("GET / HT");
  }
  expect_still_answers(*server);
  idle.front().send("TP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(idle.front().read_answer(), EndsWith("size 0"));
}

TEST(HttpServerLimits, Answers503AboveTheLimitOfConnections) {
  HttpServerLimits limits;
  limits.connections_max = 2;
  const auto server = serve(limits);
  std::vector<RawClient> clients;
  for (int i = 0; i < 2; ++i) {
    clients.emplace_back(server->port());
    clients.back().send(kGet);
    EXPECT_THAT(clients.back().read_answer(), EndsWith("size 0"));
  }
  EXPECT_THAT(answer_to(*server, ""), StartsWith("HTTP/1.1 503 "));
  clients.pop_back();
  while (server->connections() > 1) std::this_thread::yield();
  expect_still_answers(*server);
}

TEST(HttpServerLimits, AnswersAClientThatHasClosedItsHalf) {
  OneRequest request;
  const auto server = serve({}, request.handler());
  RawClient client(server->port());
  client.send(kGet);
  client.send_nothing_more();
  request.wait()(ok("late"));
  EXPECT_THAT(client.read_to_end(), EndsWith("late"));
  while (server->connections() > 0) std::this_thread::yield();
}

TEST(HttpServerLimits, RefusesARequestThatIsCutOff) {
  const auto server = serve({});
  RawClient client(server->port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123");
  client.send_nothing_more();
  EXPECT_THAT(client.read_to_end(), StartsWith("HTTP/1.1 400 "));
}

TEST(HttpServerLimits, DropsTheAnswerOfAClientThatIsGone) {
  OneRequest request;
  const auto server = serve({}, request.handler());
  std::optional<RawClient> client(server->port());
  client->send(kGet);
  Respond respond = request.wait();
  client.reset();
  respond(ok("nobody reads this"));
  while (server->connections() > 0) std::this_thread::yield();
}

TEST(HttpServerShutdown, AnswersRequestsThatHaveBegun) {
  OneRequest request;
  HttpServerLimits limits;
  limits.linger_time_max = 20ms;
  const auto server = serve(limits, request.handler());
  RawClient busy(server->port());
  busy.send(kGet);
  Respond respond = request.wait();
  RawClient idle(server->port());
  while (server->connections() < 2) std::this_thread::yield();
  std::jthread ending([&] { server->shutdown(10s); });
  EXPECT_EQ(idle.read_to_end(), "");
  respond(ok("done"));
  EXPECT_THAT(busy.read_to_end(), AllOf(HasSubstr("Connection: close"), EndsWith("done")));
}

TEST(HttpServerShutdown, RefusesNewConnections) {
  const auto server = serve({});
  const uint16_t port = server->port();
  server->shutdown(0ms);
  server->shutdown(0ms);
  HttpServerOptions options;
  options.port = port;
  EXPECT_TRUE(HttpServer::listen(options, answer_size)) << "the port is free again";
}

TEST(HttpServerShutdown, ClosesWhatIsNotAnsweredInTime) {
  OneRequest request;
  auto server = serve({}, request.handler());
  RawClient client(server->port());
  client.send(kGet);
  Respond respond = request.wait();
  server->shutdown(1ms);
  EXPECT_EQ(client.read_answer(), "closed");
  server.reset();
  respond(ok("too late"));
}

TEST(HttpServerShutdown, SurvivesARespondThatIsNeverUsed) {
  OneRequest request;
  auto server = serve({}, request.handler());
  RawClient client(server->port());
  client.send(kGet);
  const Respond respond = request.wait();
  server.reset();
  EXPECT_EQ(client.read_answer(), "closed");
}

}  // namespace
}  // namespace pawl::net
