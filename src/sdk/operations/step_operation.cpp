#include "sdk/operations/step_operation.h"

#include <algorithm>

namespace pawl::durable::detail {

void StepOperation::start(const OperationRecord* record) {
  if (record == nullptr) return begin_attempt(true);
  attempt_ = record->attempts + 1;
  if (record->result && !is_terminal(record->status)) spec_.state = record->result;
  switch (record->status) {
    case OperationStatus::Succeeded:
      return settle(record->result);
    case OperationStatus::Ready:
      return begin_attempt(true);
    case OperationStatus::Pending:
      return invocation_.watch(*this);
    case OperationStatus::Started:
      if (spec_.options.semantics == StepSemantics::AtLeastOnce) return begin_attempt(false);
      return failed(std::make_exception_ptr(StepInterruptedError()));
    case OperationStatus::Failed:
    case OperationStatus::Cancelled:
    case OperationStatus::TimedOut:
    case OperationStatus::Stopped:
      return settle(spec_.fail_with(record->error.value_or(ErrorObject())));
  }
}

// `tell` is false for a step that the service knows to be started: a second START would be refused.
void StepOperation::begin_attempt(bool tell) {
  if (tell && spec_.options.semantics == StepSemantics::AtMostOnce) {
    return send(update(OperationAction::Start), Urgency::Now, [this] { run_attempt(); });
  }
  if (tell) send(update(OperationAction::Start), Urgency::Soon);
  run_attempt();
}

void StepOperation::run_attempt() {
  auto attempt = std::make_shared<Attempt>();
  std::stop_source stop;
  const auto work = [attempt, call = spec_.attempt, state = spec_.state,
                     step = StepContext(Logger(invocation_.log_scope(nullptr, id(), name(), attempt_)), attempt_,
                                        stop.get_token())]() mutable {
    try {
      attempt->result = call(step, state);
    } catch (...) {
      attempt->error = std::current_exception();
    }
  };
  body_runs_ = true;
  timed_out_ = false;
  invocation_.run_body({&context(), name().empty() ? id() : name(), work,
                        [this, attempt] { attempt_returned(*attempt); }, stop, spec_.options.timeout,
                        [this] { attempt_timed_out(); }});
}

void StepOperation::attempt_returned(const Attempt& attempt) {
  body_runs_ = false;
  if (timed_out_) {
    if (const auto then = std::exchange(held_back_, nullptr)) then();
    return;
  }
  if (attempt.error) return failed(attempt.error);
  succeeded(attempt.result);
}

// The failure is recorded at once, so that a body that never returns does not hold the execution up for ever.
void StepOperation::attempt_timed_out() {
  timed_out_ = true;
  const std::string label = name().empty() ? "The step" : "The step \"" + name() + "\"";
  failed(std::make_exception_ptr(
      StepTimeoutError(label + " ran longer than " + std::to_string(spec_.options.timeout.count()) + " ms.")));
}

void StepOperation::after_body(std::function<void()> then) {
  if (!body_runs_) return then();
  held_back_ = std::move(then);
}

void StepOperation::succeeded(AttemptResult result) {
  if (result.payload && result.payload->size() > kPayloadBytesMax) {
    return fail({"PayloadTooLargeError",
                 "The result of step \"" + name() + "\" has " + std::to_string(result.payload->size()) +
                     " bytes; the most is " + std::to_string(kPayloadBytesMax) +
                     ". Store it elsewhere and return where it is.",
                 std::nullopt,
                 {}});
  }
  OperationUpdate change = update(result.again ? OperationAction::Retry : OperationAction::Succeed);
  change.payload = result.payload;
  if (result.again) {
    spec_.state = std::move(result.payload);
    return retry_later(std::move(change), *result.again);
  }
  close(std::move(change), [this, payload = std::move(result.payload)]() mutable { settle(std::move(payload)); });
}

std::optional<Duration> StepOperation::decide(const std::exception_ptr& error, const ErrorObject& description) const {
  try {
    std::rethrow_exception(error);
  } catch (const ValidationError&) {
    return std::nullopt;
  } catch (const SerializationError&) {
    return std::nullopt;
  } catch (...) {
  }
  const RetryStrategy& own = spec_.options.retry;
  const RetryStrategy& common = invocation_.config().retry;
  const Failure failure(error, description, attempt_);
  if (own) return own(failure);
  return common ? common(failure) : retry::standard()(failure);
}

void StepOperation::failed(const std::exception_ptr& error) {
  ErrorObject description = describe(error);
  std::optional<Duration> delay;
  try {
    delay = decide(error, description);
  } catch (...) {
    description = describe(std::current_exception());
  }
  if (!delay) return fail(std::move(description));
  OperationUpdate change = update(OperationAction::Retry);
  change.error = std::move(description);
  retry_later(std::move(change), *delay);
}

void StepOperation::retry_later(OperationUpdate change, Duration delay) {
  change.retry_delay_seconds = std::clamp<std::int64_t>(delay.seconds(), 1, kWaitSecondsMax);
  ++attempt_;
  send(std::move(change), Urgency::Now, [this] { after_body([this] { wait_for_retry(); }); });
}

void StepOperation::wait_for_retry() {
  invocation_.watch(*this);
  if (const OperationRecord* record = invocation_.find(id())) recorded(*record);
}

void StepOperation::fail(ErrorObject error) {
  OperationUpdate change = update(OperationAction::Fail);
  change.error = error;
  close(std::move(change), [this, error = std::move(error)]() mutable { settle(spec_.fail_with(std::move(error))); });
}

// Eagerly, the code goes on when the end is durable; else at once.
void StepOperation::close(OperationUpdate change, std::function<void()> then) {
  if (invocation_.config().mode == CheckpointMode::Eager) {
    return send(std::move(change), Urgency::Now,
                [this, then = std::move(then)]() mutable { after_body(std::move(then)); });
  }
  send(std::move(change), Urgency::Soon);
  after_body(std::move(then));
}

// The delay of a retry has passed while this invocation was still busy with something else.
void StepOperation::recorded(const OperationRecord& record) {
  if (record.status == OperationStatus::Ready && !settled() && !body_runs_) begin_attempt(true);
}

}  // namespace pawl::durable::detail
