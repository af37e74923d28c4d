// The line on a terminal that shows which state an execution is in.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace pawl::cli {

// Draws on stderr from a thread of its own, several times a second, once the run takes longer than a moment; the
// destructor wipes the line. Does nothing where it is not enabled.
class LiveLine {
 public:
  explicit LiveLine(bool enabled);
  ~LiveLine();
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  void show_state(std::string_view name);

 private:
  void draw_until_stopped(const std::stop_token& stop);

  std::mutex mutex_;  // guards state_, entered_ and drawn_
  std::condition_variable_any changed_;
  std::string state_;
  uint64_t entered_ = 0;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point started_;
  bool enabled_;
  std::jthread thread_;
};

}  // namespace pawl::cli
