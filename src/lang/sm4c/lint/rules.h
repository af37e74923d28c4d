// The rules about a whole definition; what one field alone can get wrong is found where it is read.
#pragma once

#include "lang/sm4c/lint/findings.h"
#include "lang/sm4c/model.h"

namespace pawl::sm4c {

void check_starts(const StateMachine& machine, Findings& findings);       // exactly one
void check_transitions(const StateMachine& machine, Findings& findings);  // that cannot be taken, or for ever
void check_flow(const StateMachine& machine, Findings& findings);         // reachable states, an end
void check_values(const StateMachine& machine, const Options& options, Findings& findings);  // handlers and actions

}  // namespace pawl::sm4c
