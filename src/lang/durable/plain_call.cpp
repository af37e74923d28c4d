#include "lang/durable/plain_call.h"

#include "lang/durable/invocation.h"
#include "lang/durable/views.h"

namespace pawl::functions {

using kernel::Turn;

void PlainCall::start(const kernel::Signal& signal, Turn& turn) const { begin(signal, kNever, turn); }

void PlainCall::step(ScopeId, Turn& turn) const {
  const kernel::Scope& root = turn.execution().scope(kRoot);
  if (!has_returned(root)) return call_code(turn);
  const kernel::Ended ended = root.ended;
  if (ended.outcome == kernel::Outcome::kSucceeded) return end_well(ended.value, turn);
  const uint32_t so_far = retries_so_far(turn, Retrier::kHandler);
  if (so_far >= kPlainRetriesMax) return end_badly(to_error_object(ended.value), turn);
  retry_after(kPlainRetryDelay * (so_far + 1), Retrier::kHandler, turn);
}

kernel::Call PlainCall::call_of(const kernel::Execution& execution, const kernel::Operation&) const {
  json::ObjectBuilder input(3);
  input.set("arn", Value::string(arn_of(execution)));
  input.set("payload", input_payload(execution));
  if (const Value tenant = tenant_of(execution); !tenant.is_null()) input.set("tenant", tenant);
  return {function_.name, resource_, input.build(), function_.call_settings};
}

}  // namespace pawl::functions
