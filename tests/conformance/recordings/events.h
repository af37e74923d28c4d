// Compares histories, event by event.
#pragma once

#include <vector>

#include "compare.h"
#include "recording.h"

namespace pawl::conformance {

// An event whose texts that hold JSON (inputs, outputs, …) are replaced by what they hold. Not to be done twice.
Value unfold_event(const Value& event);

// Where a recording lost the ids of a stretch of events (the branches of a Parallel), that stretch is compared as a
// multiset.
void compare_events(const Recording& recording, const Ours& ours, Agreement& agreement);

}  // namespace pawl::conformance
