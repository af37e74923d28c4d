// A definition of the States Language as a graph: states by type, transitions, the rules of Choices, the ways of
// errors.
#pragma once

#include "graph/graph.h"
#include "lang/asl/model.h"

namespace pawl::asl {

// Draws what the model holds, also of a definition that lint refuses: a transition to a state that does not exist in
// its machine is left out.
graph::Graph draw(const Definition& definition);

}  // namespace pawl::asl
