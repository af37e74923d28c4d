#include "kernel/effect.h"

namespace pawl::kernel {

namespace {

void cancel(const Operation& operation, std::vector<Effect>& effects) {
  if (!operation.is_shown()) return;
  if (operation.kind == OperationKind::kPromise) return;
  if (operation.kind == OperationKind::kEvent) return effects.push_back({EffectKind::kUnsubscribe, operation.id});
  const bool has_child = operation.kind == OperationKind::kChild && operation.phase != Operation::Phase::kScheduled;
  if (has_child)
    effects.push_back({EffectKind::kCancelChild, operation.id, operation.attempt});
  else
    effects.push_back({EffectKind::kCancel, operation.id});
}

void cancel_if_open(const Execution& before, OperationId id, std::vector<Effect>& effects) {
  const Operation* operation = before.find_operation(id);
  if (operation != nullptr) cancel(*operation, effects);
}

void cancel_below(const Execution& before, ScopeId scope, std::vector<Effect>& effects) {
  for (const OperationId id : before.operations_below(scope)) cancel_if_open(before, id, effects);
}

void end_everything(const Execution& before, std::vector<Effect>& effects) {
  for (const auto& [id, operation] : before.open_operations()) cancel(operation, effects);
  effects.push_back({EffectKind::kClosed, {}});
}

void begin(const Fact& fact, std::vector<Effect>& effects) {
  if (fact.operation_kind == OperationKind::kActivity) effects.push_back({EffectKind::kOffer, fact.operation});
  if (fact.operation_kind == OperationKind::kEvent) effects.push_back({EffectKind::kSubscribe, fact.operation});
}

void call(const Execution& before, const Fact& fact, std::vector<Effect>& effects) {
  const Operation* operation = before.find_operation(fact.operation);
  const bool is_called = operation != nullptr && operation->is_called() && operation->kind != OperationKind::kActivity;
  if (is_called) effects.push_back({EffectKind::kDispatch, fact.operation});
}

void end(const Execution& before, const Fact& fact, std::vector<Effect>& effects) {
  const bool gave_up = fact.outcome == Outcome::kTimedOut || fact.outcome == Outcome::kHeartbeatTimedOut;
  if (gave_up || fact.operation_kind == OperationKind::kEvent) cancel_if_open(before, fact.operation, effects);
}

}  // namespace

void derive_effects(const Execution& before, const Fact& fact, std::vector<Effect>& effects) {
  switch (fact.kind) {
    case FactKind::kOperationScheduled:
      return begin(fact, effects);
    case FactKind::kOperationStarted:
      return call(before, fact, effects);
    case FactKind::kOperationEnded:
      return end(before, fact, effects);
    case FactKind::kEntryChanged:
    case FactKind::kCheckpointTaken:
      return;
    case FactKind::kEventPublished:
      return effects.push_back({EffectKind::kPublish, {}, 0, fact.value});
    case FactKind::kScopeClosed:
      cancel_if_open(before, before.scope(fact.scope).operation, effects);
      return cancel_below(before, fact.scope, effects);
    case FactKind::kJoinEnded:
      return cancel_below(before, fact.scope, effects);
    case FactKind::kExecutionSucceeded:
    case FactKind::kExecutionFailed:
    case FactKind::kExecutionTimedOut:
    case FactKind::kExecutionAborted:
      return end_everything(before, effects);
    case FactKind::kExecutionStarted:
    case FactKind::kStateEntered:
    case FactKind::kStateExited:
    case FactKind::kStateAborted:
    case FactKind::kOperationSubmitted:
    case FactKind::kRetryScheduled:
    case FactKind::kJoinStarted:
    case FactKind::kScopeOpened:
    case FactKind::kExecutionRedriven:
    case FactKind::kWaiterAdded:
      return;
  }
}

}  // namespace pawl::kernel
