#include "lang/durable/checkpoint.h"

#include "lang/durable/invocation.h"

namespace pawl::functions {

using kernel::Entry;
using kernel::EntryStatus;
using kernel::Fact;
using kernel::FactKind;
using kernel::Turn;

namespace {

const Entry* find_entry(const Turn& turn, const std::string& id) {
  const kernel::Ledger* ledger = turn.execution().ledger();
  return ledger == nullptr ? nullptr : ledger->find(id);
}

Fact fact_of(FactKind kind) {
  Fact fact;
  fact.kind = kind;
  fact.scope = ScopeId(1);
  fact.state = kCode;
  return fact;
}

// A new entry is described, one that is there is named.
Value subject_of(const Update& update, bool is_new) {
  if (!is_new) return Value::string(update.id);
  json::ObjectBuilder subject(5);
  subject.set("id", Value::string(update.id));
  subject.set("type", Value::integer(static_cast<int64_t>(update.type)));
  if (!update.parent.is_null()) subject.set("parent", update.parent);
  if (!update.name.is_null()) subject.set("name", update.name);
  if (!update.sub_type.is_null()) subject.set("subType", update.sub_type);
  return subject.build();
}

// An attempt counts when it has finished.
uint32_t attempts_after(const Update& update, const Entry* entry) {
  const uint32_t before = entry == nullptr ? 0 : entry->attempts;
  const bool finishes = update.type == EntryType::kStep && update.action != Action::kStart;
  return before + (finishes ? 1 : 0);
}

Timestamp due_after(const Update& update, const Entry* entry, Timestamp now) {
  if (update.type == EntryType::kWait)
    return entry == nullptr ? now + std::chrono::seconds(update.seconds) : entry->due;
  return update.action == Action::kRetry ? now + std::chrono::seconds(update.seconds) : kNever;
}

// A step that is started again keeps what its last attempt left.
Value details_of(const Update& update, const Entry* entry, const Value& token) {
  const bool goes_on = update.action == Action::kStart && entry != nullptr;
  const bool is_result = update.type != EntryType::kInvoke;  // a call's payload is what it is given
  const Value result = goes_on ? entry->result : (is_result ? update.payload : Value());
  const Value error = goes_on ? entry->error : update.error;
  json::ObjectBuilder details(7);
  if (!result.is_null()) details.set("result", result);
  if (!error.is_null()) details.set("error", error);
  if (update.replays_children.is_boolean()) details.set("keepsChildren", update.replays_children);
  if (!token.is_null()) details.set("token", token);
  if (update.type == EntryType::kCallback && update.seconds != 0)
    details.set("timeout", Value::integer(update.seconds));
  if (update.heartbeat_seconds != 0) details.set("heartbeat", Value::integer(update.heartbeat_seconds));
  if (update.type == EntryType::kInvoke) details.set("function", update.function);
  if (update.type == EntryType::kInvoke && !update.payload.is_null()) details.set("input", update.payload);
  if (!update.tenant.is_null()) details.set("tenant", update.tenant);
  return details.build();
}

Fact wait_fact(const Update& update, OperationKind kind, Turn& turn) {
  Fact fact = fact_of(FactKind::kOperationScheduled);
  fact.operation = turn.execution().next_operation_id();
  fact.operation_kind = kind;
  json::ObjectBuilder extra(1);
  extra.set("entry", Value::string(update.id));
  fact.extra = extra.build();
  return fact;
}

void wait_for_time(const Update& update, OperationKind kind, Turn& turn) {
  Fact fact = wait_fact(update, kind, turn);
  fact.due = turn.now() + std::chrono::seconds(update.seconds);
  turn.append(std::move(fact));
}

void begin(OperationId operation, OperationKind kind, Timestamp due, Turn& turn) {
  Fact fact = fact_of(FactKind::kOperationStarted);
  fact.operation = operation;
  fact.operation_kind = kind;
  fact.due = due;
  turn.append(std::move(fact));
}

void wait_for_callback(const Update& update, Turn& turn) {
  Fact fact = wait_fact(update, OperationKind::kPromise, turn);
  fact.number = update.seconds;
  fact.limit = update.heartbeat_seconds;
  const OperationId operation = fact.operation;
  turn.append(std::move(fact));
  Timestamp due = kNever;
  if (update.seconds != 0) due = turn.now() + std::chrono::seconds(update.seconds);
  if (update.heartbeat_seconds != 0)
    due = std::min(due, turn.now() + Timestamp::duration(std::chrono::seconds(update.heartbeat_seconds)));
  begin(operation, OperationKind::kPromise, due, turn);
}

void call_other(const Update& update, Turn& turn) {
  Fact fact = wait_fact(update, OperationKind::kTask, turn);
  json::ObjectBuilder input(3);
  input.set("function", update.function);
  if (!update.payload.is_null()) input.set("payload", update.payload);
  if (!update.tenant.is_null()) input.set("tenant", update.tenant);
  fact.value = input.build();
  const OperationId operation = fact.operation;
  turn.append(std::move(fact));
  begin(operation, OperationKind::kTask, kNever, turn);
}

void wait_if_it_must(const Update& update, Turn& turn) {
  if (update.action == Action::kRetry) return wait_for_time(update, OperationKind::kTimer, turn);
  if (update.action != Action::kStart) return;
  switch (update.type) {
    case EntryType::kWait:
      return wait_for_time(update, OperationKind::kPromise, turn);
    case EntryType::kCallback:
      return wait_for_callback(update, turn);
    case EntryType::kInvoke:
      return call_other(update, turn);
    case EntryType::kStep:
    case EntryType::kContext:
    case EntryType::kVerdict:
      return;
  }
}

}  // namespace

void record(const Update& update, Turn& turn) {
  const Entry* entry = find_entry(turn, update.id);
  Fact fact = fact_of(FactKind::kEntryChanged);
  fact.value = subject_of(update, entry == nullptr);
  fact.number = static_cast<uint32_t>(status_after(update.action));
  fact.limit = attempts_after(update, entry);
  fact.due = due_after(update, entry, turn.now());
  Value token;
  if (update.type == EntryType::kCallback)
    token = Value::string(
        turn.services().task_token(turn.execution().next_operation_id(), turn.execution().scope(ScopeId(1)).attempt));
  fact.extra = details_of(update, entry, token);
  if (update.type == EntryType::kVerdict)
    turn.append(std::move(fact));
  else
    turn.append_event(std::move(fact));
  wait_if_it_must(update, turn);
}

void append_checkpoint(uint32_t next_sequence, Value client, Value digest, Turn& turn) {
  Fact fact = fact_of(FactKind::kCheckpointTaken);
  fact.number = next_sequence;
  json::ObjectBuilder value(2);
  if (!client.is_null()) value.set("client", std::move(client));
  if (!digest.is_null()) value.set("digest", std::move(digest));
  fact.value = value.build();
  turn.append(std::move(fact));
}

}  // namespace pawl::functions
