#include "server/history_events.h"

#include "json/print.h"
#include "lang/durable/program.h"
#include "text/timestamp.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;
using kernel::Fact;
using kernel::FactKind;
using kernel::OperationKind;

std::string_view ending(kernel::Outcome outcome) {
  switch (outcome) {
    case kernel::Outcome::kSucceeded:
      return "Succeeded";
    case kernel::Outcome::kFailed:
      return "Failed";
    case kernel::Outcome::kTimedOut:
    case kernel::Outcome::kHeartbeatTimedOut:
      return "TimedOut";
    case kernel::Outcome::kAborted:
      return "Aborted";
  }
  return "";
}

std::string type_of(const Fact& fact, bool waits_for_event) {
  if (fact.kind == FactKind::kOperationScheduled) return waits_for_event ? "EventAwaited" : "TaskScheduled";
  if (fact.kind == FactKind::kOperationStarted) return "TaskStarted";
  if (fact.kind == FactKind::kOperationSubmitted) return "TaskSubmitted";
  if (fact.kind == FactKind::kJoinEnded) return "Join" + std::string(ending(fact.outcome));
  if (fact.kind != FactKind::kOperationEnded) return std::string(kernel::name_of(fact.kind));
  if (!waits_for_event) return "Task" + std::string(ending(fact.outcome));
  return fact.outcome == kernel::Outcome::kSucceeded ? "EventReceived" : "EventTimedOut";
}

// "TaskScheduled" has taskScheduledEventDetails.
std::string details_name(std::string type) {
  type.front() = static_cast<char>(type.front() - 'A' + 'a');
  return type + "EventDetails";
}

Value as_text(std::string_view name, const Value& value) {
  ObjectBuilder details(1);
  details.set(name, Value::string(json::print(value)));
  return details.build();
}

Value failure(const Value& error) {
  ObjectBuilder details(2);
  for (const auto& [member, name] : {std::pair("Error", "error"), std::pair("Cause", "cause")})
    if (const Value* found = error.find(member); found != nullptr && found->is_string()) details.set(name, *found);
  return details.build();
}

Value redriven(uint32_t count) {
  ObjectBuilder details(1);
  details.set("redriveCount", Value::integer(count));
  return details.build();
}

}  // namespace

HistoryEvents::HistoryEvents(std::shared_ptr<const Compiled> code) : code_(std::move(code)) {
  if (code_->asl != nullptr) asl_.emplace(*code_->asl);
  if (dynamic_cast<const functions::Program*>(code_->program.get()) != nullptr) durable_.emplace();
}

void HistoryEvents::begin_at(const kernel::Execution& execution) {
  if (asl_) return asl_->begin_at(execution);
  if (durable_) {
    durable_.emplace(&execution);
    return;
  }
  for (const auto& [id, operation] : execution.open_operations())
    if (operation.kind == OperationKind::kEvent) event_waits_.emplace(id, operation.state);
}

Value HistoryEvents::event_of(const Fact& fact) {
  if (durable_) return durable_->event_of(fact);
  return asl_ ? asl_->event_of(fact) : plain_event_of(fact);
}

Value HistoryEvents::operation_details(const Fact& fact) const {
  const bool has_failed = fact.kind == FactKind::kOperationEnded && fact.outcome != kernel::Outcome::kSucceeded;
  if (has_failed) return failure(fact.value);
  if (fact.kind != FactKind::kOperationScheduled)
    return fact.value.is_null() ? Value::empty_object() : as_text("output", fact.value);
  ObjectBuilder details(3);
  details.set("resourceType", Value::string(kernel::name_of(fact.operation_kind)));
  details.set("resource", Value::string(code_->program->resource_of(fact.state)));
  details.set("parameters", Value::string(json::print(fact.value)));
  return details.build();
}

Value HistoryEvents::details_of(const Fact& fact) const {
  switch (fact.kind) {
    case FactKind::kExecutionStarted:
      return as_text("input", fact.value);
    case FactKind::kExecutionSucceeded:
      return as_text("output", fact.value);
    case FactKind::kExecutionFailed:
    case FactKind::kExecutionTimedOut:
    case FactKind::kExecutionAborted:
      return failure(fact.value);
    case FactKind::kEventPublished:
      return as_text("event", fact.value);
    case FactKind::kExecutionRedriven:
      return redriven(fact.number);
    case FactKind::kOperationScheduled:
    case FactKind::kOperationStarted:
    case FactKind::kOperationSubmitted:
    case FactKind::kOperationEnded:
      return operation_details(fact);
    case FactKind::kStateEntered:
      return as_text("input", fact.value);
    case FactKind::kStateExited:
      return as_text("output", fact.value);
    case FactKind::kStateAborted:
    case FactKind::kRetryScheduled:
    case FactKind::kJoinStarted:
    case FactKind::kJoinEnded:
    case FactKind::kScopeOpened:
    case FactKind::kScopeClosed:
    case FactKind::kWaiterAdded:
    case FactKind::kEntryChanged:
    case FactKind::kCheckpointTaken:
      return Value::empty_object();
  }
  return Value::empty_object();
}

Value HistoryEvents::plain_event_of(const Fact& fact) {
  if (fact.kind == FactKind::kOperationScheduled && fact.operation_kind == OperationKind::kEvent)
    event_waits_.emplace(fact.operation, fact.state);
  const std::string type = type_of(fact, waits_for_event(fact.operation));
  if (fact.kind == FactKind::kOperationEnded) event_waits_.erase(fact.operation);
  if (!fact.event) return {};
  Value details = details_of(fact);
  if (fact.state) details = details.with_member("name", Value::string(code_->program->state_name(fact.state)));
  ObjectBuilder event(5);
  event.set("timestamp", Value::string(text::format_timestamp(fact.time)));
  event.set("type", Value::string(type));
  event.set("id", Value::integer(fact.event.number));
  event.set("previousEventId", Value::integer(fact.previous_event.number));
  event.set(details_name(type), std::move(details));
  return event.build();
}

}  // namespace pawl::server
