#include "sdk/operations/external_operation.h"

namespace pawl::durable::detail {

// --- callbacks ---

void CallbackOperation::start(const OperationRecord* record) {
  if (record != nullptr) {
    take_id();
    if (!is_terminal(record->status)) return invocation_.watch(*this);
    return recorded(*record);
  }
  invocation_.watch(*this);
  OperationUpdate change = update(OperationAction::Start);
  if (options_.timeout.seconds() > 0) change.timeout_seconds = options_.timeout.seconds();
  if (options_.heartbeat_timeout.seconds() > 0) change.heartbeat_seconds = options_.heartbeat_timeout.seconds();
  send(std::move(change), Urgency::Now, [this] { take_id(); });
}

void CallbackOperation::take_id() {
  const OperationRecord* record = invocation_.find(id());
  if (record == nullptr || record->callback_id.empty()) {
    return invocation_.terminate(Answer::Status::Failed, "InvalidAnswer",
                                 "The service gave no id for the callback \"" + name() + "\".");
  }
  created_->created(record->callback_id);
}

void CallbackOperation::recorded(const OperationRecord& record) {
  if (settled()) return;
  switch (record.status) {
    case OperationStatus::Started:
    case OperationStatus::Pending:
    case OperationStatus::Ready:
      return;
    case OperationStatus::Succeeded:
      return settle(record.result);
    case OperationStatus::TimedOut:
      return settle(std::make_exception_ptr(CallbackTimeoutError(record.error.value_or(ErrorObject()))));
    case OperationStatus::Failed:
    case OperationStatus::Cancelled:
    case OperationStatus::Stopped:
      return settle(std::make_exception_ptr(CallbackError(record.error.value_or(ErrorObject()))));
  }
}

// --- invoked functions ---

void InvokeOperation::start(const OperationRecord* record) {
  if (record != nullptr && is_terminal(record->status)) return recorded(*record);
  invocation_.watch(*this);
  if (record != nullptr) return;
  OperationUpdate change = update(OperationAction::Start);
  change.payload = std::move(payload_);
  change.function_name = std::move(function_);
  change.tenant_id = std::move(tenant_id_);
  send(std::move(change), Urgency::Now);
}

void InvokeOperation::recorded(const OperationRecord& record) {
  if (settled()) return;
  ErrorObject error = record.error.value_or(ErrorObject());
  switch (record.status) {
    case OperationStatus::Started:
    case OperationStatus::Pending:
    case OperationStatus::Ready:
      return;
    case OperationStatus::Succeeded:
      return settle(record.result);
    case OperationStatus::TimedOut:
      return settle(std::make_exception_ptr(InvokeTimeoutError(std::move(error))));
    case OperationStatus::Stopped:
      return settle(std::make_exception_ptr(InvokeStoppedError(std::move(error))));
    case OperationStatus::Failed:
    case OperationStatus::Cancelled:
      return settle(std::make_exception_ptr(InvokeError(std::move(error))));
  }
}

}  // namespace pawl::durable::detail
