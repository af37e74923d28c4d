// Sinks against an engine that produces events, and endpoints that take them or not.
#include "connect/event_sinks.h"

#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/toy_borders.h"
#include "kernel/toy_program.h"
#include "net/http_test_server.h"
#include "store/memory/memory_store.h"

namespace pawl::connect {
namespace {

using engine::Engine;
using json::Value;
using testing::ElementsAre;
using testing::HasSubstr;

class Producers final : public engine::Programs {
 public:
  std::shared_ptr<const kernel::Program> find(engine::DefinitionId) override {
    return std::make_shared<kernel::ToyProgram>(kernel::kPublishInput);
  }
  std::string family_of(engine::DefinitionId) override { return "producers"; }
};

std::string answer(int status) { return "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: 0\r\n\r\n"; }

class EventSinksTest : public testing::Test {
 protected:
  // Answers with the statuses in turn, then 204.
  EventSinksTest()
      : endpoint_([this](const net::ReceivedRequest& request) {
          const std::lock_guard lock(mutex_);
          requests_.push_back(request);
          const bool has_status = requests_.size() <= statuses_.size();
          if (requests_.size() == wanted_) all_.set_value();
          return answer(has_status ? statuses_[requests_.size() - 1] : 204);
        }) {}
  ~EventSinksTest() override { stop(); }

  void start(bool is_binary = false) {
    const std::string url = "http://127.0.0.1:" + std::to_string(endpoint_.port()) + "/in";
    sinks_ = std::make_unique<EventSinks>(
        std::vector<EventSink>{{"sink", url, is_binary, {{"X-Mine", "yes"}}}},
        EventSinkOptions{.first_pause = Duration(1), .pause_max = Duration(4), .timeout = std::chrono::seconds(20)});
    engine::EngineOptions options;
    options.event_sinks = sinks_->names();
    options.on_sink_queued = [this] { sinks_->wake(); };
    engine_ = Engine::open({store_, programs_, tasks_, offers_, tokens_, clock_}, options).value();
    sinks_->serve(*engine_);
  }
  void stop() {
    if (sinks_ != nullptr) sinks_->close();
    engine_.reset();
    sinks_.reset();
  }
  void produce(const std::string& id) {
    json::ObjectBuilder event;
    event.set("specversion", Value::string("1.0"));
    event.set("id", Value::string(id));
    event.set("source", Value::string("toys"));
    event.set("type", Value::string("toy"));
    event.set("data", Value::empty_object());
    engine::StartRequest request = engine::request_of(engine::DefinitionId(1));
    request.input = event.build();
    engine_->start(std::move(request), [](Result<engine::Started>) {});
  }
  void wait_for(size_t requests) {
    std::future<void> all;
    {
      const std::lock_guard lock(mutex_);
      if (requests_.size() >= requests) return;
      all_ = {};
      wanted_ = requests;
      all = all_.get_future();
    }
    ASSERT_EQ(all.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  }
  void wait_until_empty() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!store_.sink_queue("sink", {}, 1).empty() && std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();
    EXPECT_TRUE(store_.sink_queue("sink", {}, 1).empty());
  }

  std::mutex mutex_;  // guards the four below
  std::vector<net::ReceivedRequest> requests_;
  std::vector<int> statuses_;
  size_t wanted_ = 0;
  std::promise<void> all_;
  net::HttpTestServer endpoint_;
  store::MemoryStore store_;
  Producers programs_;
  engine::NoTasks tasks_;
  engine::Offers offers_;
  engine::ToyTokens tokens_;
  SystemClock clock_;
  std::unique_ptr<EventSinks> sinks_;
  std::unique_ptr<Engine> engine_;
};

TEST_F(EventSinksTest, GetEachEventInStructuredMode) {
  start();
  produce("1");
  wait_for(1);
  wait_until_empty();
  EXPECT_EQ(requests_[0].header("Content-Type"), "application/cloudevents+json; charset=utf-8");
  EXPECT_EQ(requests_[0].header("X-Mine"), "yes");
  EXPECT_THAT(requests_[0].body, HasSubstr("\"id\":\"1\""));
}

TEST_F(EventSinksTest, GetEachEventInBinaryMode) {
  start(true);
  produce("1");
  wait_for(1);
  wait_until_empty();
  EXPECT_EQ(requests_[0].header("ce-id"), "1");
  EXPECT_EQ(requests_[0].body, "{}");
}

TEST_F(EventSinksTest, AreAskedAgainWithTheSameEventUntilTheyTakeIt) {
  statuses_ = {500, 404, 503};
  start();
  produce("1");
  wait_for(4);
  wait_until_empty();
  for (const net::ReceivedRequest& request : requests_) EXPECT_THAT(request.body, HasSubstr("\"id\":\"1\""));
  EXPECT_EQ(sinks_->failed().value(), 3u);
  EXPECT_EQ(sinks_->delivered().value(), 1u);
}

// The store has them as one execution's: those of several may overtake each other.
TEST_F(EventSinksTest, GetTheEventsOfAnExecutionInOrderAfterARestart) {
  const Epoch epoch = store_.acquire(ShardId(1)).value();
  store::Batch batch;
  batch.shard = ShardId(1);
  batch.epoch = epoch;
  for (uint64_t i = 1; i <= 5; ++i)
    batch.queued.push_back({store::SinkItemId(i), "sink", ExecutionId(7), "{\"id\":\"" + std::to_string(i) + "\"}"});
  ASSERT_TRUE(store_.commit(std::span(&batch, 1)).has_value());
  statuses_ = {200, 500, 500};
  start();
  wait_for(7);
  wait_until_empty();
  std::vector<std::string> bodies;
  for (const net::ReceivedRequest& request : requests_) bodies.push_back(request.body);
  EXPECT_THAT(bodies, ElementsAre(R"({"id":"1"})", R"({"id":"2"})", R"({"id":"2"})", R"({"id":"2"})", R"({"id":"3"})",
                                  R"({"id":"4"})", R"({"id":"5"})"));
}

}  // namespace
}  // namespace pawl::connect
