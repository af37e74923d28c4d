#include "lang/durable/views.h"

#include <cstdio>

#include "base/fnv.h"
#include "json/print.h"
#include "lang/durable/update.h"

namespace pawl::functions {

using kernel::Entry;
using kernel::EntryStatus;
using kernel::Execution;

Value to_time(Timestamp time, TimeForm form) {
  const int64_t count = time.time_since_epoch().count();
  if (form == TimeForm::kMilliseconds) return Value::integer(count);
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(count / 1000),
                static_cast<long long>(count % 1000));
  return Value::number_literal(text);
}

namespace {

void set_if(json::ObjectBuilder& out, std::string_view key, const Value& value) {
  if (!value.is_null()) out.set(key, value);
}

// Of a callback that nobody answered in time.
Value timeout_error(const Entry& entry) {
  json::ObjectBuilder error(2);
  error.set("ErrorMessage",
            Value::string(entry.missed_heartbeat ? "Callback timed out on heartbeat" : "Callback timed out"));
  error.set("ErrorType", Value::string(entry.missed_heartbeat ? "Callback.Heartbeat" : "Callback.Timeout"));
  return error.build();
}

Value error_of(const Entry& entry) {
  const bool is_late = entry.type == EntryType::kCallback && entry.status == EntryStatus::kTimedOut;
  return is_late ? timeout_error(entry) : entry.error;
}

Value step_details(const Entry& entry, TimeForm form) {
  json::ObjectBuilder details(4);
  details.set("Attempt", Value::integer(entry.attempts));
  if (entry.due != kNever) details.set("NextAttemptTimestamp", to_time(entry.due, form));
  set_if(details, "Result", entry.result);
  set_if(details, "Error", entry.error);
  return details.build();
}

Value context_details(const Entry& entry) {
  json::ObjectBuilder details(3);
  if (entry.keeps_children) details.set("ReplayChildren", Value::boolean(true));
  set_if(details, "Result", entry.result);
  set_if(details, "Error", entry.error);
  return details.build();
}

Value wait_details(const Entry& entry, TimeForm form) {
  json::ObjectBuilder details(1);
  details.set("ScheduledEndTimestamp", to_time(entry.due, form));
  return details.build();
}

Value answer_details(const Entry& entry) {
  json::ObjectBuilder details(3);
  if (entry.type == EntryType::kCallback) set_if(details, "CallbackId", entry.token);
  set_if(details, "Result", entry.result);
  set_if(details, "Error", error_of(entry));
  return details.build();
}

void set_details(const Entry& entry, TimeForm form, json::ObjectBuilder& out) {
  switch (entry.type) {
    case EntryType::kStep:
      return out.set("StepDetails", step_details(entry, form));
    case EntryType::kContext:
      return out.set("ContextDetails", context_details(entry));
    case EntryType::kWait:
      return out.set("WaitDetails", wait_details(entry, form));
    case EntryType::kCallback:
      return out.set("CallbackDetails", answer_details(entry));
    case EntryType::kInvoke:
      return out.set("ChainedInvokeDetails", answer_details(entry));
    case EntryType::kVerdict:
      return;
  }
}

bool is_shown(const std::unique_ptr<Entry>& entry) { return entry != nullptr && entry->type != EntryType::kVerdict; }

Value updated_ids(const kernel::Ledger& ledger) {
  json::ArrayBuilder ids;
  for (const auto& entry : ledger.entries())
    if (is_shown(entry) && entry->changed > ledger.seen_before()) ids.push(Value::string(entry->id));
  return ids.build();
}

}  // namespace

Value operation_of(const Entry& entry, TimeForm form) {
  json::ObjectBuilder out(10);
  out.set("Id", Value::string(entry.id));
  set_if(out, "ParentId", entry.parent);
  set_if(out, "Name", entry.name);
  out.set("Type", Value::string(name_of(entry.type)));
  set_if(out, "SubType", entry.sub_type);
  out.set("StartTimestamp", to_time(entry.started, form));
  if (entry.ended != kNever) out.set("EndTimestamp", to_time(entry.ended, form));
  out.set("Status", Value::string(name_of(entry.status)));
  set_details(entry, form, out);
  return out.build();
}

Value to_outcome(const Value& error) {
  json::ObjectBuilder outcome(3);
  if (const Value* type = error.find("ErrorType"); type != nullptr && !type->is_null()) outcome.set("Error", *type);
  if (const Value* message = error.find("ErrorMessage"); message != nullptr && !message->is_null())
    outcome.set("Cause", *message);
  outcome.set("ErrorObject", error.is_object() ? error : Value::empty_object());
  return outcome.build();
}

Value error_object(const Value& outcome) {
  if (const Value* whole = outcome.find("ErrorObject")) return *whole;
  json::ObjectBuilder error(2);
  if (const Value* type = outcome.find("Error")) error.set("ErrorType", *type);
  if (const Value* cause = outcome.find("Cause")) error.set("ErrorMessage", *cause);
  return error.build();
}

Value execution_timeout_error(Duration limit) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit).count();
  json::ObjectBuilder error(2);
  error.set("ErrorType", Value::string(kExecutionTimedOut));
  error.set("ErrorMessage", Value::string("Execution timed out after " + std::to_string(seconds) + " seconds."));
  return error.build();
}

namespace {

// Its last bits are spread over all.
uint64_t hash_of(std::string_view text, uint64_t seed) {
  uint64_t hash = hash_fnv(text, kFnvBasis ^ seed);
  hash = (hash ^ (hash >> 33)) * 0xFF51AFD7ED558CCDULL;
  return hash ^ (hash >> 33);
}

}  // namespace

std::string request_id(std::string_view execution_arn, OperationId call) {
  const std::string subject = std::string(execution_arn) + "#" + std::to_string(call.number);
  const uint64_t high = (hash_of(subject, 0) & ~0xF000ULL) | 0x4000;
  const uint64_t low = (hash_of(subject, 1) >> 2) | (1ULL << 63);
  char text[37];
  std::snprintf(text, sizeof text, "%08x-%04x-%04x-%04x-%012llx", static_cast<unsigned>(high >> 32),
                static_cast<unsigned>(high >> 16 & 0xFFFF), static_cast<unsigned>(high & 0xFFFF),
                static_cast<unsigned>(low >> 48), static_cast<unsigned long long>(low & 0xFFFFFFFFFFFF));
  return text;
}

std::string_view arn_of(const Execution& execution) {
  const Value* arn = execution.context().find("arn");
  return arn != nullptr && arn->is_string() ? arn->as_string() : std::string_view();
}

Value tenant_of(const Execution& execution) {
  const Value* tenant = execution.context().find("tenant");
  return tenant == nullptr ? Value() : *tenant;
}

Value input_payload(const Execution& execution) {
  return execution.input_text().is_string() ? execution.input_text() : Value::string(json::print(execution.input()));
}

Value execution_operation(const Execution& execution, TimeForm form) {
  const std::string_view arn = arn_of(execution);
  json::ObjectBuilder details(1);
  details.set("InputPayload", input_payload(execution));
  json::ObjectBuilder out(5);
  out.set("Id", Value::string(arn.substr(arn.rfind('/') + 1)));
  out.set("Type", Value::string("EXECUTION"));
  out.set("Status", Value::string("STARTED"));
  out.set("StartTimestamp", to_time(execution.started(), form));
  out.set("ExecutionDetails", details.build());
  return out.build();
}

OperationPage page_of(const Execution& execution, uint32_t begin, TimeForm form, const PageBounds& bounds) {
  OperationPage page;
  json::ArrayBuilder operations;
  size_t count = 0;
  size_t bytes = 0;
  if (begin == 0) {
    Value first = execution_operation(execution, form);
    bytes += first.json_size();
    operations.push(std::move(first));
    ++count;
  }
  const kernel::Ledger* ledger = execution.ledger();
  const size_t end = ledger == nullptr ? 0 : ledger->entries().size();
  for (size_t i = begin == 0 ? 0 : begin - 1; i < end; ++i) {
    const auto& entry = ledger->entries()[i];
    if (!is_shown(entry)) continue;
    Value operation = operation_of(*entry, form);
    const bool is_full = count >= bounds.count_max || bytes + operation.json_size() > bounds.bytes_max;
    if (is_full && count != 0) {
      page.next = static_cast<uint32_t>(i + 1);
      break;
    }
    bytes += operation.json_size();
    operations.push(std::move(operation));
    ++count;
  }
  page.operations = operations.build();
  return page;
}

Value changed_operations(const kernel::Ledger& ledger, uint64_t after, TimeForm form) {
  json::ArrayBuilder operations;
  for (const auto& entry : ledger.entries())
    if (is_shown(entry) && entry->changed > after) operations.push(operation_of(*entry, form));
  return operations.build();
}

Value invocation_of(const Execution& execution) {
  const OperationPage page = page_of(execution, 0, TimeForm::kMilliseconds, {});
  json::ObjectBuilder state(2);
  state.set("Operations", page.operations);
  if (page.next != 0) state.set("NextMarker", Value::string(std::to_string(page.next)));
  const kernel::Ledger* ledger = execution.ledger();
  json::ObjectBuilder event(4);
  event.set("DurableExecutionArn", Value::string(arn_of(execution)));
  event.set("InitialExecutionState", state.build());
  event.set("UpdatedOperationIds", ledger == nullptr ? Value::empty_array() : updated_ids(*ledger));
  json::ObjectBuilder invocation(3);
  invocation.set("sequence", Value::integer(ledger == nullptr ? 0 : ledger->sequence()));
  invocation.set("event", event.build());
  set_if(invocation, "tenant", tenant_of(execution));
  return invocation.build();
}

}  // namespace pawl::functions
