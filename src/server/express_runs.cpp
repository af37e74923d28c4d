#include "server/express_runs.h"

#include <atomic>
#include <map>

#include "base/random.h"

namespace pawl::server {

namespace {

// A run numbers its tasks from 1; beside those of other runs they need numbers of their own.
class OwnTaskIds final : public engine::TaskHandler {
 public:
  explicit OwnTaskIds(engine::TaskHandler& tasks) : tasks_(tasks) {}

  Expect start(const engine::TaskRequest& request, engine::AnswerTask answer) override {
    engine::TaskRequest renamed = request;
    renamed.task = next_id();
    ids_[request.task] = renamed.task;
    return tasks_.start(renamed, std::move(answer));
  }
  void cancel(engine::TaskId task) override {
    const auto found = ids_.find(task);
    if (found != ids_.end()) tasks_.cancel(found->second);
  }

 private:
  static constexpr uint64_t kFirst = uint64_t{1} << 63;  // above those of the durable engine

  static engine::TaskId next_id() {
    static std::atomic<uint64_t> last = kFirst;
    return engine::TaskId(++last);
  }

  engine::TaskHandler& tasks_;
  std::map<engine::TaskId, engine::TaskId> ids_;
};

json::Value timeout_error() {
  json::ObjectBuilder error(1);
  error.set("Error", json::Value::string("States.Timeout"));
  return error.build();
}

std::unexpected<Error> overloaded() {
  return fail("ENGINE_OVERLOADED", "More executions are being started than can be.", "Try again in a moment.");
}

// What a turn that may be given up asks for. A token that nobody will see is as good as any.
class TryServices final : public kernel::TurnServices {
 public:
  explicit TryServices(const Clock& clock) : clock_(clock), random_(entropy_seed()) {}
  Timestamp now() const override { return clock_.now(); }
  Random& random() override { return random_; }
  std::string task_token(OperationId, uint32_t) override { return "none"; }
  Timestamp last_heartbeat(OperationId) const override { return {}; }
  bool has_activity(std::string_view) const override { return true; }

 private:
  const Clock& clock_;
  SeededRandom random_;
};

}  // namespace

// None where the execution goes on: whatever it would do in the world is then only decided, and the try is forgotten.
std::optional<ExpressEnd> ExpressRuns::run_one_turn(const ExpressRequest& request) const {
  ExpressEnd end;
  end.started = clock_.now();
  const kernel::Signal signal =
      engine::start_signal(request.input, request.make_context(end.started), request.input_text);
  TryServices services(clock_);
  kernel::Execution execution;
  std::vector<kernel::Fact> facts;
  std::vector<kernel::Effect> effects;
  kernel::Turn turn(execution, services, limits_, facts, effects);
  kernel::decide(*request.program, signal, turn);
  if (execution.is_open()) return std::nullopt;
  end.ended = clock_.now();
  end.status = execution.status();
  end.outcome = execution.outcome();
  return end;
}

void ExpressRuns::start(ExpressRequest request, Done done) {
  if (request.may_begin_twice)
    if (auto end = run_one_turn(request)) return done(*std::move(end));
  Job job{std::move(request), std::move(done)};
  if (!take(job)) job.done(overloaded());
}

bool ExpressRuns::take(Job& job) {
  const std::lock_guard lock(mutex_);
  if (closing_ || waiting_.size() >= kExpressWaitingMax) return false;
  waiting_.push_back(std::move(job));
  if (!watcher_.joinable()) watcher_ = std::thread([this] { watch(); });
  if (waiting_.size() > idle_ && threads_.size() < kExpressThreads) threads_.emplace_back([this] { work(); });
  changed_.notify_one();
  return true;
}

size_t ExpressRuns::waiting() {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

void ExpressRuns::close() {
  std::deque<Job> dropped;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    dropped.swap(waiting_);
    for (Running& running : running_) running.stop.request_stop();
    changed_.notify_all();
    watching_.notify_all();
  }
  for (Job& job : dropped) job.done(overloaded());
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  if (watcher_.joinable()) watcher_.join();
}

void ExpressRuns::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
    --idle_;
    if (waiting_.empty()) return;
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    job.done(run(job.request));
    lock.lock();
  }
}

// Ends runs whose time is over. All have the same limit, so the oldest is the next.
void ExpressRuns::watch() {
  std::unique_lock lock(mutex_);
  while (!closing_) {
    const auto now = std::chrono::steady_clock::now();
    for (Running& running : running_) {
      if (running.deadline > now) break;
      running.timed_out = true;
      running.stop.request_stop();
    }
    watching_.wait_for(lock, std::chrono::seconds(1));
  }
}

std::list<ExpressRuns::Running>::iterator ExpressRuns::enter() {
  const std::lock_guard lock(mutex_);
  Running& entered = running_.emplace_back();
  entered.deadline = std::chrono::steady_clock::now() + kExpressTimeMax;
  if (closing_) entered.stop.request_stop();
  return std::prev(running_.end());
}

// Whether it was ended because its time was over.
bool ExpressRuns::leave(std::list<Running>::iterator running) {
  const std::lock_guard lock(mutex_);
  const bool timed_out = running->timed_out;
  running_.erase(running);
  return timed_out;
}

Result<ExpressEnd> ExpressRuns::run(const ExpressRequest& request) {
  const auto running = enter();
  ExpressEnd end;
  end.started = clock_.now();
  engine::LocalRunOptions options;
  options.limits = limits_;
  options.virtual_time = virtual_time_;
  if (virtual_time_) options.now = end.started;
  options.labels = request.labels;
  options.seed = entropy_seed();
  options.input_text = request.input_text;
  options.execution_name = request.name;
  options.stop = running->stop.get_token();
  OwnTaskIds tasks(tasks_);
  auto local = engine::run_local(*request.program, request.input, request.make_context(end.started), tasks, options);
  const bool timed_out = leave(running);
  if (!local) return std::unexpected(local.error());
  end.ended = virtual_time_ ? local->facts.back().time : clock_.now();
  end.status = timed_out ? kernel::Status::kTimedOut : local->status;
  end.outcome = timed_out ? timeout_error() : std::move(local->outcome);
  return end;
}

}  // namespace pawl::server
