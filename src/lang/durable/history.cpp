#include "lang/durable/history.h"

#include "kernel/snapshot.h"
#include "lang/durable/update.h"
#include "lang/durable/views.h"

namespace pawl::functions {

using json::ObjectBuilder;
using kernel::Entry;
using kernel::EntryStatus;
using kernel::Execution;
using kernel::Fact;
using kernel::FactKind;
using kernel::Outcome;

namespace {

Value member_of(const Value& object, std::string_view key) {
  const Value* found = object.find(key);
  return found == nullptr ? Value() : *found;
}

// What an event tells beside its details.
struct Shown {
  std::string type;  // "StepStarted"; empty: the fact does not show
  Value details;
  const Entry* entry = nullptr;
};

// Wraps what may be left out.
class Data {
 public:
  explicit Data(bool is_shown) : is_shown_(is_shown) {}

  Value of(const Value& payload) const {
    ObjectBuilder out(2);
    if (is_shown_ && !payload.is_null()) out.set("Payload", payload);
    out.set("Truncated", Value::boolean(!is_shown_));
    return out.build();
  }
  Value under(std::string_view name, const Value& payload) const {
    ObjectBuilder out(1);
    out.set(name, of(payload));
    return out.build();
  }

 private:
  bool is_shown_;
};

int64_t seconds_between(Timestamp from, Timestamp to) {
  return std::chrono::duration_cast<std::chrono::seconds>(to - from).count();
}

std::string_view noun_of(EntryType type) {
  switch (type) {
    case EntryType::kContext:
      return "Context";
    case EntryType::kStep:
      return "Step";
    case EntryType::kWait:
      return "Wait";
    case EntryType::kCallback:
      return "Callback";
    case EntryType::kInvoke:
      return "ChainedInvoke";
    case EntryType::kVerdict:
      return "Execution";
  }
  return "";
}

// A step that waits for its next attempt has failed, or has said that it wants to look again.
std::string_view verb_of(const Entry& entry) {
  switch (entry.status) {
    case EntryStatus::kStarted:
    case EntryStatus::kReady:
      return "Started";
    case EntryStatus::kPending:
      return entry.error.is_null() ? "Succeeded" : "Failed";
    case EntryStatus::kSucceeded:
      return "Succeeded";
    case EntryStatus::kFailed:
      return "Failed";
    case EntryStatus::kCancelled:
      return "Cancelled";
    case EntryStatus::kTimedOut:
      return "TimedOut";
    case EntryStatus::kStopped:
      return "Stopped";
  }
  return "";
}

// --- entries

Value retry_details(const Entry& entry, Timestamp now) {
  ObjectBuilder out(2);
  out.set("CurrentAttempt", Value::integer(entry.attempts));
  if (entry.status == EntryStatus::kPending)
    out.set("NextAttemptDelaySeconds", Value::integer(seconds_between(now, entry.due)));
  return out.build();
}

Value step_details(const Entry& entry, Timestamp now, const Data& data) {
  if (entry.status == EntryStatus::kStarted) return Value::empty_object();
  ObjectBuilder out(2);
  const bool has_failed = verb_of(entry) == "Failed";
  out.set(has_failed ? "Error" : "Result", data.of(has_failed ? entry.error : entry.result));
  out.set("RetryDetails", retry_details(entry, now));
  return out.build();
}

Value wait_details(const Entry& entry) {
  if (entry.status == EntryStatus::kCancelled) return Value::empty_object();
  ObjectBuilder out(2);
  out.set("Duration", Value::integer(seconds_between(entry.started, entry.due)));
  if (entry.status == EntryStatus::kStarted) out.set("ScheduledEndTimestamp", to_time(entry.due, TimeForm::kSeconds));
  return out.build();
}

Value callback_started(const Entry& entry, const Value& said) {
  ObjectBuilder out(3);
  out.set("CallbackId", entry.token);
  if (const Value* heartbeat = said.find("heartbeat")) out.set("HeartbeatTimeout", *heartbeat);
  if (const Value* timeout = said.find("timeout")) out.set("Timeout", *timeout);
  return out.build();
}

Value invoke_started(const Value& said, const Data& data) {
  ObjectBuilder out(5);
  out.set("FunctionName", member_of(said, "function"));
  if (const Value* tenant = said.find("tenant")) out.set("TenantId", *tenant);
  out.set("Input", data.of(member_of(said, "input")));
  return out.build();
}

Value closed_details(const Entry& entry, const Data& data) {
  if (entry.status == EntryStatus::kSucceeded) return data.under("Result", entry.result);
  return data.under("Error", member_of(member_of(operation_of(entry, TimeForm::kSeconds),
                                                 entry.type == EntryType::kCallback ? "CallbackDetails"
                                                 : entry.type == EntryType::kInvoke ? "ChainedInvokeDetails"
                                                                                    : "ContextDetails"),
                                       "Error"));
}

// `said` is what the checkpoint told of an entry that was started.
Value details_of(const Entry& entry, const Value& said, Timestamp now, const Data& data) {
  if (entry.type == EntryType::kStep) return step_details(entry, now, data);
  if (entry.type == EntryType::kWait) return wait_details(entry);
  if (entry.status != EntryStatus::kStarted) return closed_details(entry, data);
  if (entry.type == EntryType::kCallback) return callback_started(entry, said);
  if (entry.type == EntryType::kInvoke) return invoke_started(said, data);
  return Value::empty_object();
}

Shown show_entry(const Entry& entry, const Value& said, Timestamp now, const Data& data) {
  return {std::string(noun_of(entry.type)) + std::string(verb_of(entry)), details_of(entry, said, now, data), &entry};
}

// --- the execution and its calls

Shown show_start(const Fact& fact, const Execution& after, const Data& data) {
  ObjectBuilder out(2);
  out.set("Input", data.of(input_payload(after)));
  if (fact.due != kNever) out.set("ExecutionTimeout", Value::integer(seconds_between(fact.time, fact.due)));
  return {"ExecutionStarted", out.build()};
}

Shown show_call(const Execution& execution, const kernel::Operation& call, const Fact& fact, const Data& data) {
  ObjectBuilder out(4);
  out.set("StartTimestamp", to_time(call.started, TimeForm::kSeconds));
  out.set("EndTimestamp", to_time(fact.time, TimeForm::kSeconds));
  out.set("RequestId", Value::string(request_id(arn_of(execution), call.id)));
  if (fact.outcome != Outcome::kSucceeded) out.set("Error", data.of(error_object(fact.value)));
  return {"InvocationCompleted", out.build()};
}

Shown show_end(const Fact& fact, const Execution& after, const Data& data) {
  switch (fact.kind) {
    case FactKind::kExecutionSucceeded:
      return {"ExecutionSucceeded", data.under("Result", fact.value)};
    case FactKind::kExecutionFailed:
      return {"ExecutionFailed", data.under("Error", error_object(fact.value))};
    case FactKind::kExecutionTimedOut:
      return {"ExecutionTimedOut", data.under("Error", execution_timeout_error(after.deadline() - after.started()))};
    default:
      return {"ExecutionStopped", data.under("Error", error_object(fact.value))};
  }
}

}  // namespace

HistoryView::HistoryView(const Execution* before, bool with_data)
    : state_(before == nullptr ? std::make_unique<Execution>()
                               : kernel::Snapshot::restore(kernel::Snapshot::of(*before))),
      with_data_(with_data) {}

namespace {

// Of a call that returned, or of an entry whose wait is over: found before the fact is applied.
struct Ending {
  std::string entry;  // its id; empty: none
  Shown call;
};

Ending ending_of(const Fact& fact, const Execution& before, const Data& data) {
  if (fact.kind != FactKind::kOperationEnded || !fact.event) return {};
  const kernel::Ledger* ledger = before.ledger();
  const Entry* entry = ledger == nullptr ? nullptr : ledger->find_waiting(fact.operation);
  if (entry != nullptr) return {entry->id, {}};
  return {{}, show_call(before, *before.find_operation(fact.operation), fact, data)};
}

Shown show(const Fact& fact, Ending ending, const Execution& after, const Data& data) {
  if (!ending.entry.empty()) return show_entry(*after.ledger()->find(ending.entry), {}, fact.time, data);
  if (fact.kind == FactKind::kExecutionStarted) return show_start(fact, after, data);
  if (kernel::is_terminal(fact.kind)) return show_end(fact, after, data);
  if (fact.kind != FactKind::kEntryChanged) return std::move(ending.call);
  const Value id = fact.value.is_string() ? fact.value : member_of(fact.value, "id");
  return show_entry(*after.ledger()->find(id.as_string()), fact.extra, fact.time, data);
}

// What an event is about: an entry, the execution itself, or one call of its code, which has no id.
Value subject_of(const Shown& shown, const Execution& execution) {
  if (shown.entry != nullptr) return Value::string(shown.entry->id);
  if (shown.type == "InvocationCompleted") return {};
  const std::string_view arn = arn_of(execution);
  return Value::string(arn.substr(arn.rfind('/') + 1));
}

}  // namespace

Value HistoryView::event_of(const Fact& fact) {
  const Data data(with_data_);
  Ending ending = ending_of(fact, *state_, data);
  state_->evolve(fact);
  if (!fact.event) return {};
  const Shown shown = show(fact, std::move(ending), *state_, data);
  if (shown.type.empty()) return {};

  ObjectBuilder event(8);
  const auto set = [&](std::string_view name, const Value& value) {
    if (!value.is_null()) event.set(name, value);
  };
  set("EventType", Value::string(shown.type));
  set("SubType", shown.entry == nullptr ? Value() : shown.entry->sub_type);
  set("EventId", Value::integer(fact.event.number));
  set("Id", subject_of(shown, *state_));
  set("Name", shown.entry == nullptr ? Value() : shown.entry->name);
  set("EventTimestamp", to_time(fact.time, TimeForm::kSeconds));
  set("ParentId", shown.entry == nullptr ? Value() : shown.entry->parent);
  set(shown.type + "Details", shown.details);
  return event.build();
}

}  // namespace pawl::functions
