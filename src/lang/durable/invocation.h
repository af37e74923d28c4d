// Calling the code of a durable function, and what becomes of the execution when it returns.
#pragma once

#include "kernel/signal.h"
#include "kernel/turn.h"

namespace pawl::functions {

using json::Value;
using kernel::OperationKind;

inline constexpr StateOrdinal kCode{1};  // the one state that an execution has
inline constexpr ScopeId kRoot{1};       // and its one scope

// The execution begins; at `due` its time is up.
void begin(const kernel::Signal& signal, Timestamp due, kernel::Turn& turn);
void call_code(kernel::Turn& turn);
bool has_returned(const kernel::Scope& root);  // its code has, or has failed: root.ended tells how

// The code returned, or failed: the execution ends, waits, or the code is called again.
void take_return(kernel::Turn& turn);

// --- ends, and calls that are made again

void end_well(Value result, kernel::Turn& turn);
void end_badly(const Value& error, kernel::Turn& turn);  // an ErrorObject
Value to_error_object(const Value& failure);             // of a call: {"Error", "Cause", "StackTrace"}

// Which retries are counted apart: after a fault of the surroundings, after an error of the code.
enum class Retrier : uint8_t { kSurroundings, kHandler };
uint32_t retries_so_far(const kernel::Turn& turn, Retrier retrier);
void retry_after(Duration delay, Retrier retrier, kernel::Turn& turn);

}  // namespace pawl::functions
