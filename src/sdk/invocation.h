// Invocation: one run of a handler, from its event to its answer.
//
// Coroutines, operations and checkpoints live on the thread that calls run(). The bodies of steps run elsewhere, and
// what they give comes back through post(); one that is known to be quick runs here, where nothing else is to be done.
// The loop resumes what can go on, then sends what is to be sent, then waits for bodies. When nothing can go on and no
// body runs, the function is suspended: its coroutines are simply not resumed any more.
//
// Ends: the handler has ended; or every branch waits for something outside; or terminate() was called, for what no code
// of the handler may catch. In all cases run() returns only after every body has returned, and the frames live until
// the invocation is destroyed, which its owner does after the answer has left.
#pragma once

#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "pawl/durable/handler.h"
#include "sdk/checkpoint_queue.h"
#include "sdk/context_state.h"
#include "sdk/step_pace.h"

namespace pawl::durable::detail {

class RecordedOperation;

class Invocation final : private TaskObserver {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Invocation(const Handler& handler, InvocationEvent event, DurableService& service, const Config& config);
  ~Invocation();

  Answer run();

  // --- for operations, on the invocation's thread ---

  // Throws ValidationError where `context` is not the one of the running branch.
  void check_use(const ContextState& context) const;
  // Nothing more is to be started: the invocation has ended, or its frames are being destroyed.
  bool stopped() const noexcept { return closing_ || terminated_.has_value(); }

  const OperationRecord* find(const std::string& id) const;
  bool was_recorded_before(const std::string& id) const;
  void visit(const std::string& id);
  // Its operation has settled: what was recorded as its result or error is not kept any longer.
  void release(const std::string& id);
  // Calls operation.recorded() when an answer changes the record of its id.
  void watch(RecordedOperation& operation);

  void send(const ContextState& from, OperationUpdate update, Urgency urgency, std::function<void()> acknowledged = {});
  // The body of a step of `context`: `work` runs on another thread, then `done` here. At `timeout`, if not zero, it is
  // asked to stop and `timed_out` is called here; it is asked to stop as well when its context has been closed.
  struct Body {
    const ContextState* context;
    std::string step;  // by which its pace is known
    std::function<void()> work;
    std::function<void()> done;
    std::stop_source stop = {};
    std::chrono::milliseconds timeout{0};
    std::function<void()> timed_out = {};
    Time expires = Time::max();
  };
  void run_body(Body body);

  ContextState& make_context(ContextState* parent, std::string prefix, std::string parent_id, std::string name);
  // Keeps an operation, with the frames that it may hold, until the invocation is destroyed.
  void keep(std::shared_ptr<Operation> operation);
  void wake(std::coroutine_handle<> coroutine, ContextState* context);
  ContextState* current() const noexcept { return current_; }

  void terminate(Answer answer);
  void terminate(Answer::Status status, std::string type, std::string message);

  const Config& config() const noexcept { return config_; }
  const InvocationEvent& event() const noexcept { return event_; }
  std::shared_ptr<const LogScope> log_scope(const ContextState* context, const std::string& operation_id,
                                            const std::string& name, int attempt) const;

  // Makes a context the running one while it lives.
  class Running {
   public:
    Running(Invocation& invocation, ContextState* context)
        : invocation_(invocation), before_(std::exchange(invocation.current_, context)) {}
    Running(const Running&) = delete;
    ~Running() { invocation_.current_ = before_; }

   private:
    Invocation& invocation_;
    ContextState* before_;
  };

 private:
  struct Entry {
    OperationRecord record;
    bool from_before = false;
    bool visited = false;
    bool released = false;
  };
  void task_ended() noexcept override { root_ended_ = true; }

  void load_state();
  void start_handler();
  void loop();
  void run_ready();
  void start_bodies();
  bool may_run_here(const Body& body) const;
  void run_here(std::list<Body>::iterator body);
  void run_elsewhere(std::list<Body>::iterator body);
  void post(std::list<Body>::iterator body);
  void drain_inbox();
  bool inbox_is_empty();
  void expire_bodies();
  bool should_send() const;
  std::chrono::milliseconds linger() const;
  void wait_for_bodies_or_time();
  Time next_time() const;
  void plan_poll();
  void stop_bodies();

  void send_batch();
  void call_service(std::vector<OperationUpdate> updates);
  void apply(std::vector<OperationRecord> records, bool from_before);
  void tell_changed();
  void follow_pages(std::string marker);
  Answer answer_for(const ApiError& error) const;
  void terminate_unreadable(const SerializationError& error);

  Answer finish();
  Answer finish_ended();
  Answer finish_suspended();
  Answer succeed(Payload result);
  bool waits_for_something() const;
  void warn_of_unvisited() const;

  RawHandler handler_;
  const std::shared_ptr<StepPace> pace_;
  InvocationEvent event_;
  DurableService& service_;
  const Config config_;
  const std::thread::id thread_ = std::this_thread::get_id();

  std::unordered_map<std::string, Entry> records_;
  std::string token_;
  bool accepts_checkpoints_ = true;
  CheckpointQueue queue_;
  std::unordered_map<std::string, RecordedOperation*> watchers_;
  std::vector<std::string> changed_;

  std::deque<std::pair<std::coroutine_handle<>, ContextState*>> ready_;
  std::list<Body> bodies_;
  std::deque<std::list<Body>::iterator> waiting_;  // bodies that no thread runs yet
  std::size_t running_ = 0;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::list<Body>::iterator> inbox_;  // guarded by mutex_

  Time next_poll_ = Time::max();
  int polls_ = 0;

  std::optional<Answer> terminated_;
  bool root_ended_ = false;
  bool closing_ = false;
  ContextState* current_ = nullptr;
  ContextState* root_context_ = nullptr;

  // Destroyed in this order, by the destructor: frames of children before those of their parents, contexts last.
  std::list<ContextState> contexts_;
  std::vector<std::shared_ptr<Operation>> operations_;
  Task<Payload> root_;
};

}  // namespace pawl::durable::detail
