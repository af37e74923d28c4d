// The compiled form of one node: a state, an action, or what the machine as a whole needs. Each action type has its own
// file with its subclass.
#pragma once

#include <memory>
#include <string_view>

#include "base/ids.h"
#include "lang/sm4c/frame.h"
#include "lang/sm4c/model.h"

namespace pawl::sm4c {

// Immutable; refers to its node in the model, which the Program owns.
class NodeCode {
 public:
  explicit NodeCode(StateOrdinal ordinal) : ordinal_(ordinal) {}
  virtual ~NodeCode() = default;

  // StateEntered was appended: run. Also called again, without StateEntered, after a redrive.
  virtual void run(Frame& frame) const = 0;
  // What the node waited for has ended; frame.scope().ended says what.
  virtual void resume(Frame& frame) const;
  // Children of its join may be opened.
  virtual void open_children(Frame& frame) const;
  // A child of its join succeeded. Where that ended the join, resume follows.
  virtual void child_closed(Frame&) const {}
  // The node failed, itself or because a child of its join did.
  virtual void fail(Frame& frame, Failure failure) const = 0;
  // What its operation calls.
  virtual kernel::Call call(const kernel::Operation& operation) const;
  virtual std::string_view resource() const { return {}; }

  StateOrdinal ordinal() const { return ordinal_; }

 private:
  StateOrdinal ordinal_;
};

using NodeCodePtr = std::unique_ptr<NodeCode>;

NodeCodePtr compile_state(const State& state);
NodeCodePtr compile_wait(const State& state);
NodeCodePtr compile_machine(const StateMachine& machine);
NodeCodePtr compile_mailbox(const StateMachine& machine);
NodeCodePtr compile_timekeeper(const StateMachine& machine);
NodeCodePtr compile_detached_call(const Action& action);

// A code for each action type; the action is of that type.
NodeCodePtr compile_delay(const Action& action);
NodeCodePtr compile_foreach(const Action& action);
NodeCodePtr compile_inject_data(const Action& action);
NodeCodePtr compile_invoke_function(const Action& action);
NodeCodePtr compile_invoke_subflow(const Action& action);
NodeCodePtr compile_parallel(const Action& action);
NodeCodePtr compile_send_event(const Action& action);
NodeCodePtr compile_sequence(const Action& action);

}  // namespace pawl::sm4c
