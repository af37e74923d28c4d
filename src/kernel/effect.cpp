#include "kernel/effect.h"

namespace pawl::kernel {

namespace {

void cancel(const Operation& operation, std::vector<Effect>& effects) {
  if (!operation.is_shown()) return;
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

}  // namespace

void derive_effects(const Execution& before, const Fact& fact, std::vector<Effect>& effects) {
  switch (fact.kind) {
    case FactKind::kOperationScheduled:
      if (fact.operation_kind == OperationKind::kActivity) effects.push_back({EffectKind::kOffer, fact.operation});
      return;
    case FactKind::kOperationStarted: {
      const Operation* operation = before.find_operation(fact.operation);
      if (operation != nullptr && operation->kind != OperationKind::kActivity)
        effects.push_back({EffectKind::kDispatch, fact.operation});
      return;
    }
    case FactKind::kOperationEnded:
      if (fact.outcome == Outcome::kTimedOut || fact.outcome == Outcome::kHeartbeatTimedOut)
        cancel_if_open(before, fact.operation, effects);
      return;
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
