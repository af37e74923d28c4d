#include "engine/task.h"

namespace pawl::engine {

TaskAnswer TaskAnswer::failed(std::string_view error, std::string_view cause) {
  json::ObjectBuilder value;
  value.set("Error", Value::string(error));
  value.set("Cause", Value::string(cause));
  return {Kind::kFailed, value.build()};
}

TaskAnswer TaskAnswer::timed_out() {
  json::ObjectBuilder value;
  value.set("Error", Value::string("States.Timeout"));
  return {Kind::kTimedOut, value.build()};
}

namespace {

kernel::Outcome outcome_of(TaskAnswer::Kind kind) {
  switch (kind) {
    case TaskAnswer::Kind::kSubmitted:
    case TaskAnswer::Kind::kSucceeded:
      return kernel::Outcome::kSucceeded;
    case TaskAnswer::Kind::kFailed:
      return kernel::Outcome::kFailed;
    case TaskAnswer::Kind::kTimedOut:
      return kernel::Outcome::kTimedOut;
  }
  return kernel::Outcome::kFailed;
}

}  // namespace

kernel::Signal to_signal(OperationId operation, TaskAnswer answer) {
  kernel::Signal signal;
  const bool is_submitted = answer.kind == TaskAnswer::Kind::kSubmitted;
  signal.kind = is_submitted ? kernel::SignalKind::kOperationSubmitted : kernel::SignalKind::kOperationEnded;
  signal.operation = operation;
  signal.outcome = outcome_of(answer.kind);
  signal.value = std::move(answer.value);
  return signal;
}

}  // namespace pawl::engine
