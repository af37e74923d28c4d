#include "lang/durable/invocation.h"

#include <algorithm>

#include "lang/durable/program.h"
#include "lang/durable/views.h"

namespace pawl::functions {

using kernel::Entry;
using kernel::EntryStatus;
using kernel::Fact;
using kernel::FactKind;
using kernel::Scope;
using kernel::Turn;

namespace {

constexpr uint32_t kImmediateRetriesMax = 3;  // after a fault of the surroundings
constexpr uint32_t kHandlerRetriesMax = 80;   // some six hours
constexpr Duration kFirstDelay = std::chrono::seconds(1);
constexpr Duration kDelayMax = std::chrono::minutes(5);
constexpr uint32_t kDoublingsMax = 9;

const Scope& root_of(const Turn& turn) { return turn.execution().scope(kRoot); }

Fact fact_of(FactKind kind) {
  Fact fact;
  fact.kind = kind;
  fact.scope = kRoot;
  fact.state = kCode;
  return fact;
}

Value member_of(const Value& object, std::string_view key) {
  const Value* found = object.find(key);
  return found == nullptr ? Value() : *found;
}

}  // namespace

// --- ends

void end_well(Value result, Turn& turn) {
  Fact fact = fact_of(FactKind::kExecutionSucceeded);
  fact.value = std::move(result);
  turn.append_event(std::move(fact));
}

void end_badly(const Value& error, Turn& turn) {
  Fact fact = fact_of(FactKind::kExecutionFailed);
  fact.value = to_outcome(error);
  turn.append_event(std::move(fact));
}

namespace {

void end_refused(std::string_view message, Turn& turn) {
  json::ObjectBuilder error(2);
  error.set("ErrorType", Value::string("InvalidInvocationOutput"));
  error.set("ErrorMessage", Value::string(message));
  end_badly(error.build(), turn);
}

bool end_by_verdict(Turn& turn) {
  const kernel::Ledger* ledger = turn.execution().ledger();
  const Entry* verdict = ledger == nullptr ? nullptr : ledger->find("");
  if (verdict == nullptr) return false;
  if (verdict->status == EntryStatus::kSucceeded)
    end_well(verdict->result, turn);
  else
    end_badly(verdict->error, turn);
  return true;
}

// --- going on

bool waits_for_something(const Turn& turn) {
  const kernel::Ledger* ledger = turn.execution().ledger();
  if (ledger == nullptr) return false;
  return std::ranges::any_of(ledger->entries(), [](const auto& entry) { return entry != nullptr && entry->operation; });
}

// Waits for whatever an entry waits for. Retries begin anew.
void park(Turn& turn) {
  Fact fact = fact_of(FactKind::kStateEntered);
  fact.value = root_of(turn).input;
  turn.append(std::move(fact));
}

void take_pending(Turn& turn) {
  const kernel::Ledger* ledger = turn.execution().ledger();
  const bool has_news = ledger != nullptr && ledger->has_news();
  if (!has_news && !waits_for_something(turn))
    return end_refused("Cannot return PENDING status with no pending operations.", turn);
  park(turn);
  if (has_news) call_code(turn);
}

void take_envelope(const Value& envelope, Turn& turn) {
  const Value status = member_of(envelope, "Status");
  const std::string_view name = status.is_string() ? status.as_string() : std::string_view();
  const Value result = member_of(envelope, "Result");
  const Value error = member_of(envelope, "Error");
  if (name == "PENDING") return take_pending(turn);
  if (name == "SUCCEEDED" && error.is_null() && (result.is_null() || result.is_string())) return end_well(result, turn);
  if (name == "FAILED" && result.is_null()) return end_badly(error, turn);
  end_refused("Invalid Status in invocation output.", turn);
}

}  // namespace

// --- retries

void retry_after(Duration delay, Retrier retrier, Turn& turn) {
  Fact fact = fact_of(FactKind::kRetryScheduled);
  fact.operation = turn.execution().next_operation_id();
  fact.number = static_cast<uint32_t>(retrier);
  fact.due = turn.now() + delay;
  turn.append(std::move(fact));
}

uint32_t retries_so_far(const Turn& turn, Retrier retrier) {
  const std::vector<uint32_t>& retries = root_of(turn).retries;
  const auto place = static_cast<size_t>(retrier);
  return retries.size() > place ? retries[place] : 0;
}

Value to_error_object(const Value& failure) {
  json::ObjectBuilder error(3);
  const Value type = member_of(failure, "Error");
  const Value message = member_of(failure, "Cause");
  if (!type.is_null()) error.set("ErrorType", type);
  if (!message.is_null()) error.set("ErrorMessage", message);
  const Value trace = member_of(failure, "StackTrace");
  if (trace.is_array()) error.set("StackTrace", trace);
  return error.build();
}

namespace {

void take_failure(const Value& failure, Turn& turn) {
  const Value type = member_of(failure, "Error");
  const bool is_surroundings = type.is_string() && is_runtime_error(type.as_string());
  if (is_surroundings && retries_so_far(turn, Retrier::kSurroundings) < kImmediateRetriesMax)
    return retry_after(Duration(0), Retrier::kSurroundings, turn);
  const uint32_t so_far = retries_so_far(turn, Retrier::kHandler);
  if (so_far >= kHandlerRetriesMax) return end_badly(to_error_object(failure), turn);
  const Duration delay = std::min(kDelayMax, kFirstDelay * (1 << std::min(so_far, kDoublingsMax)));
  retry_after(delay, Retrier::kHandler, turn);
}

}  // namespace

bool is_runtime_error(std::string_view error_type) {
  if (error_type == "Sandbox.Timedout") return false;
  return error_type.starts_with("Runtime.") || error_type.starts_with("Sandbox.") ||
         error_type.starts_with("Extension.");
}

void begin(const kernel::Signal& signal, Timestamp due, Turn& turn) {
  Fact fact;
  fact.kind = FactKind::kExecutionStarted;
  fact.scope = kRoot;
  fact.next = kCode;
  fact.value = signal.value;
  fact.extra = signal.extra;
  fact.due = due;
  turn.append_event(std::move(fact), EventId());
}

bool has_returned(const Scope& root) {
  return root.step == kernel::Step::kResume && root.ended.operation_kind == OperationKind::kTask;
}

void call_code(Turn& turn) {
  Fact fact = fact_of(FactKind::kOperationScheduled);
  fact.operation = turn.execution().next_operation_id();
  fact.operation_kind = OperationKind::kTask;
  turn.append(std::move(fact));
}

void take_return(Turn& turn) {
  const kernel::Ended ended = root_of(turn).ended;
  if (end_by_verdict(turn)) return;
  if (ended.outcome == kernel::Outcome::kSucceeded) return take_envelope(ended.value, turn);
  take_failure(ended.value, turn);
}

}  // namespace pawl::functions
