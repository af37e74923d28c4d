// A Serverless Workflow as a graph: states by type with their branches and actions, transitions and their conditions,
// the ways of errors.
#pragma once

#include "graph/graph.h"
#include "lang/serverless/model.h"

namespace pawl::serverless {

// Draws what the model holds, also of a definition that lint refuses: a transition to a state that does not exist is
// left out.
graph::Graph draw(const Definition& definition);

}  // namespace pawl::serverless
