// Tasks that leave the process: HTTP endpoints, gRPC methods and commands, as --tasks maps them, Resources that are
// URLs themselves, operations of OpenAPI documents, and requests that a state describes (http:invoke).
#pragma once

#include <memory>

#include "connect/grpc_calls.h"
#include "connect/source.h"
#include "connect/task_map.h"
#include "connect/worker_pool.h"
#include "net/http_calls.h"

namespace pawl::connect {

struct MappedTasksOptions {
  bool call_urls = true;              // what nothing maps is called directly: URLs, OpenAPI operations, http:invoke
  size_t answer_bytes_max = 262'144;  // a larger answer is States.DataLimitExceeded
  std::string trace_seed = {};        // of the traces of executions (trace_context.h)
};

// Commands take a thread of the pool each; requests share one, and the connections to a host. The timeout of the target
// and that of the state count real time, whichever is shorter.
class MappedTasks final : public TaskSource {
 public:
  MappedTasks(TaskTargets targets, MappedTasksOptions options);

  Result<bool> claims(const TaskRequest& request) override;
  Expect start(const TaskRequest& request, AnswerTask answer) override;
  void cancel(engine::TaskId task) override;

 private:
  // Who is called for a request, and how its answer becomes the state's.
  struct Plan {
    enum class Kind : uint8_t { kPlain, kLambdaInvoke, kHttpInvoke, kOperation, kGrpc };
    Kind kind = Kind::kPlain;
    std::shared_ptr<const TaskTarget>
        target;   // of kHttpInvoke and kOperation: the connection; null where it is not mapped
    Value input;  // that is sent
  };
  std::optional<Plan> plan(const TaskRequest& request) const;
  std::optional<Plan> plan_integration(const TaskRequest& request) const;
  std::shared_ptr<const TaskTarget> shared(const TaskTarget* target) const;
  void call_target(const Plan& plan, const TaskRequest& request, AnswerTask answer);
  void invoke_http(const Plan& plan, const TaskRequest& request, const AnswerTask& answer);
  void call_operation(const Plan& plan, const TaskRequest& request, const AnswerTask& answer);

  std::shared_ptr<const TaskTargets> targets_;
  MappedTasksOptions options_;
  GrpcCalls grpc_calls_;
  net::HttpCalls calls_;  // the last members, so that their threads end before what they use
  WorkerPool pool_;
};

// The request that a task becomes, and what its answer means to the engine.
net::HttpRequest endpoint_request(const TaskTarget& target, const TaskRequest& request, size_t answer_bytes_max);
TaskAnswer endpoint_answer(const TaskTarget& target, const TaskRequest& request,
                           const Result<net::HttpResponse>& response);
// What a command answered, as the engine takes it.
TaskAnswer call_command(const TaskTarget& target, const TaskRequest& request, size_t answer_bytes_max,
                        const std::stop_token& stop);

}  // namespace pawl::connect
