// Produced events: CloudEvents of transitions, ends and actions.
#pragma once

#include <vector>

#include "lang/serverless/frame.h"
#include "lang/serverless/model.h"

namespace pawl::serverless {

// The CloudEvent, with its data and attributes evaluated on `data`. Its id is drawn from the turn's randomness.
// Failures: Workflow.UnknownEvent, those of expressions.
Attempt<Value> produce(Frame& frame, const ProducedEvent& produced, const Value& data);
Attempt<std::vector<Value>> produce_all(Frame& frame, const std::vector<ProducedEvent>& produced, const Value& data);

}  // namespace pawl::serverless
