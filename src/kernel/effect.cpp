#include "kernel/effect.h"

namespace pawl::kernel {

namespace {

bool needs_cancel(const Operation& operation) { return operation.is_shown(); }

void cancel_if_open(const Execution& before, OperationId id, std::vector<Effect>& effects) {
  const Operation* operation = before.find_operation(id);
  if (operation != nullptr && needs_cancel(*operation)) effects.push_back({EffectKind::kCancel, id});
}

void cancel_below(const Execution& before, ScopeId scope, std::vector<Effect>& effects) {
  for (const OperationId id : before.operations_below(scope)) cancel_if_open(before, id, effects);
}

void end_everything(const Execution& before, std::vector<Effect>& effects) {
  for (const auto& [id, operation] : before.open_operations())
    if (needs_cancel(operation)) effects.push_back({EffectKind::kCancel, id});
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
      return;
  }
}

}  // namespace pawl::kernel
