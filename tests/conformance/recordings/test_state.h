// Makes a recorded call of TestState and compares the answers, or the refusals.
#pragma once

#include "compare.h"
#include "recording.h"

namespace pawl::conformance {

void judge_test_state(const Recording& recording, Agreement& agreement);

}  // namespace pawl::conformance
