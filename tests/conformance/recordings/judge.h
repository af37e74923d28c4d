// Runs one recording and says how far we agree with it.
#pragma once

#include "compare.h"
#include "recording.h"
#include "run.h"

namespace pawl::conformance {

// `run` is for executions; what else is recorded needs none.
Agreement judge(const Recording& recording, Runner run = run_locally);

}  // namespace pawl::conformance
