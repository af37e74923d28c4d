#include "net/http_server.h"

#include <deque>
#include <future>
#include <latch>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/http_client.h"
#include "net/http_server_test_client.h"

namespace pawl::net {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::unique_ptr<HttpServer> serve(HttpServer::Handler handler, const HttpServerLimits& limits = {},
                                  uint32_t threads = 1) {
  HttpServerOptions options;
  options.limits = limits;
  options.threads = threads;
  auto server = HttpServer::listen(options, std::move(handler));
  EXPECT_TRUE(server) << to_string(server.error());
  return std::move(*server);
}

HttpServerResponse ok(std::string body) {
  HttpServerResponse response;
  response.body = std::move(body);
  return response;
}

// Answers with "METHOD TARGET BODY".
void echo(HttpServerRequest request, Respond respond) {
  respond(ok(request.method + " " + request.target + " " + request.body));
}

std::string get(const std::string& target) { return "GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n"; }
std::string post(const std::string& body) {
  return "POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

// Keeps requests until the test answers them.
class Desk {
 public:
  HttpServer::Handler handler() {
    return [this](HttpServerRequest request, Respond respond) {
      const std::lock_guard lock(mutex_);
      waiting_.emplace_back(std::move(request.target), std::move(respond));
      came_.notify_all();
    };
  }
  std::pair<std::string, Respond> take() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(came_.wait_for(lock, 10s, [this] { return !waiting_.empty(); }));
    auto first = std::move(waiting_.front());
    waiting_.pop_front();
    return first;
  }
  size_t size() const {
    const std::lock_guard lock(mutex_);
    return waiting_.size();
  }

 private:
  mutable std::mutex mutex_;  // guards waiting_
  std::condition_variable came_;
  std::deque<std::pair<std::string, Respond>> waiting_;
};

TEST(HttpServer, AnswersWhatTheHandlerSays) {
  const auto server = serve([](HttpServerRequest, Respond respond) {
    respond({.status = 404, .headers = {{"X-Mine", "yes"}}, .body = "no", .content_type = "text/plain"});
  });
  RawClient client(server->port());
  client.send(get("/"));
  EXPECT_THAT(client.read_answer(),
              AllOf(StartsWith("HTTP/1.1 404 Not Found\r\nDate: "), HasSubstr("\r\nContent-Type: text/plain\r\n"),
                    HasSubstr("\r\nX-Mine: yes\r\n"), EndsWith("\r\n\r\nno")));
}

// All of them have come before the first is handled, so that the server is idle once.
TEST(HttpServer, SaysThatItIsIdleAfterTheRequestsThatHadCome) {
  std::vector<std::string> seen;  // by the server's only thread
  std::promise<void> idle;
  std::latch has_all(1);
  HttpServerOptions options;
  options.when_idle = [&] {
    if (seen.empty()) return;
    seen.emplace_back("idle");
    idle.set_value();
  };
  const auto server = HttpServer::listen(options, [&](HttpServerRequest request, Respond respond) {
    if (request.target == "/first") has_all.wait();
    if (request.target != "/greeting") seen.push_back(request.target);
    respond(ok(""));
  });
  ASSERT_TRUE(server);
  std::vector<RawClient> clients;
  for (int i = 0; i < 3; ++i) {
    clients.emplace_back((*server)->port());
    clients[i].send(get("/greeting"));
    EXPECT_THAT(clients[i].read_answer(), StartsWith("HTTP/1.1 200"));
  }
  clients[0].send(get("/first"));
  clients[1].send(get("/more"));
  clients[2].send(get("/more"));
  has_all.count_down();
  idle.get_future().get();
  EXPECT_THAT(seen, testing::ElementsAre("/first", "/more", "/more", "idle"));
}

TEST(HttpServer, TellsWhoAskedThatTheClientHasGone) {
  std::promise<void> gone;
  std::promise<std::pair<std::shared_ptr<HttpServerClient>, Respond>> came;
  const auto server = serve([&](HttpServerRequest request, Respond respond) {
    came.set_value({std::move(request.client), std::move(respond)});
  });
  std::optional<RawClient> client(server->port());
  client->send(get("/"));
  auto [peer, respond] = came.get_future().get();
  peer->when_gone([] { ADD_FAILURE() << "replaced by the next"; });
  peer->when_gone([&] { gone.set_value(); });
  client.reset();
  gone.get_future().get();
  std::promise<void> told_late;
  peer->when_gone([&] { told_late.set_value(); });
  told_late.get_future().get();
  respond(ok("nobody reads this"));
}

TEST(HttpServer, GoesOnWithAClientThatWasWatchedAndStayed) {
  const auto server = serve([](HttpServerRequest request, Respond respond) {
    request.client->when_gone([] { ADD_FAILURE() << "it is there"; });
    respond(ok(request.target));
  });
  RawClient client(server->port());
  for (const char* target : {"/1", "/2", "/3"}) {
    client.send(get(target));
    EXPECT_THAT(client.read_answer(), EndsWith(target));
  }
}

TEST(HttpServer, HandsOverTheRequest) {
  std::promise<HttpServerRequest> received;
  const auto server = serve([&](HttpServerRequest request, Respond respond) {
    received.set_value(std::move(request));
    respond(ok("{}"));
  });
  HttpRequest request;
  request.url = "http://127.0.0.1:" + std::to_string(server->port()) + "/path?x=1";
  request.headers = {{"X-Amz-Target", "AWSStepFunctions.StartExecution"}};
  request.body = R"({"a":1})";
  const auto answer = send(request);
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_EQ(answer->body, "{}");
  const HttpServerRequest got = received.get_future().get();
  EXPECT_EQ(got.method, "POST");
  EXPECT_EQ(got.target, "/path?x=1");
  EXPECT_EQ(got.headers.get("x-amz-TARGET"), "AWSStepFunctions.StartExecution");
  EXPECT_FALSE(got.headers.contains("X-Amz-Date"));
  EXPECT_EQ(got.body, R"({"a":1})");
  EXPECT_EQ(got.peer, "127.0.0.1");
}

TEST(HttpServer, ServesManyRequestsOnOneConnection) {
  const auto server = serve(echo);
  RawClient client(server->port());
  for (int i = 0; i < 10; ++i) {
    client.send(post(std::to_string(i)));
    EXPECT_THAT(client.read_answer(), EndsWith("POST /p " + std::to_string(i)));
  }
  EXPECT_EQ(server->connections(), 1u);
}

TEST(HttpServer, ClosesWhereTheClientAsksForIt) {
  const auto server = serve(echo);
  RawClient client(server->port());
  client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" + get("/ignored"));
  EXPECT_THAT(client.read_to_end(), AllOf(HasSubstr("Connection: close"), EndsWith("GET / ")));
}

TEST(HttpServer, KeepsAConnectionOfHttp10OnlyWhereAsked) {
  const auto server = serve(echo);
  RawClient closing(server->port());
  closing.send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_THAT(closing.read_to_end(), EndsWith("GET / "));
  RawClient keeping(server->port());
  keeping.send("GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_THAT(keeping.read_answer(), HasSubstr("Connection: keep-alive"));
  keeping.send("GET /2 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_THAT(keeping.read_answer(), EndsWith("GET /2 "));
}

TEST(HttpServer, AnswersPipelinedRequestsInOrder) {
  const auto server = serve(echo);
  RawClient client(server->port());
  std::string requests;
  for (int i = 0; i < 200; ++i) requests += i % 2 == 0 ? get("/" + std::to_string(i)) : post(std::to_string(i));
  client.send(requests);
  for (int i = 0; i < 200; ++i)
    EXPECT_THAT(client.read_answer(),
                EndsWith(i % 2 == 0 ? "GET /" + std::to_string(i) + " " : "POST /p " + std::to_string(i)));
}

TEST(HttpServer, HandlesOneRequestOfAConnectionAtATime) {
  Desk desk;
  const auto server = serve(desk.handler());
  RawClient client(server->port());
  client.send(get("/1") + get("/2"));
  auto [first, respond_first] = desk.take();
  RawClient other(server->port());
  other.send(get("/other"));
  desk.take().second(ok("other"));
  EXPECT_THAT(other.read_answer(), EndsWith("other"));
  EXPECT_EQ(desk.size(), 0u);
  respond_first(ok("one"));
  auto [second, respond_second] = desk.take();
  EXPECT_EQ(first, "/1");
  EXPECT_EQ(second, "/2");
  respond_second(ok("two"));
  EXPECT_THAT(client.read_answer(), EndsWith("one"));
  EXPECT_THAT(client.read_answer(), EndsWith("two"));
}

TEST(HttpServer, TakesAnswersFromOtherThreads) {
  Desk desk;
  const auto server = serve(desk.handler());
  std::jthread committer([&] {
    for (int i = 0; i < 200; ++i) {
      auto [target, respond] = desk.take();
      respond(ok(target));
    }
  });
  std::vector<RawClient> clients;
  for (int i = 0; i < 20; ++i) clients.emplace_back(server->port());
  for (int round = 0; round < 10; ++round) {
    for (size_t i = 0; i < clients.size(); ++i) clients[i].send(get("/" + std::to_string(i)));
    for (size_t i = 0; i < clients.size(); ++i)
      EXPECT_THAT(clients[i].read_answer(), EndsWith("\r\n\r\n/" + std::to_string(i)));
  }
}

TEST(HttpServer, ServesClientsOnSeveralThreads) {
  const auto server = serve(echo, {}, 3);
  std::vector<std::jthread> clients;
  for (int c = 0; c < 8; ++c)
    clients.emplace_back([&server, c] {
      RawClient client(server->port());
      for (int i = 0; i < 50; ++i) {
        const std::string target = "/" + std::to_string(c) + "/" + std::to_string(i);
        client.send(get(target));
        EXPECT_THAT(client.read_answer(), EndsWith("GET " + target + " "));
      }
    });
}

TEST(HttpServer, Answers500ForARequestThatNobodyAnswers) {
  const auto server = serve([](HttpServerRequest request, Respond) {
    if (request.target == "/throws") throw std::runtime_error("broken");
  });
  RawClient client(server->port());
  client.send(get("/") + get("/throws"));
  EXPECT_THAT(client.read_answer(), StartsWith("HTTP/1.1 500 Internal Server Error"));
  EXPECT_THAT(client.read_answer(), StartsWith("HTTP/1.1 500 Internal Server Error"));
}

TEST(HttpServer, AnswersHeadWithoutABody) {
  const auto server = serve([](HttpServerRequest, Respond respond) { respond(ok("12345")); });
  RawClient client(server->port());
  client.expect_answers_without_body();
  const std::string head = "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n";
  client.send(head + head);
  EXPECT_THAT(client.read_answer(), AllOf(HasSubstr("Content-Length: 5\r\n"), EndsWith("\r\n\r\n")));
  EXPECT_THAT(client.read_answer(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST(HttpServer, SaysNoLengthWhereThereIsNoBody) {
  const auto server =
      serve([](HttpServerRequest, Respond respond) { respond({.status = 204, .headers = {}, .body = "x"}); });
  RawClient client(server->port());
  client.send(get("/") + "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(client.read_to_end(), AllOf(Not(HasSubstr("Content-")), EndsWith("\r\n\r\n")));
}

TEST(HttpServer, LeavesOutHeadersThatWouldBeginAnotherAnswer) {
  const auto server = serve([](HttpServerRequest, Respond respond) {
    respond({.status = 200, .headers = {{"X-Bad", "a\r\nX-Evil: 1"}, {"X Bad", "1"}, {"X-Good", "1"}}, .body = ""});
  });
  RawClient client(server->port());
  client.send(get("/"));
  EXPECT_THAT(client.read_answer(), AllOf(Not(HasSubstr("Evil")), Not(HasSubstr("Bad")), HasSubstr("X-Good: 1")));
}

TEST(HttpServer, AsksForTheBodyThatAClientHoldsBack) {
  const auto server = serve(echo);
  RawClient client(server->port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(client.read_answer(), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("abc");
  EXPECT_THAT(client.read_answer(), EndsWith("POST / abc"));
  client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\ndef");
  EXPECT_THAT(client.read_answer(), EndsWith("POST / def"));
  client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nContent-Length: 3\r\n\r\n");
  EXPECT_THAT(client.read_to_end(), StartsWith("HTTP/1.1 417 "));
}

TEST(HttpServer, ReadsChunkedBodiesAndIgnoresTheirTrailers) {
  const auto server = serve([](HttpServerRequest request, Respond respond) {
    respond(ok(request.body + (request.headers.contains("X-Late") ? " late" : "")));
  });
  RawClient client(server->port());
  client.send(
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-Late: 1\r\n\r\n");
  EXPECT_THAT(client.read_answer(), EndsWith("\r\n\r\nabcde"));
}

TEST(HttpServer, ReadsARequestThatComesByteByByte) {
  const auto server = serve(echo);
  RawClient client(server->port());
  for (const char c : post("abc") + get("/next")) client.send(std::string(1, c));
  EXPECT_THAT(client.read_answer(), EndsWith("POST /p abc"));
  EXPECT_THAT(client.read_answer(), EndsWith("GET /next "));
}

TEST(HttpServer, ReadsAnEmptyChunkedBodyThatComesByteByByte) {
  const auto server = serve(echo);
  RawClient client(server->port());
  for (const char c : std::string("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
    client.send(std::string(1, c));
  EXPECT_THAT(client.read_answer(), EndsWith("POST / "));
}

TEST(HttpServer, TakesAndGivesBodiesOfManyBuffers) {
  const auto server = serve(echo);
  RawClient client(server->port());
  const std::string body(3 * 1024 * 1024 + 17, 'b');
  std::jthread sender([&] { client.send(post(body) + post("end")); });
  EXPECT_THAT(client.read_answer(), EndsWith("POST /p " + body));
  EXPECT_THAT(client.read_answer(), EndsWith("POST /p end"));
}

TEST(HttpServer, SaysWhyItCannotListen) {
  const auto server = serve(echo);
  HttpServerOptions options;
  options.port = server->port();
  EXPECT_EQ(HttpServer::listen(options, echo).error().code, "HTTP_LISTEN_FAILED");
  options.host = "not an address";
  EXPECT_EQ(HttpServer::listen(options, echo).error().code, "HTTP_LISTEN_ADDRESS");
}

}  // namespace
}  // namespace pawl::net
