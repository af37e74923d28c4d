// The tasks of a server's executions, on their way to HTTP endpoints and commands, to functions, or to further
// executions.
//
// When a server ends, its calls are interrupted; that is no answer of theirs. close() is the moment from which answers
// are dropped: the next start of the server makes those calls again.
#pragma once

#include <memory>
#include <shared_mutex>

#include "connect/mapped_tasks.h"
#include "engine/task.h"
#include "server/function_connector.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/nested.h"

namespace pawl::server {

// Any thread may call it.
class WorldTasks final : public engine::TaskHandler {
 public:
  WorldTasks(connect::TaskTargets targets, connect::MappedTasksOptions options, Log& log, NestedExecutions& nested,
             FunctionConnector& functions)
      : log_(log), nested_(nested), functions_(functions), mapped_(std::move(targets), std::move(options)) {}

  Expect start(const engine::TaskRequest& request, engine::AnswerTask answer) override;
  void cancel(engine::TaskId task) override;

  const TaskMetrics& metrics() const { return metrics_; }

  // Waits for answers that are being handed over; no later one is.
  void close();

 private:
  class Flight;
  engine::AnswerTask watched(const engine::TaskRequest& request, engine::AnswerTask answer);

  struct Gate {
    std::shared_mutex mutex;  // shared while an answer goes through
    bool open = true;
  };

  Log& log_;
  TaskMetrics metrics_;
  std::shared_ptr<Gate> gate_ = std::make_shared<Gate>();
  NestedExecutions& nested_;
  FunctionConnector& functions_;
  connect::MappedTasks mapped_;
};

}  // namespace pawl::server
