#include "server/world_tasks.h"

#include <mutex>

#include "server/arns.h"

namespace pawl::server {

namespace {

using engine::TaskAnswer;

std::string_view error_name(const TaskAnswer& given) {
  const json::Value* error = given.value.find("Error");
  return error != nullptr && error->is_string() ? error->as_string() : "States.Timeout";
}

// A query may hold what is secret.
std::string_view without_query(std::string_view resource) { return resource.substr(0, resource.find('?')); }

}  // namespace

// What is kept of a task while anybody may still answer it: so long it counts as in flight.
class WorldTasks::Flight {
 public:
  Flight(const engine::TaskRequest& request, TaskMetrics& metrics, Log& log)
      : execution_(request.execution),
        state_(request.state),
        resource_(without_query(request.resource)),
        attempt_(request.attempt),
        metrics_(metrics),
        log_(log) {
    metrics_.in_flight.add(1);
  }
  ~Flight() { metrics_.in_flight.add(-1); }
  Flight(const Flight&) = delete;
  Flight& operator=(const Flight&) = delete;

  // The outcome, never what the task was given or gave.
  void note(const TaskAnswer& given) const {
    switch (given.kind) {
      case TaskAnswer::Kind::kSubmitted:
        return metrics_.accepted.add();
      case TaskAnswer::Kind::kSucceeded:
        return metrics_.succeeded.add();
      case TaskAnswer::Kind::kFailed:
        metrics_.failed.add();
        return log_failure(given);
      case TaskAnswer::Kind::kTimedOut:
        metrics_.timed_out.add();
        return log_failure(given);
    }
  }

 private:
  void log_failure(const TaskAnswer& given) const {
    log_.write(LogLevel::kWarning, "task failed",
               {{"execution", execution_ ? generated_name(execution_) : ""},
                {"state", state_},
                {"resource", resource_},
                {"error", error_name(given)},
                {"attempt", std::to_string(attempt_)}});
  }

  const ExecutionId execution_;
  const std::string state_;
  const std::string resource_;
  const uint32_t attempt_;
  TaskMetrics& metrics_;
  Log& log_;
};

engine::AnswerTask WorldTasks::watched(const engine::TaskRequest& request, engine::AnswerTask answer) {
  return [gate = gate_, flight = std::make_shared<const Flight>(request, metrics_, log_),
          answer = std::move(answer)](TaskAnswer given) {
    const std::shared_lock lock(gate->mutex);
    if (!gate->open) return;
    flight->note(given);
    answer(std::move(given));
  };
}

WorldTasks::Expect WorldTasks::start(const engine::TaskRequest& request, engine::AnswerTask answer) {
  auto guarded = watched(request, std::move(answer));
  if (FunctionConnector::claims(request)) return functions_.start(request, std::move(guarded));
  const auto claimed = mapped_.claims(request);
  if (claimed && *claimed) return mapped_.start(request, std::move(guarded));
  if (NestedExecutions::claims(request.resource)) {
    nested_.start(request, std::move(guarded));
    return Expect::kAnswer;
  }
  if (functions_.claims_task(request)) return functions_.start_task(request, std::move(guarded));
  // States.Runtime, so that no Catch hides a mistake of whoever set the server up.
  guarded(engine::TaskAnswer::failed("States.Runtime", "TASK_NOT_MAPPED: Nothing answers the Resource '" +
                                                           request.resource + "'. Map it in the file of --tasks."));
  return Expect::kAnswer;
}

void WorldTasks::cancel(engine::TaskId task) {
  functions_.cancel(task);
  mapped_.cancel(task);
}

void WorldTasks::close() {
  const std::lock_guard lock(gate_->mutex);
  gate_->open = false;
}

}  // namespace pawl::server
