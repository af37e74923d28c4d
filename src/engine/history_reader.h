// Reads parts of stored histories: as many facts as a page needs, found by its events.
#pragma once

#include "engine/engine.h"

namespace pawl::engine {

// Errors: EXECUTION_NOT_FOUND, the store's and the codec's. Any thread may call it.
Result<HistoryPart> read_history_part(const store::Store& store, ExecutionId id, const EventRange& range);

}  // namespace pawl::engine
