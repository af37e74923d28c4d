// One thread for what must not hold up a shard or a connection: changes of the catalog, one after another, and long
// answers.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace pawl::server {

inline constexpr size_t kBackOfficeJobsMax = 1'000;

// Jobs run in order. close(), or the destructor, lets those that wait run and takes no more. Jobs must not throw.
class BackOffice {
 public:
  using Job = std::move_only_function<void()>;

  BackOffice() : thread_([this] { work(); }) {}
  ~BackOffice() { close(); }
  BackOffice(const BackOffice&) = delete;
  BackOffice& operator=(const BackOffice&) = delete;

  // False, and the job is not taken, where too many wait or it is closed.
  [[nodiscard]] bool post(Job job);
  size_t waiting();
  // Waits for what was taken. A second call does nothing; not for its own jobs.
  void close();

 private:
  void work();

  std::mutex mutex_;  // guards the two below
  std::deque<Job> waiting_;
  bool closing_ = false;
  std::condition_variable changed_;
  std::thread thread_;
};

}  // namespace pawl::server
