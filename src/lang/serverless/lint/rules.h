// The rules that look at a whole workflow, each in a file of its own. What concerns one field is the reader's.
#pragma once

#include "lang/serverless/lint/findings.h"
#include "lang/serverless/model.h"

namespace pawl::serverless {

// starts.cpp: one start state, and what it may be.
void check_starts(const Workflow& workflow, Findings& findings);

// flow.cpp: which states can be reached, and whether an end can.
void check_flow(const Workflow& workflow, Findings& findings);
// The states that one leads to, over any number of others; not itself, unless a circle leads back.
std::vector<bool> reachable_from(const Workflow& workflow, StateOrdinal state);

// names.cpp: actions of one name.
void check_names(const Workflow& workflow, Findings& findings);

}  // namespace pawl::serverless
