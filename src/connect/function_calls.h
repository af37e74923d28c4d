// Calls of functions on their way to the workers that run them: what Lambda's Runtime API stands on.
//
// A worker asks for the next call of its function and answers it by its id. A call belongs to the worker that took it:
// nobody else may answer it, and it ends where the worker does, or when its time is up. Whatever comes after that is
// refused and counts for nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "json/value.h"

namespace pawl::connect {

using NextId = Id<struct NextTag, uint64_t>;      // one wait for a call
using WorkerId = Id<struct WorkerTag, uint64_t>;  // one process, or one connection of a worker that came by itself

struct FunctionCall {
  std::string id;               // unique; the request's id for the worker
  std::string function;         // its name
  std::string arn;              // as it was called
  std::string event;            // JSON
  std::string trace;            // of the caller; empty: none
  std::string tenant = {};      // for whom it is made; empty: nobody was named
  Timestamp deadline = kNever;  // by the wall clock
  Duration timeout{};           // sets the deadline when a worker takes the call; 0: nothing does
};

// How a call ended.
struct CallEnd {
  bool is_success = false;
  std::string body;        // of an answer: what the worker said, as it said it
  std::string error_type;  // of a failure: "Runtime.ExitError", "Sandbox.Timedout", or the worker's own
  std::string message;
  json::Value trace;  // the worker's stack, where it told
};

// Concurrency: any thread may call it. What it is given is called without a lock, by whoever brings the news.
class FunctionCalls {
 public:
  using Take = std::move_only_function<void(std::optional<FunctionCall>)>;  // nothing: ask again, or never
  using Ended = std::move_only_function<void(CallEnd)>;

  ~FunctionCalls() { close(); }

  WorkerId new_worker();
  void submit(FunctionCall call, Ended ended);
  // Nobody waits for its end any more. Who took it may go on and is told that it is too late.
  void withdraw(std::string_view id);

  // Waits for the next call of the function. One worker may wait several times.
  NextId next(WorkerId worker, const std::string& function, Take take);
  // Who waited has gone: what it would have been given is dropped. Nothing where it does not wait.
  void forget(NextId id);
  // False where the call is not this worker's, or has ended.
  bool answer(WorkerId worker, std::string_view id, std::string body);
  bool fail(WorkerId worker, std::string_view id, CallEnd failure);
  // It has ended: so have its calls, with this error; it waits for nothing.
  void leave(WorkerId worker, std::string_view error_type, std::string_view message);
  // Its calls whose time is up end with Sandbox.Timedout. The workers that had them: they cannot be told, only ended.
  std::vector<WorkerId> expire(Timestamp now);
  Timestamp next_deadline() const;  // of a call that is taken; kNever: none

  bool is_served(std::string_view function) const;  // somebody has asked for its calls, at least once

  // Everyone who waits is sent away, and no call is answered any more.
  void close();

 private:
  struct Taken {
    WorkerId worker;
    Timestamp deadline = kNever;
    Ended ended;
  };
  struct Waiting {
    FunctionCall call;
    Ended ended;
  };
  struct Poll {
    NextId id;
    WorkerId worker;
    Take take;
  };
  struct Queue {
    std::deque<Waiting> calls;
    std::deque<Poll> polls;
    bool is_served = false;
  };

  void hand_over(FunctionCall& call, Ended ended, WorkerId worker);
  Ended take_ended(WorkerId worker, std::string_view id);

  mutable std::mutex mutex_;  // guards everything below
  std::map<std::string, Queue, std::less<>> queues_;
  std::map<std::string, Taken, std::less<>> taken_;
  uint64_t last_worker_ = 0;
  uint64_t last_next_ = 0;
  bool is_closed_ = false;
};

}  // namespace pawl::connect
