// A Serverless Workflow as a graph: states by type with their branches and actions, transitions and their conditions,
// the ways of errors.
#pragma once

#include "graph/graph.h"
#include "lang/serverless/model.h"

namespace pawl::serverless {

inline constexpr size_t kGraphTextBytesMax = 240;  // longer texts are cut, with an ellipsis

// Draws what the model holds, also of a definition that lint refuses: a transition to a state that does not exist is
// left out.
graph::Graph draw(const Definition& definition);

}  // namespace pawl::serverless
