// Tasks that call functions: the code of durable functions, which is called again and again; calls that such code makes
// (chained invokes); Task states on functions of this server; and calls of functions that are not durable for which
// nobody waits.
//
// A call of a durable function's code has a checkpoint token in its event. One that was out when the server ended is
// not made again: it fails, its token with it, and the code is called anew. A durable function, or a state machine,
// that is called is an execution that belongs to the call: a call that is made again finds it.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>

#include "connect/function_calls.h"
#include "engine/task.h"
#include "server/functions.h"
#include "server/task_tokens.h"

namespace pawl::server {

// Any thread may call it, from the moment the engine is opened; what needs the service waits until serve() was called.
class FunctionConnector {
 public:
  using Expect = engine::TaskHandler::Expect;

  explicit FunctionConnector(TaskTokens& tokens);

  // The service outlives every call.
  void serve(Service& service);
  connect::FunctionCalls& calls() { return calls_; }

  // Of a durable function's own: "function:NAME".
  static bool claims(const engine::TaskRequest& request);
  Expect start(const engine::TaskRequest& request, engine::AnswerTask answer);
  // Of a Task state: the ARN of a function that is here, or lambda:invoke with its name.
  bool claims_task(const engine::TaskRequest& request) const;
  Expect start_task(const engine::TaskRequest& request, engine::AnswerTask answer);
  void cancel(engine::TaskId task);

  // One call of a function that is not durable.
  connect::FunctionCall call_of(const FoundFunction& function, const Arns& arns, std::string id,
                                std::string event) const;

 private:
  // How a call ended: its text, or {"ErrorType", "ErrorMessage", "StackTrace"}.
  struct End {
    enum class Status : uint8_t { kSucceeded, kFailed, kTimedOut, kStopped };
    Status status = Status::kSucceeded;
    Value payload;  // a text; null: none
    Value error = {};
  };
  using Ended = std::function<void(End)>;

  Service& service() const;
  std::string call_id(engine::TaskId task) const;
  std::string queue_of(const std::string& name, std::string_view version) const;
  void call_code(const engine::TaskRequest& request, engine::AnswerTask answer);
  void call_plain(const engine::TaskRequest& request, engine::AnswerTask answer);
  // The code of a function, for an execution of its own.
  void submit(const engine::TaskRequest& request, std::string_view execution_arn, std::string event,
              std::function<void(connect::CallEnd)> ended);
  Expect call_chained(const engine::TaskRequest& request, engine::AnswerTask answer);
  Expect call_function(const FoundFunction& function, const engine::TaskRequest& request, const std::string& payload,
                       const std::string& tenant, Ended ended);
  Expect call_machine(const std::string& arn, const engine::TaskRequest& request, const std::string& payload,
                      Ended ended);
  Expect start_child(engine::StartRequest start, const engine::TaskRequest& request, Ended ended);
  static End end_of(const engine::Closed& closed, const Revision& revision);
  static engine::TaskAnswer chained_answer(End end);
  static engine::TaskAnswer task_answer(const engine::TaskRequest& request, const End& end);

  TaskTokens& tokens_;
  const std::string id_prefix_;
  std::mutex mutex_;  // guards the one below
  std::unordered_map<engine::TaskId, std::string>
      code_calls_;  // the ids of the calls that submit() made and that are out
  connect::FunctionCalls calls_;
  std::atomic<Service*> service_ = nullptr;
};

}  // namespace pawl::server
