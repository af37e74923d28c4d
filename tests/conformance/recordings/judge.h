// Runs one recording and says how far we agree with it.
#pragma once

#include "compare.h"
#include "recording.h"

namespace pawl::conformance {

Agreement judge(const Recording& recording);

}  // namespace pawl::conformance
