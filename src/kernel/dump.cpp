// The whole state of an execution as JSON. Two executions are equal when their dumps are.
#include "kernel/execution.h"

namespace pawl::kernel {

namespace {

using json::ArrayBuilder;
using json::ObjectBuilder;

Value number(uint64_t value) { return Value::integer(static_cast<int64_t>(value)); }

Value time_value(Timestamp time) { return Value::integer(time.time_since_epoch().count()); }

Value dump_scope(const Scope& scope);

Value dump_scopes(const std::vector<std::unique_ptr<Scope>>& scopes) {
  ArrayBuilder out;
  for (const auto& scope : scopes) out.push(scope == nullptr ? Value() : dump_scope(*scope));
  return out.build();
}

Value dump_join(const Join& join) {
  ObjectBuilder out;
  out.set("state", number(join.state.number));
  out.set("total", number(join.total));
  out.set("at_once", number(join.at_once));
  out.set("opened", number(join.opened));
  out.set("running", number(join.running));
  out.set("succeeded", number(join.succeeded));
  out.set("failed", number(join.failed));
  out.set("tolerated", number(join.tolerated));
  if (join.needed != 0) out.set("needed", number(join.needed));
  out.set("start_event", number(join.start_event.number));
  out.set("items", join.items);
  ArrayBuilder results;
  for (const Value& result : join.results) results.push(result);
  out.set("results", results.build());
  ArrayBuilder children;
  for (const ScopeId child : join.children) children.push(number(child.number));
  out.set("children", children.build());
  out.set("stopped", dump_scopes(join.stopped));
  out.set("waiting", dump_scopes(join.waiting));
  return out.build();
}

Value dump_ended(const Ended& ended) {
  ObjectBuilder out;
  out.set("what", number(static_cast<uint64_t>(ended.what)));
  out.set("outcome", number(static_cast<uint64_t>(ended.outcome)));
  out.set("operation_kind", number(static_cast<uint64_t>(ended.operation_kind)));
  out.set("value", ended.value);
  if (!ended.input.is_null()) out.set("input", ended.input);
  if (!ended.input.is_null() && ended.due != kNever) out.set("due", time_value(ended.due));
  return out.build();
}

Value dump_scope(const Scope& scope) {
  ObjectBuilder out;
  out.set("id", number(scope.id.number));
  out.set("parent", number(scope.parent.number));
  out.set("index", number(scope.index));
  out.set("step", number(static_cast<uint64_t>(scope.step)));
  out.set("ticket", number(scope.ticket));
  out.set("next", number(scope.next.number));
  out.set("state", number(scope.state.number));
  out.set("input", scope.input);
  out.set("variables", scope.variables);
  out.set("entered", time_value(scope.entered));
  out.set("entered_event", number(scope.entered_event.number));
  out.set("last_event", number(scope.last_event.number));
  out.set("attempt", number(scope.attempt));
  ArrayBuilder retries;
  for (const uint32_t count : scope.retries) retries.push(number(count));
  out.set("retries", retries.build());
  out.set("operation", number(scope.operation.number));
  out.set("ended", dump_ended(scope.ended));
  if (scope.join != nullptr) out.set("join", dump_join(*scope.join));
  return out.build();
}

Value dump_operation(const Operation& operation) {
  ObjectBuilder out;
  out.set("id", number(operation.id.number));
  out.set("scope", number(operation.scope.number));
  out.set("state", number(operation.state.number));
  out.set("kind", number(static_cast<uint64_t>(operation.kind)));
  out.set("phase", number(static_cast<uint64_t>(operation.phase)));
  out.set("attempt", number(operation.attempt));
  out.set("timeout_s", number(operation.timeout_s));
  out.set("heartbeat_s", number(operation.heartbeat_s));
  out.set("started", time_value(operation.started));
  out.set("due", time_value(operation.due));
  if (operation.begins_silently && operation.is_called()) out.set("begins_silently", Value::boolean(true));
  out.set("input", operation.input);
  return out.build();
}

Value dump_redrives(const std::vector<Redrive>& redrives) {
  ArrayBuilder out;
  for (const Redrive& redrive : redrives) {
    ObjectBuilder entry;
    entry.set("time", time_value(redrive.time));
    entry.set("event", number(redrive.event.number));
    entry.set("token", redrive.token);
    out.push(entry.build());
  }
  return out.build();
}

// What only executions that have to do with events hold: the dumps of earlier versions stay as they are.
void dump_events(const Execution& execution, ObjectBuilder& out) {
  if (execution.is_terminated()) out.set("terminated", Value::boolean(true));
  if (!execution.start_events().is_null()) out.set("start_events", execution.start_events());
  if (execution.correlation().size() != 0) out.set("correlation", execution.correlation());
  if (execution.taken().size() != 0) out.set("taken", execution.taken());
}

}  // namespace

Value Execution::dump() const {
  ObjectBuilder out;
  out.set("status", Value::string(name_of(status_)));
  out.set("input", input_);
  out.set("input_text", input_text_);
  out.set("context", context_);
  out.set("labels", labels_);
  out.set("outcome", outcome_);
  dump_events(*this, out);
  if (ledger_ != nullptr) out.set("ledger", ledger_->dump());
  out.set("started", time_value(started_));
  out.set("deadline", time_value(deadline_));
  out.set("last_time", time_value(last_time_));
  out.set("last_fact", number(last_fact_.number));
  out.set("last_event", number(last_event_.number));
  out.set("last_operation", number(last_operation_.number));
  out.set("last_ticket", number(last_ticket_));
  out.set("redrives", number(redrives_));
  out.set("latest_redrives", dump_redrives(latest_redrives_));
  out.set("scopes", dump_scopes(scopes_));
  ArrayBuilder operations;
  for (const auto& [id, operation] : operations_) operations.push(dump_operation(operation));
  out.set("operations", operations.build());
  ArrayBuilder waiters;
  for (const Value& waiter : waiters_) waiters.push(waiter);
  out.set("waiters", waiters.build());
  return out.build();
}

std::string_view name_of(Status status) {
  switch (status) {
    case Status::kNotStarted:
      return "NOT_STARTED";
    case Status::kRunning:
      return "RUNNING";
    case Status::kSucceeded:
      return "SUCCEEDED";
    case Status::kFailed:
      return "FAILED";
    case Status::kTimedOut:
      return "TIMED_OUT";
    case Status::kAborted:
      return "ABORTED";
  }
  return "UNKNOWN";
}

}  // namespace pawl::kernel
