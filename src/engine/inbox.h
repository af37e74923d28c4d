// The queue in front of a shard.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "base/time.h"

namespace pawl::engine {

class Shard;

// Where messages for a shard wait. Outlives it for whoever still holds one: what comes then is dropped.
class Inbox {
 public:
  using Message = std::move_only_function<void(Shard&)>;

  explicit Inbox(size_t ordinary_max) : ordinary_max_(ordinary_max) {}

  // Whether there was room. Urgent messages (completions) always find room, and go first.
  bool post(Message message, bool urgent);
  // Until there are messages, somebody calls wake(), or so much time has passed.
  void wait(Duration patience);
  std::vector<Message> take();  // some of them
  void wake();
  void stop();
  size_t size();
  bool is_empty();
  bool is_stopped_and_empty();

 private:
  const size_t ordinary_max_;
  std::mutex mutex_;  // guards the four below
  std::deque<Message> urgent_;
  std::deque<Message> ordinary_;
  bool is_woken_ = false;
  bool stopping_ = false;
  std::condition_variable arrived_;
};

}  // namespace pawl::engine
