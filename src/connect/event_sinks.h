// Where the events go that executions produce: HTTP endpoints, each with a queue of its own in the store.
//
// An event is taken off its queue when the endpoint has answered with a status of 200 to 299; until then it is sent
// again, with the same id, after pauses that double. The events of one execution arrive in their order, those of
// several side by side. What is under way when the process ends is sent again: at least once, not exactly once.
//
// Life: made before the engine, whose options name the sinks; serve() begins with what is stored; close(), or the
// destructor, leaves the rest for the next start. Concurrency: one thread of its own, and that of net::HttpCalls;
// wake() may be called by any thread and does not block.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/metrics.h"
#include "base/time.h"
#include "engine/engine.h"
#include "net/http_calls.h"

namespace pawl::connect {

struct EventSink {
  std::string name;  // of its queue: a sink that is renamed begins with an empty one
  std::string url;
  bool is_binary = false;                                    // else structured
  std::vector<std::pair<std::string, std::string>> headers;  // sent with each event

  friend bool operator==(const EventSink&, const EventSink&) = default;
};

struct EventSinkOptions {
  Duration first_pause = std::chrono::seconds(1);
  Duration pause_max = std::chrono::minutes(1);
  Duration timeout = std::chrono::seconds(30);  // of one attempt
};

inline constexpr size_t kSinkItemsLoadedMax = 1'000;  // in memory, of one sink
inline constexpr size_t kSinkCallsMax = 16;           // at a time, to one sink

class EventSinks {
 public:
  EventSinks(std::vector<EventSink> sinks, EventSinkOptions options);
  ~EventSinks() { close(); }
  EventSinks(const EventSinks&) = delete;
  EventSinks& operator=(const EventSinks&) = delete;

  std::vector<std::string> names() const;
  void serve(engine::Engine& engine);
  // Something new is in the store.
  void wake();
  void close();

  const Counter& delivered() const { return delivered_; }
  const Counter& failed() const { return failed_; }  // attempts

 private:
  using SteadyTime = std::chrono::steady_clock::time_point;
  // What one execution has for one sink; the first is on its way, or waits for its next attempt.
  struct Line {
    std::deque<store::SinkItem> items;
    uint32_t failures = 0;  // of the first
    bool is_out = false;
    SteadyTime next_attempt{};
  };
  struct Queue {
    EventSink sink;
    std::map<ExecutionId, Line> lines;
    store::SinkItemId last_loaded;
    size_t loaded = 0;
    size_t calls = 0;
  };
  struct Answered {
    size_t queue = 0;
    ExecutionId execution;
    bool is_taken = false;
  };

  void work();
  void load(Queue& queue);
  SteadyTime send_due(size_t index);
  void send(size_t index, const store::SinkItem& item);
  void note(const Answered& answered);
  void remove(std::vector<store::SinkItemId> items);
  Duration pause_after(uint32_t failures) const;

  const EventSinkOptions options_;
  engine::Engine* engine_ = nullptr;
  Counter delivered_;
  Counter failed_;

  std::mutex mutex_;  // guards the four below
  bool woken_ = false;
  bool closing_ = false;
  std::vector<Answered> answers_;
  std::vector<store::SinkItemId> not_removed_;  // delivered, but the commit that should say so failed
  std::condition_variable changed_;

  std::vector<Queue> queues_;  // the thread's own
  uint64_t last_call_ = 0;
  net::HttpCalls calls_;
  std::thread thread_;
};

}  // namespace pawl::connect
