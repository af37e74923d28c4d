// Executions of EXPRESS machines that someone waits for: run in memory, nothing of them is kept.
//
// A run that ends within its first turn, as those without tasks and waits do, is run at once on its caller's thread.
// Any other takes a thread from its start to its end; as many as there are threads run at once, and a bounded number
// waits. One that takes longer than kExpressTimeMax is ended.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/time.h"
#include "engine/local_run.h"
#include "kernel/program.h"

namespace pawl::server {

inline constexpr Duration kExpressTimeMax = std::chrono::minutes(5);  // AWS's own
inline constexpr size_t kExpressThreads = 64;
inline constexpr size_t kExpressWaitingMax = 1'000;

struct ExpressRequest {
  std::shared_ptr<const kernel::Program> program;
  json::Value input;
  std::string input_text;
  std::string name;  // part of its idempotency keys
  std::function<json::Value(Timestamp started)> make_context;
  json::Value labels;            // handed to its tasks
  bool may_begin_twice = false;  // a try that is given up leaves no trace: true of every compiled definition
};

struct ExpressEnd {
  kernel::Status status = kernel::Status::kNotStarted;
  json::Value outcome;  // output or {"Error", "Cause"}
  Timestamp started{};
  Timestamp ended{};
};

// Any thread may call it. Threads are made when they are needed.
class ExpressRuns {
 public:
  using Done = std::move_only_function<void(Result<ExpressEnd>)>;

  // In virtual time a run waits for tasks only.
  ExpressRuns(engine::TaskHandler& tasks, const Clock& clock, const kernel::Limits& limits, bool virtual_time = false)
      : tasks_(tasks), clock_(clock), limits_(limits), virtual_time_(virtual_time) {}
  ~ExpressRuns() { close(); }
  ExpressRuns(const ExpressRuns&) = delete;
  ExpressRuns& operator=(const ExpressRuns&) = delete;

  // `done` is called on a thread of the runs, or at once: where the run ends in one turn, and with ENGINE_OVERLOADED
  // where too many wait or it is closed.
  void start(ExpressRequest request, Done done);
  size_t waiting();
  // Ends what runs, drops what waits, and joins. A second call does nothing.
  void close();

 private:
  struct Job {
    ExpressRequest request;
    Done done;
  };
  struct Running {
    std::stop_source stop;
    std::chrono::steady_clock::time_point deadline;
    bool timed_out = false;
  };
  bool take(Job& job);
  void work();
  void watch();
  std::optional<ExpressEnd> run_one_turn(const ExpressRequest& request) const;
  Result<ExpressEnd> run(const ExpressRequest& request);
  std::list<Running>::iterator enter();
  bool leave(std::list<Running>::iterator running);

  engine::TaskHandler& tasks_;
  const Clock& clock_;
  const kernel::Limits limits_;
  const bool virtual_time_;
  std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  std::condition_variable watching_;
  std::deque<Job> waiting_;
  std::list<Running> running_;  // the oldest first
  size_t idle_ = 0;
  bool closing_ = false;
  std::vector<std::thread> threads_;
  std::thread watcher_;
};

}  // namespace pawl::server
