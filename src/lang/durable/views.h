// The ledger as the code of a durable function sees it, and the event that it is called with.
#pragma once

#include <cstdint>
#include <string>

#include "json/value.h"
#include "kernel/execution.h"

namespace pawl::functions {

using json::Value;

// Bodies of the API have seconds with fractions, the event of a call has whole milliseconds.
enum class TimeForm : uint8_t { kSeconds, kMilliseconds };

Value to_time(Timestamp time, TimeForm form);

// One entry, as an Operation of the API.
Value operation_of(const kernel::Entry& entry, TimeForm form);

// The operation that stands for the execution itself; it comes first.
Value execution_operation(const kernel::Execution& execution, TimeForm form);

// What the code sees from place `begin` on, as many as a page takes: the execution is in place 0, the ledger's entries
// come after it.
struct OperationPage {
  Value operations;
  uint32_t next = 0;  // where the next page begins; 0: there is none
};
struct PageBounds {
  size_t count_max = 1'000;
  size_t bytes_max = 4 * 1024 * 1024;
};
OperationPage page_of(const kernel::Execution& execution, uint32_t begin, TimeForm form, const PageBounds& bounds);

// What changed after change number `after`.
Value changed_operations(const kernel::Ledger& ledger, uint64_t after, TimeForm form);

// {"sequence": of the checkpoint token, "event": what the function is called with, without the token, "tenant": for
// whom, where the start told}.
Value invocation_of(const kernel::Execution& execution);

// An ErrorObject of the API as the outcome that the executions of every language have, {"Error", "Cause"}, with the
// whole of what the code said beside them; and back again.
Value to_outcome(const Value& error);
Value error_object(const Value& outcome);
// Of an execution that took longer than it may; the type is what Invoke tells too.
inline constexpr std::string_view kExecutionTimedOut = "Execution.TimedOut";
Value execution_timeout_error(Duration limit);

// By which the call of an execution's code is known, to the code and in the history: a UUID that follows from both.
std::string request_id(std::string_view execution_arn, OperationId call);

// The whole ARN, and the id at its end.
std::string_view arn_of(const kernel::Execution& execution);
// For whom it was started; null: nobody was named.
Value tenant_of(const kernel::Execution& execution);
// The input as it was sent.
Value input_payload(const kernel::Execution& execution);

}  // namespace pawl::functions
