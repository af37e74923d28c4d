// The task calls of a recorded execution, completed from its history.
#pragma once

#include <vector>

#include "recording.h"

namespace pawl::conformance {

std::vector<RecordedCall> read_calls(const Value& task_calls, const Value& events);

}  // namespace pawl::conformance
