// Sub-workflows: how they are called, and how they end.
#pragma once

#include <string>
#include <string_view>

#include "lang/serverless/frame.h"

namespace pawl::serverless {

std::string sub_workflow_resource(std::string_view workflow_id);  // "workflow:<id>"

// Calls the node's sub-workflow with a copy of the data and all that it inherits, and waits for its end, or only for
// its start.
void call_sub_workflow(Frame& frame, Value data, bool until_its_end);

struct SubWorkflowEnd {
  Value output;             // null where only its start was waited for
  bool terminates = false;  // it ended everything that waits for it
};

// How it ended. Failure: the sub-workflow's own.
Attempt<SubWorkflowEnd> sub_workflow_end(const kernel::Ended& ended);

// Ends the whole execution as succeeded, with the data that the state in the root scope has so far, and whatever waits
// for it in turn.
void terminate_from(Frame& frame);

}  // namespace pawl::serverless
