#include "connect/worker_pool.h"

#include <algorithm>

namespace pawl::connect {

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    waiting_.clear();
    for (auto& [task, stop] : running_) stop.request_stop();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::submit(engine::TaskId task, Job job) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back({task, std::move(job), {}});
  if (idle_ < waiting_.size() && threads_.size() < kWorkersMax) threads_.emplace_back([this] { work(); });
  changed_.notify_one();
}

void WorkerPool::cancel(engine::TaskId task) {
  const std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&](const Entry& entry) { return entry.task == task; });
  const auto [begin, end] = running_.equal_range(task);
  for (auto it = begin; it != end; ++it) it->second.request_stop();
}

void WorkerPool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
    --idle_;
    if (closing_) return;
    Entry entry = std::move(waiting_.front());
    waiting_.pop_front();
    const auto place = running_.emplace(entry.task, entry.stop);
    lock.unlock();
    entry.job(entry.stop.get_token());
    entry.job = nullptr;
    lock.lock();
    running_.erase(place);
  }
}

}  // namespace pawl::connect
