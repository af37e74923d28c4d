// What Parallel and Map share: children that end well, children that fail, and the end of the whole.
#pragma once

#include "kernel/turn.h"
#include "lang/asl/failure.h"
#include "lang/asl/frame.h"

namespace pawl::asl {

// A branch or iteration reached its end with this output.
void close_child(const Program& program, ScopeId child, Value output, kernel::Turn& turn);

// A branch or iteration failed. Where that is not tolerated its siblings are aborted and the state that holds it fails.
void fail_child(const Program& program, ScopeId child, Failure failure, kernel::Turn& turn);

// Closes the children of a join that fails, each with the events AWS shows for it.
void abort_open_children(const Program& program, ScopeId parent, kernel::Turn& turn);

// Appends JoinEnded for the frame's state.
void end_join(Frame& frame, kernel::Outcome outcome);

// The results of a join whose children have all ended, in their order.
Value join_results(const kernel::Join& join);

}  // namespace pawl::asl
