// Threads for tasks that block: HTTP requests, commands, functions.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "engine/task.h"

namespace pawl::connect {

inline constexpr size_t kWorkersMax = 32;  // tasks at once; further ones wait for their turn

// Threads are made when they are needed, up to kWorkersMax. What waits is bounded by the open operations of the run.
// The destructor asks every job to stop, drops those that wait, and joins. Jobs must not throw.
class WorkerPool {
 public:
  using Job = std::function<void(const std::stop_token&)>;

  WorkerPool() = default;
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void submit(engine::TaskId task, Job job);
  // Asks the operation's job to stop; drops it where it has not begun. Nothing where there is none.
  void cancel(engine::TaskId task);

 private:
  struct Entry {
    engine::TaskId task;
    Job job;
    std::stop_source stop;
  };
  void work();

  std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  std::deque<Entry> waiting_;
  std::multimap<engine::TaskId, std::stop_source> running_;
  size_t idle_ = 0;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace pawl::connect
