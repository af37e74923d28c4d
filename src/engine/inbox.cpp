#include "engine/inbox.h"

#include "engine/shard.h"

namespace pawl::engine {

namespace {
constexpr size_t kMessagesAtOnce = 1'000;  // then timers and the commit get their turn
}

bool Inbox::post(Message message, bool urgent) {
  {
    const std::lock_guard lock(mutex_);
    std::deque<Message>& queue = urgent ? urgent_ : ordinary_;
    if (!urgent && queue.size() >= ordinary_max_) return false;
    queue.push_back(std::move(message));
  }
  arrived_.notify_one();  // without the lock, which whoever wakes up wants first
  return true;
}

std::vector<Inbox::Message> Inbox::take(Duration patience) {
  std::unique_lock lock(mutex_);
  const auto has_work = [&] { return stopping_ || !urgent_.empty() || !ordinary_.empty(); };
  if (patience > Duration(0)) arrived_.wait_for(lock, patience, has_work);
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
