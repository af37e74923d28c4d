#include "local_history.h"

#include <algorithm>

#include "json/build.h"
#include "json/parse.h"

namespace pawl::conformance {

namespace {

using durable::OperationAction;
using durable::OperationRecord;
using durable::OperationStatus;
using durable::OperationType;
using durable::OperationUpdate;
using json::ObjectBuilder;

std::string noun_of(OperationType type) {
  switch (type) {
    case OperationType::Execution:
      return "Execution";
    case OperationType::Context:
      return "Context";
    case OperationType::Step:
      return "Step";
    case OperationType::Wait:
      return "Wait";
    case OperationType::Callback:
      return "Callback";
    case OperationType::ChainedInvoke:
      return "ChainedInvoke";
  }
  return "";
}

std::string verb_of(OperationStatus status) {
  switch (status) {
    case OperationStatus::Started:
    case OperationStatus::Pending:
    case OperationStatus::Ready:
      return "Started";
    case OperationStatus::Succeeded:
      return "Succeeded";
    case OperationStatus::Failed:
      return "Failed";
    case OperationStatus::Cancelled:
      return "Cancelled";
    case OperationStatus::TimedOut:
      return "TimedOut";
    case OperationStatus::Stopped:
      return "Stopped";
  }
  return "";
}

Value data_of(const std::optional<Value>& payload) {
  ObjectBuilder out(2);
  if (payload) out.set("Payload", *payload);
  out.set("Truncated", Value::boolean(false));
  return out.build();
}

Value holder(std::string_view name, const std::optional<Value>& payload) {
  ObjectBuilder out(1);
  out.set(name, data_of(payload));
  return out.build();
}

Value result_details(const std::optional<std::string>& result) {
  return holder("Result", result ? std::optional(Value::string(*result)) : std::nullopt);
}
Value error_details(const std::optional<durable::ErrorObject>& error) {
  return holder("Error", json::parse(durable::to_text(error.value_or(durable::ErrorObject()))).value_or(Value()));
}

Value retry_details(int attempt, std::optional<int64_t> delay) {
  ObjectBuilder out(2);
  out.set("CurrentAttempt", Value::integer(attempt));
  if (delay) out.set("NextAttemptDelaySeconds", Value::integer(*delay));
  return out.build();
}

Value started_details(const OperationUpdate& update, const OperationRecord& record) {
  ObjectBuilder out(5);
  if (update.wait_seconds) out.set("Duration", Value::integer(*update.wait_seconds));
  if (update.type == OperationType::Callback) {
    out.set("CallbackId", Value::string(record.callback_id));
    if (update.timeout_seconds) out.set("Timeout", Value::integer(*update.timeout_seconds));
    if (update.heartbeat_seconds) out.set("HeartbeatTimeout", Value::integer(*update.heartbeat_seconds));
  }
  if (update.type == OperationType::ChainedInvoke) {
    out.set("FunctionName", Value::string(update.function_name));
    if (!update.tenant_id.empty()) out.set("TenantId", Value::string(update.tenant_id));
    out.set("Input", data_of(Value::string(update.payload.value_or(""))));
    out.set("ExecutedVersion", Value::string("$LATEST"));
    out.set("DurableExecutionArn", Value::string("local"));
  }
  return out.build();
}

// Of an operation that the service closed.
Value closed_details(const OperationRecord& record) {
  if (record.type == OperationType::Wait) {
    const auto duration = std::chrono::duration_cast<std::chrono::seconds>(*record.scheduled_end - record.started);
    ObjectBuilder out(1);
    out.set("Duration", Value::integer(duration.count()));
    return out.build();
  }
  return record.status == OperationStatus::Succeeded ? result_details(record.result) : error_details(record.error);
}

}  // namespace

LocalHistory::LocalHistory(durable::testing::LocalExecution& execution) : execution_(execution) {
  add("ExecutionStarted", nullptr, Value::empty_object());
}

void LocalHistory::add(const std::string& type, const OperationRecord* record, Value details) {
  ObjectBuilder event(8);
  event.set("EventType", Value::string(type));
  event.set("EventId", Value::integer(static_cast<int64_t>(events_.size()) + 1));
  event.set("EventTimestamp", Value::integer(0));
  if (record != nullptr) {
    event.set("Id", Value::string(record->id));
    if (!record->sub_type.empty()) event.set("SubType", Value::string(record->sub_type));
    if (!record->name.empty()) event.set("Name", Value::string(record->name));
    if (!record->parent_id.empty()) event.set("ParentId", Value::string(record->parent_id));
  }
  event.set(type + "Details", std::move(details));
  events_.push_back(event.build());
}

durable::CheckpointAnswer LocalHistory::checkpoint(const durable::CheckpointRequest& request, Deadline deadline) {
  auto answer = execution_.checkpoint(request, deadline);
  note_changes_but(request.updates);
  for (const OperationUpdate& update : request.updates) note_update(update);
  return answer;
}

void LocalHistory::note_changes_but(const std::vector<OperationUpdate>& updates) {
  for (const OperationRecord& record : execution_.operations()) {
    const bool is_update =
        std::ranges::any_of(updates, [&](const OperationUpdate& update) { return update.id == record.id; });
    const auto seen = seen_.find(record.id);
    const bool is_new = seen == seen_.end() || seen->second != record.status;
    seen_[record.id] = record.status;
    if (is_update || !is_new || !durable::is_terminal(record.status)) continue;
    add(noun_of(record.type) + verb_of(record.status), &record, closed_details(record));
  }
}

void LocalHistory::note_update(const OperationUpdate& update) {
  if (update.type == OperationType::Execution) return;
  const auto record = std::ranges::find(execution_.operations(), update.id, &OperationRecord::id);
  const std::string noun = noun_of(update.type);
  if (update.action == OperationAction::Start) return add(noun + "Started", &*record, started_details(update, *record));
  if (update.action == OperationAction::Cancel) return add(noun + "Cancelled", &*record, Value::empty_object());
  Value details = update.error ? error_details(update.error) : result_details(update.payload);
  if (update.type == OperationType::Step)
    details = details.with_member("RetryDetails", retry_details(record->attempts, update.retry_delay_seconds));
  add(noun + (update.error ? "Failed" : "Succeeded"), &*record, std::move(details));
}

void LocalHistory::invocation_ended() { add("InvocationCompleted", nullptr, Value::empty_object()); }

void LocalHistory::execution_ended(const durable::Answer& answer) {
  const bool has_succeeded = answer.status == durable::Answer::Status::Succeeded;
  add(has_succeeded ? "ExecutionSucceeded" : "ExecutionFailed", nullptr,
      has_succeeded ? result_details(answer.result) : error_details(answer.error));
}

}  // namespace pawl::conformance
