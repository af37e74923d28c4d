#include "kernel/fact.h"

namespace pawl::kernel {

std::string_view name_of(FactKind kind) {
  switch (kind) {
    case FactKind::kExecutionStarted:
      return "ExecutionStarted";
    case FactKind::kExecutionSucceeded:
      return "ExecutionSucceeded";
    case FactKind::kExecutionFailed:
      return "ExecutionFailed";
    case FactKind::kExecutionTimedOut:
      return "ExecutionTimedOut";
    case FactKind::kExecutionAborted:
      return "ExecutionAborted";
    case FactKind::kStateEntered:
      return "StateEntered";
    case FactKind::kStateExited:
      return "StateExited";
    case FactKind::kStateAborted:
      return "StateAborted";
    case FactKind::kOperationScheduled:
      return "OperationScheduled";
    case FactKind::kOperationStarted:
      return "OperationStarted";
    case FactKind::kOperationSubmitted:
      return "OperationSubmitted";
    case FactKind::kOperationEnded:
      return "OperationEnded";
    case FactKind::kRetryScheduled:
      return "RetryScheduled";
    case FactKind::kJoinStarted:
      return "JoinStarted";
    case FactKind::kJoinEnded:
      return "JoinEnded";
    case FactKind::kScopeOpened:
      return "ScopeOpened";
    case FactKind::kScopeClosed:
      return "ScopeClosed";
    case FactKind::kExecutionRedriven:
      return "ExecutionRedriven";
    case FactKind::kWaiterAdded:
      return "WaiterAdded";
    case FactKind::kEventPublished:
      return "EventPublished";
    case FactKind::kEntryChanged:
      return "EntryChanged";
    case FactKind::kCheckpointTaken:
      return "CheckpointTaken";
  }
  return "unknown";
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kSucceeded:
      return "succeeded";
    case Outcome::kFailed:
      return "failed";
    case Outcome::kTimedOut:
      return "timed out";
    case Outcome::kHeartbeatTimedOut:
      return "heartbeat timed out";
    case Outcome::kAborted:
      return "aborted";
  }
  return "unknown";
}

std::string_view name_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::kTask:
      return "task";
    case OperationKind::kCallback:
      return "callback";
    case OperationKind::kActivity:
      return "activity";
    case OperationKind::kTimer:
      return "timer";
    case OperationKind::kRetryDelay:
      return "retry delay";
    case OperationKind::kChild:
      return "child";
    case OperationKind::kEvent:
      return "event";
    case OperationKind::kPromise:
      return "promise";
  }
  return "unknown";
}

bool is_terminal(FactKind kind) { return kind >= FactKind::kExecutionSucceeded && kind <= FactKind::kExecutionAborted; }

}  // namespace pawl::kernel
