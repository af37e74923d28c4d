// StepOperation: a step, and the checks of wait_for_condition, which are a step's attempts as well.
//
//   absent, READY --START--> STARTED --SUCCEED--> SUCCEEDED
//                               |----FAIL------> FAILED
//                               `----RETRY-----> PENDING --time--> READY
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <stop_token>

#include "sdk/operations/recorded_operation.h"

namespace pawl::durable::detail {

// What an attempt gave: a result, or a state to go on with after a delay.
struct AttemptResult {
  Payload payload;
  std::optional<Duration> again;
};

struct StepSpec {
  // Called on another thread, with what the last attempt left behind.
  std::function<AttemptResult(StepContext&, const Payload& state)> attempt;
  StepOptions options;
  Payload state;  // before the first attempt
  // What the failure of the step is thrown as.
  std::function<std::exception_ptr(ErrorObject)> fail_with;
};

class StepOperation final : public RecordedOperation {
 public:
  StepOperation(OperationHead head, StepSpec spec) : RecordedOperation(std::move(head)), spec_(std::move(spec)) {}

  void recorded(const OperationRecord& record) override;

 private:
  // One run of the body; shared with the thread that it runs on.
  struct Attempt {
    AttemptResult result;
    std::exception_ptr error;
  };

  void start(const OperationRecord* record) override;
  void begin_attempt(bool tell);
  void run_attempt();
  void attempt_returned(const Attempt& attempt);
  void attempt_timed_out();
  void succeeded(AttemptResult result);
  void failed(const std::exception_ptr& error);
  void close(OperationUpdate update, std::function<void()> then);
  void fail(ErrorObject error);
  void retry_later(OperationUpdate update, Duration delay);
  void wait_for_retry();
  std::optional<Duration> decide(const std::exception_ptr& error, const ErrorObject& description) const;
  // Runs it now, or once the body that outran its timeout has returned.
  void after_body(std::function<void()> then);

  StepSpec spec_;
  int attempt_ = 1;
  bool body_runs_ = false;
  bool timed_out_ = false;
  std::function<void()> held_back_;
};

}  // namespace pawl::durable::detail
