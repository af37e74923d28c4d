// Tasks that call functions: the code of durable functions, which is called again and again, and functions that other
// executions call.
//
// A call of a durable function's code has a checkpoint token in its event. One that was out when the server ended is
// not made again: it fails, its token with it, and the code is called anew.
#pragma once

#include <string>

#include "connect/function_calls.h"
#include "engine/task.h"
#include "server/task_tokens.h"

namespace pawl::server {

// Any thread may call it.
class FunctionConnector {
 public:
  explicit FunctionConnector(TaskTokens& tokens);

  connect::FunctionCalls& calls() { return calls_; }

  static bool claims(const engine::TaskRequest& request);
  void start(const engine::TaskRequest& request, engine::AnswerTask answer);
  void cancel(engine::TaskId task) { calls_.withdraw(call_id(task)); }

 private:
  std::string call_id(engine::TaskId task) const;
  void call_code(const engine::TaskRequest& request, engine::AnswerTask answer);

  TaskTokens& tokens_;
  const std::string id_prefix_;
  connect::FunctionCalls calls_;
};

// How a call ended, as an execution takes it.
engine::TaskAnswer to_task_answer(const connect::CallEnd& end);

}  // namespace pawl::server
