// Ctrl-C and SIGTERM as a request to stop.
#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace pawl::cli {

// From its making to its end, SIGINT and SIGTERM ask `stop` for the end instead of killing the process; a second one
// kills it. Must be made before other threads, so that they leave the signals to it.
class InterruptWatcher {
 public:
  explicit InterruptWatcher(std::stop_source stop);
  ~InterruptWatcher();
  InterruptWatcher(const InterruptWatcher&) = delete;
  InterruptWatcher& operator=(const InterruptWatcher&) = delete;

  int signal() const { return signal_; }  // that came, or 0

 private:
  void watch();

  std::stop_source stop_;
  std::atomic<int> signal_ = 0;
  int signals_;  // a signalfd
  int ending_;   // an eventfd that ends the thread
  std::thread thread_;
};

}  // namespace pawl::cli
