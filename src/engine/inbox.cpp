#include "engine/inbox.h"

#include "engine/lending.h"
#include "engine/shard.h"

namespace pawl::engine {

namespace {
constexpr size_t kMessagesAtOnce = 1'000;  // then timers and the commit get their turn
}

bool Inbox::post(Message message, bool urgent) {
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    std::deque<Message>& queue = urgent ? urgent_ : ordinary_;
    if (!urgent && queue.size() >= ordinary_max_) return false;
    is_first = urgent_.empty() && ordinary_.empty();
    queue.push_back(std::move(message));
  }
  if (is_first && Lending::takes(*this)) return true;
  arrived_.notify_one();  // without the lock, which whoever wakes up wants first
  return true;
}

void Inbox::wait(Duration patience) {
  std::unique_lock lock(mutex_);
  arrived_.wait_for(lock, patience, [&] { return stopping_ || is_woken_ || !urgent_.empty() || !ordinary_.empty(); });
  is_woken_ = false;
}

void Inbox::wake() {
  {
    const std::lock_guard lock(mutex_);
    is_woken_ = true;
  }
  arrived_.notify_one();
}

std::vector<Inbox::Message> Inbox::take() {
  const std::lock_guard lock(mutex_);
  std::vector<Message> taken;
  for (std::deque<Message>* queue : {&urgent_, &ordinary_}) {
    while (!queue->empty() && taken.size() < kMessagesAtOnce) {
      taken.push_back(std::move(queue->front()));
      queue->pop_front();
    }
  }
  return taken;
}

void Inbox::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  arrived_.notify_one();
}

size_t Inbox::size() {
  const std::lock_guard lock(mutex_);
  return urgent_.size() + ordinary_.size();
}

bool Inbox::is_empty() { return size() == 0; }

bool Inbox::is_stopped_and_empty() {
  const std::lock_guard lock(mutex_);
  return stopping_ && urgent_.empty() && ordinary_.empty();
}

}  // namespace pawl::engine
