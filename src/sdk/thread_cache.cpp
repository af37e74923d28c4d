#include "sdk/thread_cache.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace pawl::durable::detail {
namespace {

constexpr std::chrono::seconds kIdleMax(30);

class ThreadCache {
 public:
  void run(std::function<void()> job) {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    if (jobs_.size() <= idle_) {
      wanted_.notify_one();
    } else {
      std::thread([this] { work(); }).detach();
    }
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (jobs_.empty()) {
        ++idle_;
        const bool found = wanted_.wait_for(lock, kIdleMax, [this] { return !jobs_.empty(); });
        --idle_;
        if (!found) return;
      }
      std::function<void()> job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
      job = nullptr;
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wanted_;
  std::deque<std::function<void()>> jobs_;
  std::size_t idle_ = 0;
};

}  // namespace

void run_on_thread(std::function<void()> job) {
  // Never destroyed: idle threads wait in it while the process ends.
  static ThreadCache* const cache = new ThreadCache;
  cache->run(std::move(job));
}

}  // namespace pawl::durable::detail
