#include "sdk/testing/update_rules.h"

#include <optional>

namespace pawl::durable::testing {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw ApiError(400, "InvalidParameterValueException", message); }

bool allows(OperationType type, OperationAction action) {
  switch (type) {
    case OperationType::Step:
      return action != OperationAction::Cancel;
    case OperationType::Context:
      return action == OperationAction::Start || action == OperationAction::Succeed || action == OperationAction::Fail;
    case OperationType::Wait:
      return action == OperationAction::Start || action == OperationAction::Cancel;
    case OperationType::Callback:
    case OperationType::ChainedInvoke:
      return action == OperationAction::Start;
    case OperationType::Execution:
      return action == OperationAction::Succeed || action == OperationAction::Fail;
  }
  return false;
}

std::size_t payload_bytes_max(OperationType type) {
  switch (type) {
    case OperationType::ChainedInvoke:
      return kInvokePayloadBytesMax;
    case OperationType::Execution:
      return SIZE_MAX;
    case OperationType::Step:
    case OperationType::Context:
    case OperationType::Wait:
    case OperationType::Callback:
      return kPayloadBytesMax;
  }
  return kPayloadBytesMax;
}

}  // namespace

void UpdateRules::check(const OperationUpdate& update) {
  if (execution_closed_) refuse("EXECUTION update must be the last update.");
  check_shape(update);
  if (update.type == OperationType::Execution) {
    execution_closed_ = true;
    return;
  }
  check_identity(update);
  check_parent(update);
  check_transition(update);
  batch_.insert_or_assign(update.id, update);
}

void UpdateRules::check_shape(const OperationUpdate& update) const {
  const std::string type(to_string(update.type));
  if (update.id.empty() || update.id.size() > 64) refuse("Invalid operation id");
  if (!allows(update.type, update.action))
    refuse("Invalid " + type + " action: " + std::string(to_string(update.action)));
  const std::size_t most = payload_bytes_max(update.type);
  if (update.payload && update.payload->size() > most)
    refuse(type + " output payload size must be less than or equal to " + std::to_string(most) + " bytes.");
  if (update.action == OperationAction::Fail && update.payload) refuse("Cannot provide a Payload for FAIL action.");
  if (update.action == OperationAction::Succeed && update.error) refuse("Cannot provide an Error for SUCCEED action.");
  if (update.action == OperationAction::Retry) {
    if (!update.retry_delay_seconds || *update.retry_delay_seconds < 1)
      refuse("Invalid StepOptions for the given action.");
    if (update.payload.has_value() == update.error.has_value())
      refuse("Provide either an Error or a Payload for RETRY action.");
  }
  if (update.type == OperationType::Wait && update.action == OperationAction::Start) {
    if (!update.wait_seconds || *update.wait_seconds < 1 || *update.wait_seconds > kWaitSecondsMax)
      refuse("Invalid WaitOptions");
  }
  if (update.type == OperationType::ChainedInvoke && update.function_name.empty())
    refuse("Invalid ChainedInvokeOptions");
}

void UpdateRules::check_identity(const OperationUpdate& update) const {
  const OperationRecord* record = find_(update.id);
  if (record == nullptr) return;
  if (record->type != update.type) refuse("Inconsistent operation type.");
  if (record->sub_type != update.sub_type) refuse("Inconsistent operation subtype.");
  if (record->name != update.name) refuse("Inconsistent operation name.");
  if (record->parent_id != update.parent_id) refuse("Inconsistent parent operation id.");
}

void UpdateRules::check_parent(const OperationUpdate& update) const {
  if (update.parent_id.empty()) return;
  const OperationRecord* parent = find_(update.parent_id);
  const auto started = batch_.find(update.parent_id);
  const bool in_batch = started != batch_.end();
  if (parent == nullptr && !in_batch) refuse("Invalid parent operation id.");
  const OperationType type = parent != nullptr ? parent->type : started->second.type;
  if (type != OperationType::Context) refuse("Invalid parent operation id.");
  const bool ended = (parent != nullptr && is_terminal(parent->status)) ||
                     (in_batch && started->second.action != OperationAction::Start);
  if (ended) refuse("Parent operation has already completed.");
}

void UpdateRules::check_transition(const OperationUpdate& update) const {
  const bool starts = update.action == OperationAction::Start;
  if (const auto before = batch_.find(update.id); before != batch_.end()) {
    const bool closes = (update.type == OperationType::Step || update.type == OperationType::Context) &&
                        before->second.action == OperationAction::Start && !starts;
    if (!closes) refuse("Cannot update the same operation twice in a single request.");
    return;
  }
  const OperationRecord* record = find_(update.id);
  const bool may_close_unstarted = update.type == OperationType::Step || update.type == OperationType::Context;
  if (record == nullptr) {
    if (!starts && !may_close_unstarted) refuse("Cannot close an operation that does not exist.");
    return;
  }
  if (is_terminal(record->status)) refuse("Cannot update a completed operation.");
  if (starts && !(update.type == OperationType::Step && record->status == OperationStatus::Ready))
    refuse("Cannot start an operation that already exist.");
  if (!starts && record->status == OperationStatus::Pending)
    refuse("Cannot close a step that waits for its next attempt.");
}

}  // namespace pawl::durable::testing
