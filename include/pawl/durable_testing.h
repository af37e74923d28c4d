// Durable functions under test: a handler in this process, with time skipped and the outside world scripted.
//
//   durable::testing::TestRunner runner(order);
//   runner.on_callback("approval", durable::testing::Reply::success(R"({"approved":true})"), 3h);
//   const auto run = runner.run(Order{...});
//   EXPECT_EQ(run.status, durable::testing::RunStatus::Succeeded);
//   EXPECT_EQ(run.value<Receipt>().total, 12);
//   EXPECT_EQ(runner.operation("charge").attempts, 1);
//
// The handler is invoked, suspended and replayed as a real service would do it, with single-use tokens, atomic batches,
// timers and deltas; a wait of a year takes no time. A mistake in the order of updates fails the run with the service's
// message.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pawl/durable.h"

namespace pawl::durable::testing {

// What the outside world answers with.
struct Reply {
  OperationStatus status = OperationStatus::Succeeded;
  std::optional<std::string> result = {};
  std::optional<ErrorObject> error = {};

  static Reply success(std::optional<std::string> result_text = {}) {
    return {OperationStatus::Succeeded, std::move(result_text), {}};
  }
  static Reply failure(std::string type, std::string message) {
    return {OperationStatus::Failed, {}, ErrorObject{.type = std::move(type), .message = std::move(message)}};
  }
  static Reply timed_out(std::string message) {
    return {OperationStatus::TimedOut, {}, ErrorObject{.message = std::move(message)}};
  }
  static Reply stopped(std::string message) {
    return {OperationStatus::Stopped, {}, ErrorObject{.message = std::move(message)}};
  }
};

// While a step runs and something else waits, time is skipped only after this much of it has really passed: a step that
// is merely late on a busy machine does not find itself a day older.
inline constexpr std::chrono::milliseconds kBusyPoll{50};

// The service's side of one execution, in memory. Time is its own and stands still but for advance(). The calls of the
// function and those of the outside world may come from several threads; what happened is read when none is under way.
class LocalExecution final : public DurableService {
 public:
  explicit LocalExecution(std::optional<std::string> input, std::string name = "test");

  // --- the calls of the function ---
  CheckpointAnswer checkpoint(const CheckpointRequest& request, Deadline deadline) override;
  StatePage state(const std::string& execution_arn, const std::string& token, const std::string& marker,
                  Deadline deadline) override;
  std::chrono::milliseconds until(Timestamp time) const override;

  // --- invocations ---
  // A new invocation: the tokens of the last one are stale from now on.
  InvocationEvent begin_invocation();
  void end_invocation();
  // Something has happened that no invocation has seen.
  bool has_news() const;
  // Something is open that can wake the execution.
  bool has_pending() const;

  // --- the outside world ---
  void on_callback(const std::string& name, Reply reply, std::chrono::milliseconds delay);
  void on_invoke(const std::string& function, std::function<Reply(const std::string& payload)> answer,
                 std::chrono::milliseconds delay);
  // Throw ApiError for an id that is unknown or closed.
  void complete_callback(const std::string& callback_id, const Reply& reply);
  void heartbeat(const std::string& callback_id);
  // Lets the time pass to the next timer or scripted reply, and applies it; false where there is none.
  bool advance();
  // An operation that an earlier invocation has left behind.
  void seed(OperationRecord record);
  // The n-th checkpoint call from now (1: the next) throws this instead; with `after` it is applied, and its answer
  // lost.
  void fail_checkpoint(int n, ApiError error, bool after = false);
  // Events and states are cut into pages of this many operations.
  void page_by(std::size_t operations) { page_ = operations; }

  // --- what happened ---
  const std::vector<OperationRecord>& operations() const noexcept { return operations_; }
  const std::vector<CheckpointRequest>& checkpoints() const noexcept { return checkpoints_; }
  const std::optional<Reply>& closed_by_checkpoint() const noexcept { return closed_; }
  Timestamp now() const noexcept { return now_; }
  const std::string& arn() const noexcept { return arn_; }

 private:
  struct Timer {
    std::string operation_id;
    OperationStatus fires;  // what the operation becomes
    std::string error_type = {};
  };
  struct Scripted {
    std::string name;
    Reply reply;
    std::chrono::milliseconds delay;
  };
  struct Target {
    std::function<Reply(const std::string&)> answer;
    std::chrono::milliseconds delay;
  };

  OperationRecord* find(const std::string& id);
  const OperationRecord* find(const std::string& id) const;
  std::string token() const;
  void check_token(const std::string& arn, const std::string& token) const;
  void check_batch(const std::vector<OperationUpdate>& updates) const;
  void apply(const OperationUpdate& update);
  void apply_start(OperationRecord& record, const OperationUpdate& update);
  void apply_close(OperationRecord& record, const OperationUpdate& update);
  void arm_callback(OperationRecord& record, const OperationUpdate& update);
  void answer_later(const OperationRecord& record, const OperationUpdate& update);
  void fire(const Timer& timer);
  void fire_due();
  void finish(OperationRecord& record, const Reply& reply);
  void changed(const std::string& id);
  std::vector<OperationRecord> visible() const;
  std::vector<OperationRecord> take_news();

  mutable std::recursive_mutex mutex_;
  std::string arn_;
  Timestamp now_;
  std::vector<OperationRecord> operations_;
  std::set<std::string> news_;
  std::multimap<Timestamp, Timer> timers_;
  std::multimap<Timestamp, std::pair<std::string, Reply>> replies_;
  std::map<std::string, std::int64_t> heartbeats_;  // seconds, by operation
  std::deque<Scripted> callbacks_;
  std::map<std::string, Target> targets_;
  std::vector<CheckpointRequest> checkpoints_;
  std::optional<Reply> closed_;

  int invocation_ = 0;
  int sequence_ = 0;
  bool in_flight_ = false;
  std::map<std::string, CheckpointAnswer> answered_;  // by token and client token
  int failing_in_ = 0;
  std::optional<ApiError> failure_;
  bool failure_after_ = false;
  std::size_t page_ = 0;
};

enum class RunStatus {
  Succeeded,
  Failed,
  Stuck,  // it waits for something that no script gives it
};

struct Run {
  RunStatus status = RunStatus::Succeeded;
  std::optional<std::string> result;
  std::optional<ErrorObject> error;
  int invocations = 0;

  template <typename T>
  T value() const {
    return detail::decode_payload(Serdes<T>{}, result);
  }
};

// Runs executions of one handler to their end.
class TestRunner {
 public:
  // Retries of a failed invocation before the run is called failed, and invocations of one run.
  static constexpr int kRetriesMax = 5;
  static constexpr int kInvocationsMax = 10'000;

  explicit TestRunner(Handler handler, Config config = {});

  // Scripts of the outside world; they hold for the runs that follow. The name "*" stands for every callback. Replies
  // to the same name are used up in their order.
  void on_callback(const std::string& name, Reply reply, std::chrono::milliseconds delay = std::chrono::seconds(1));
  void on_invoke(const std::string& function, std::function<Reply(const std::string& payload)> answer,
                 std::chrono::milliseconds delay = std::chrono::seconds(1));
  // Called with each new execution, for what has no method here.
  void prepare(std::function<void(LocalExecution&)> prepare) { prepare_.push_back(std::move(prepare)); }

  Run run_text(std::optional<std::string> input);
  Run run() { return run_text(std::nullopt); }
  template <typename T>
  Run run(const T& input) {
    return run_text(to_text(input));
  }

  // Of the last run. operation() takes the first with that name, and throws std::out_of_range where there is none.
  LocalExecution& execution() { return *execution_; }
  const OperationRecord& operation(const std::string& name) const;
  std::size_t count(const std::string& name) const;
  // What was logged in the last run.
  std::vector<LogRecord> logs() const;

 private:
  std::optional<Run> step(Run& run, int& retries);

  Handler handler_;
  Config config_;
  std::vector<std::function<void(LocalExecution&)>> prepare_;
  std::unique_ptr<LocalExecution> execution_;
  std::shared_ptr<std::mutex> log_mutex_ = std::make_shared<std::mutex>();
  std::shared_ptr<std::vector<LogRecord>> logs_ = std::make_shared<std::vector<LogRecord>>();
};

// Where a handler does something else than a recorded history says.
struct Divergence {
  std::string message;
};

// Runs a handler over the operations of a recorded history (the body of GetDurableExecutionHistory, or of
// GetDurableExecutionState) and names the first operation that differs; empty: none does.
std::optional<Divergence> replay_history(const Handler& handler, std::string_view history);

}  // namespace pawl::durable::testing
