// Calling the code of a durable function, and what becomes of the execution when it returns.
#pragma once

#include "kernel/turn.h"

namespace pawl::functions {

using kernel::OperationKind;

inline constexpr StateOrdinal kCode{1};  // the one state that an execution has

void call_code(kernel::Turn& turn);

// The code returned, or failed: the execution ends, waits, or the code is called again.
void take_return(kernel::Turn& turn);

}  // namespace pawl::functions
