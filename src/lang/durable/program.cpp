#include "lang/durable/program.h"

#include <algorithm>
#include <charconv>

#include "lang/durable/checkpoint.h"
#include "lang/durable/invocation.h"
#include "lang/durable/views.h"

namespace pawl::functions {

using kernel::Signal;
using kernel::Turn;

void Program::start(const Signal& signal, Turn& turn) const {
  const bool has_limit = function_.execution_timeout.count() != 0;
  begin(signal, has_limit ? turn.now() + function_.execution_timeout : kNever, turn);
}

void Program::step(ScopeId, Turn& turn) const {
  if (has_returned(turn.execution().scope(kRoot))) return take_return(turn);
  call_code(turn);
}

void Program::refine_answer(const kernel::Operation&, const kernel::Limits&, Signal& signal) const {
  const Value* status = signal.value.find("Status");
  const Value* error = signal.value.find("Error");
  if (signal.outcome != kernel::Outcome::kFailed || status == nullptr || error == nullptr) return;
  if (*status == Value::string("TIMED_OUT")) signal.outcome = kernel::Outcome::kTimedOut;
  if (*status == Value::string("STOPPED")) signal.outcome = kernel::Outcome::kAborted;
  signal.value = Value(*error);
}

kernel::Call Program::call_of(const kernel::Execution& execution, const kernel::Operation& operation) const {
  if (execution.scope(ScopeId(1)).operation == operation.id)
    return {function_.name, resource_, invocation_of(execution), function_.call_settings};
  const Value* callee = operation.input.find("function");
  const std::string name(callee != nullptr && callee->is_string() ? callee->as_string() : std::string_view());
  return {name, "function:" + name, operation.input};
}

// --- what the code asks for

namespace {

std::unexpected<Error> stale_token() { return fail("InvalidParameterValueException", "Invalid checkpoint token"); }

uint64_t number_of(const Value& request, std::string_view member) {
  const Value* found = request.find(member);
  return found == nullptr || !found->is_number() ? 0 : static_cast<uint64_t>(found->as_integer().value_or(0));
}

Value value_of(const Value& request, std::string_view member) {
  const Value* found = request.find(member);
  return found == nullptr ? Value() : *found;
}

uint32_t sequence_of(const kernel::Execution& execution) {
  return execution.ledger() == nullptr ? 0 : execution.ledger()->sequence();
}

// Whether the call that asks is the one in flight.
bool is_in_flight(const Value& request, const kernel::Execution& execution) {
  if (!execution.is_open()) return false;
  const OperationId call = execution.scope(ScopeId(1)).operation;
  return call && call.number == number_of(request, "operation") &&
         execution.find_operation(call)->kind == OperationKind::kTask;
}

// The same checkpoint again: its answer was lost.
bool is_resent(const Value& request, const kernel::Execution& execution) {
  const kernel::Ledger* ledger = execution.ledger();
  const Value client = value_of(request, "client");
  return ledger != nullptr && !client.is_null() && ledger->last_client() == client &&
         number_of(request, "sequence") + 1 == ledger->sequence();
}

}  // namespace

void Program::take_request(const Signal& signal, Turn& turn) const {
  const Value what = value_of(signal.value, "request");
  if (!is_in_flight(signal.value, turn.execution())) return turn.set_answer(stale_token());
  const bool is_checkpoint = what.is_string() && what.as_string() == "checkpoint";
  turn.set_answer(is_checkpoint ? checkpoint(signal.value, turn) : read_state(signal.value, turn));
}

// {"replayed": the fact to which the answer belongs} where it was answered before.
Result<Value> Program::checkpoint(const Value& request, Turn& turn) const {
  const kernel::Execution& execution = turn.execution();
  const Value digest = value_of(request, "digest");
  if (is_resent(request, execution)) {
    if (execution.ledger()->last_digest() != digest)
      return fail("InvalidParameterValueException", "The client token was used for another checkpoint.");
    json::ObjectBuilder replayed(1);
    replayed.set("replayed", Value::integer(static_cast<int64_t>(execution.ledger()->last_checkpoint().number)));
    return replayed.build();
  }
  const bool is_over = execution.ledger() != nullptr && execution.ledger()->find("") != nullptr;
  if (is_over || number_of(request, "sequence") != sequence_of(execution)) return stale_token();
  PAWL_TRY(const std::vector<Update> updates, read_updates(value_of(request, "updates"), function_.bounds));
  if (auto checked = check_updates(updates, execution.ledger(), function_.bounds); !checked)
    return std::unexpected(checked.error());
  for (const Update& update : updates) record(update, turn);
  append_checkpoint(sequence_of(execution) + 1, value_of(request, "client"), digest, turn);
  const OperationId call = execution.scope(ScopeId(1)).operation;
  return checkpoint_answer(execution, turn.services().task_token(call, execution.ledger()->sequence()));
}

Value checkpoint_answer(const kernel::Execution& execution, std::string_view next_token) {
  const kernel::Ledger& ledger = *execution.ledger();
  json::ObjectBuilder state(1);
  state.set("Operations", changed_operations(ledger, ledger.seen_before(), TimeForm::kSeconds));
  json::ObjectBuilder answer(2);
  if (ledger.find("") == nullptr) answer.set("CheckpointToken", Value::string(next_token));
  answer.set("NewExecutionState", state.build());
  return answer.build();
}

Result<Value> Program::read_state(const Value& request, Turn& turn) const {
  if (number_of(request, "sequence") != sequence_of(turn.execution())) return stale_token();
  PageBounds bounds;
  if (const uint64_t count = number_of(request, "count"))
    bounds.count_max = std::min<uint64_t>(count, bounds.count_max);
  const auto page =
      page_of(turn.execution(), static_cast<uint32_t>(number_of(request, "begin")), TimeForm::kSeconds, bounds);
  json::ObjectBuilder answer(2);
  answer.set("Operations", page.operations);
  if (page.next != 0) answer.set("NextMarker", Value::string(std::to_string(page.next)));
  return answer.build();
}

}  // namespace pawl::functions
