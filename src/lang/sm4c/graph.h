// A state machine as a graph: states with their actions, transitions with what triggers them.
#pragma once

#include "graph/graph.h"
#include "lang/sm4c/model.h"

namespace pawl::sm4c {

// Draws what the model holds, also of a definition that lint refuses: a transition to a state that does not exist is
// left out.
graph::Graph draw(const StateMachine& machine);

}  // namespace pawl::sm4c
