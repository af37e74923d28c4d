// How the engine hands tasks to the world: a border with real handlers (HTTP, commands, functions) and mocks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/ids.h"
#include "base/time.h"
#include "json/value.h"
#include "kernel/signal.h"

namespace pawl::engine {

using json::Value;

// Names one call of a task within this process.
using TaskId = Id<struct TaskTag, uint64_t>;

struct TaskRequest {
  TaskId task;
  uint32_t attempt = 0;   // retries before this one
  ExecutionId execution;  // none in a local run
  OperationId operation;
  kernel::OperationKind kind = kernel::OperationKind::kTask;
  Value labels;          // of the execution's start
  std::string state;     // the state's name
  std::string resource;  // as the definition says it
  Value input;
  Value endpoint;  // how the resource is called, where the definition's own files say it (openapi/); or null
  std::string idempotency_key;  // the same when one attempt is dispatched again
  std::optional<Duration> timeout;
  bool is_repeated = false;      // it may have been dispatched before: this process does not know what became of it
  bool waits_for_token = false;  // the answer to the request only says that it was accepted
};

struct TaskAnswer {
  enum class Kind : uint8_t {
    kSubmitted,  // the request was accepted (waits_for_token); the result comes later
    kSucceeded,  // value: the result
    kFailed,     // value: {"Error", "Cause"}, either may be absent
    kTimedOut,   // the handler's own limit, or the task's timeout by the real clock; value: as for kFailed
  };
  Kind kind = Kind::kSucceeded;
  Value value;

  static TaskAnswer succeeded(Value result) { return {Kind::kSucceeded, std::move(result)}; }
  static TaskAnswer submitted(Value answer) { return {Kind::kSubmitted, std::move(answer)}; }
  static TaskAnswer failed(std::string_view error, std::string_view cause);
  static TaskAnswer timed_out();
};

// The answer as the signal that an execution takes.
kernel::Signal to_signal(OperationId operation, TaskAnswer answer);

// May be called from any thread, also before start() returns; what comes after a final answer or a cancel is dropped.
using AnswerTask = std::function<void(TaskAnswer)>;

class TaskHandler {
 public:
  virtual ~TaskHandler() = default;

  enum class Expect : uint8_t {
    kAnswer,   // an answer will come: virtual time stands still until then
    kNothing,  // none will come by itself: only a timeout ends it
  };
  virtual Expect start(const TaskRequest& request, AnswerTask answer) = 0;
  virtual void cancel(TaskId task) = 0;
};

}  // namespace pawl::engine
