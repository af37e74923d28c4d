// TestRunner: invokes a handler against a LocalExecution until it has ended.
#include <algorithm>
#include <stdexcept>

#include "pawl/durable_testing.h"

namespace pawl::durable::testing {

TestRunner::TestRunner(Handler handler, Config config) : handler_(std::move(handler)), config_(std::move(config)) {
  config_.poll_interval = kBusyPoll;
  config_.log = [sink = config_.log, logs = logs_, mutex = log_mutex_](const LogRecord& record) {
    const std::lock_guard lock(*mutex);
    logs->push_back(record);
    if (sink) sink(record);
  };
}

void TestRunner::on_callback(const std::string& name, Reply reply, std::chrono::milliseconds delay) {
  prepare([=](LocalExecution& execution) { execution.on_callback(name, reply, delay); });
}

void TestRunner::on_invoke(const std::string& function, std::function<Reply(const std::string&)> answer,
                           std::chrono::milliseconds delay) {
  prepare([=](LocalExecution& execution) { execution.on_invoke(function, answer, delay); });
}

Run TestRunner::run_text(std::optional<std::string> input) {
  execution_ = std::make_unique<LocalExecution>(std::move(input));
  for (const auto& prepare_one : prepare_) prepare_one(*execution_);
  {
    const std::lock_guard lock(*log_mutex_);
    logs_->clear();
  }
  Run run;
  int retries = 0;
  while (run.invocations < kInvocationsMax) {
    if (auto ended = step(run, retries)) return *ended;
  }
  run.status = RunStatus::Stuck;
  return run;
}

// One invocation, and the time until the next one; the run where it has ended.
std::optional<Run> TestRunner::step(Run& run, int& retries) {
  const auto ended = [&run](RunStatus status, std::optional<std::string> result, std::optional<ErrorObject> error) {
    run.status = status;
    run.result = std::move(result);
    run.error = std::move(error);
    return run;
  };
  ++run.invocations;
  const FinishedInvocation finished = run_invocation(handler_, execution_->begin_invocation(), *execution_, config_);
  execution_->end_invocation();
  const Answer& answer = finished.answer();
  if (const auto& closed = execution_->closed_by_checkpoint()) {
    return ended(closed->status == OperationStatus::Succeeded ? RunStatus::Succeeded : RunStatus::Failed,
                 closed->result, closed->error);
  }
  switch (answer.status) {
    case Answer::Status::Succeeded:
      return ended(RunStatus::Succeeded, answer.result, std::nullopt);
    case Answer::Status::Failed:
      return ended(RunStatus::Failed, std::nullopt, answer.error);
    case Answer::Status::Retry:
      if (++retries > kRetriesMax) return ended(RunStatus::Failed, std::nullopt, answer.error);
      return std::nullopt;
    case Answer::Status::Pending:
      break;
  }
  retries = 0;
  if (!execution_->has_news() && !execution_->has_pending()) {
    return ended(
        RunStatus::Failed, std::nullopt,
        ErrorObject{.type = "InvalidOutput", .message = "Cannot return PENDING status with no pending operations."});
  }
  if (!execution_->has_news() && !execution_->advance()) return ended(RunStatus::Stuck, std::nullopt, std::nullopt);
  return std::nullopt;
}

const OperationRecord& TestRunner::operation(const std::string& name) const {
  for (const OperationRecord& record : execution_->operations()) {
    if (record.name == name) return record;
  }
  throw std::out_of_range("no operation is named \"" + name + "\"");
}

std::size_t TestRunner::count(const std::string& name) const {
  const auto& operations = execution_->operations();
  return static_cast<std::size_t>(std::count_if(operations.begin(), operations.end(),
                                                [&](const OperationRecord& record) { return record.name == name; }));
}

std::vector<LogRecord> TestRunner::logs() const {
  const std::lock_guard lock(*log_mutex_);
  return *logs_;
}

}  // namespace pawl::durable::testing
