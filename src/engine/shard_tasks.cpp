// What a shard does for its executions in the world, once their facts are durable, and again after a restart.
#include "engine/shard.h"

namespace pawl::engine {

namespace {

constexpr size_t kRecoveredAtOnce = 100;

}  // namespace

using kernel::EffectKind;
using kernel::Operation;
using kernel::OperationKind;

void Shard::perform(const PendingEffect& pending) {
  switch (pending.effect.kind) {
    case EffectKind::kDispatch:
    case EffectKind::kOffer:
      return perform_on(pending.execution, pending.effect.operation);
    case EffectKind::kCancel:
    case EffectKind::kCancelChild:
      return cancel(pending.execution, pending.effect.operation);
    case EffectKind::kClosed:
      return tell_closed(pending.execution);
    case EffectKind::kSubscribe:
    case EffectKind::kUnsubscribe:
    case EffectKind::kPublish:
      return;  // written with the facts
  }
}

// What a commit touched is still in memory while its effects are performed. One that was redriven in the same commit
// runs again.
void Shard::tell_closed(ExecutionId id) {
  const auto found = loaded_.find(id);
  if (!shared_.options.on_closed || found == loaded_.end()) return;
  const kernel::Execution& execution = found->second->execution();
  if (execution.is_open()) return;
  shared_.options.on_closed({found->second->row(), execution.status(), execution.outcome()});
}

void Shard::perform_on(ExecutionId id, OperationId operation_id) {
  auto loaded = load(id);
  if (!loaded) return;
  const Operation* operation = (*loaded)->execution().find_operation(operation_id);
  if (operation == nullptr) return;
  if (operation->kind == OperationKind::kActivity)
    offer(**loaded, *operation);
  else
    dispatch(**loaded, *operation);
}

void Shard::offer(LoadedExecution& loaded, const Operation& operation) {
  kernel::Call call = loaded.program().call_of(loaded.execution(), operation);
  shared_.borders.activities.offer({loaded.row().id, operation.id, operation.attempt, std::move(call.resource)});
}

void Shard::dispatch(LoadedExecution& loaded, const kernel::Operation& operation, bool is_repeated) {
  const ExecutionId id = loaded.row().id;
  TaskRequest request;
  request.task = TaskId(++shared_.last_task);
  request.attempt = operation.attempt;
  request.execution = id;
  request.operation = operation.id;
  request.kind = operation.kind;
  request.labels = loaded.execution().labels();
  kernel::Call call = loaded.program().call_of(loaded.execution(), operation);
  request.state = std::move(call.name);
  request.resource = std::move(call.resource);
  request.input = std::move(call.input);
  request.endpoint = std::move(call.endpoint);
  request.idempotency_key = std::to_string(id.number) + "-" + std::to_string(operation.id.number);
  if (operation.timeout_s != 0) request.timeout = std::chrono::seconds(operation.timeout_s);
  request.is_repeated = is_repeated;
  request.waits_for_token = operation.kind == kernel::OperationKind::kCallback;
  Dispatched& out = dispatched_[{id, operation.id}] = {request.task, true};
  const auto take = [inbox = inbox_, id, operation_id = operation.id](TaskAnswer given) {
    inbox->post([id, operation_id, given = std::move(given)](
                    Shard& shard) mutable { shard.take_answer(id, operation_id, std::move(given)); },
                true);
  };
  out.answers = shared_.borders.tasks.start(request, take) == TaskHandler::Expect::kAnswer;
}

// Once when the request is accepted, then by whoever accepted it. Callbacks and children end elsewhere.
bool Shard::is_answered_twice(ExecutionId id, OperationId operation) {
  const auto loaded = load(id);
  const Operation* open = loaded ? (*loaded)->execution().find_operation(operation) : nullptr;
  return open != nullptr && open->kind == OperationKind::kTask;
}

void Shard::take_answer(ExecutionId id, OperationId operation, TaskAnswer given) {
  const auto out = dispatched_.find({id, operation});
  const bool is_final = given.kind != TaskAnswer::Kind::kSubmitted;
  if (out != dispatched_.end() && !is_final) out->second.answers = false;
  if (out != dispatched_.end() && (is_final || !is_answered_twice(id, operation))) dispatched_.erase(out);
  signal(id, to_signal(operation, std::move(given)), [](Result<void>) {});
}

// Calls what is recorded as called and is not out: after a restart all of it, after a rollback what had been answered.
void Shard::dispatch_lost(LoadedExecution& loaded) {
  const ExecutionId execution = loaded.row().id;
  const bool has_effects_to_come = in_flight_.touched.contains(execution) || gathering_.touched.contains(execution);
  if (has_effects_to_come) return;
  for (const auto& [id, operation] : loaded.execution().open_operations()) {
    const bool was_called = operation.phase == Operation::Phase::kStarted && operation.is_called();
    if (operation.kind == OperationKind::kActivity) {
      if (operation.phase == Operation::Phase::kScheduled) offer(loaded, operation);
    } else if (was_called && !dispatched_.contains({execution, id})) {
      dispatch(loaded, operation, true);
    }
  }
}

void Shard::cancel(ExecutionId id, OperationId operation) {
  heartbeats_.erase({id, operation});
  shared_.borders.activities.withdraw(id, operation);
  const auto found = dispatched_.find({id, operation});
  if (found == dispatched_.end()) return;
  shared_.borders.tasks.cancel(found->second.task);
  dispatched_.erase(found);
}

// What was under way when the process ended: turns go on, tasks are called again with the same key.
// One page at a time: others are served in between.
void Shard::recover_after(ExecutionId after) {
  const auto page = shared_.borders.store.needing_attention(after, kRecoveredAtOnce);
  for (const store::LiveRow& row : page) {
    if (!owns(row.execution)) continue;
    auto loaded = load(row.execution);
    if (!loaded) continue;
    dispatch_lost(**loaded);
    if ((*loaded)->execution().first_ready()) resume(row.execution);
    release_if_idle(row.execution);
  }
  if (page.size() < kRecoveredAtOnce) return;
  post([last = page.back().execution](Shard& shard) { shard.recover_after(last); }, true);
}

}  // namespace pawl::engine
