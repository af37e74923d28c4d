#include "server/back_office.h"

#include <utility>

namespace pawl::server {

void BackOffice::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

bool BackOffice::post(Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (closing_ || waiting_.size() >= kBackOfficeJobsMax) return false;
    waiting_.push_back(std::move(job));
  }
  changed_.notify_one();
  return true;
}

size_t BackOffice::waiting() {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

void BackOffice::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    job();
    job = nullptr;
    lock.lock();
  }
}

}  // namespace pawl::server
