// The compiled form of one node: a state, what is in it, an action. Each state type has its own file with its subclass.
#pragma once

#include <memory>
#include <string_view>

#include "base/ids.h"
#include "base/result.h"
#include "lang/serverless/frame.h"
#include "lang/serverless/model.h"

namespace pawl::serverless {

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
  virtual void child_closed(Frame&, uint32_t) const {}
  // A child of its join failed, and with it the node.
  virtual void child_failed(Frame& frame, Failure failure) const { fail(frame, std::move(failure)); }
  // The node itself failed.
  virtual void fail(Frame& frame, Failure failure) const = 0;
  // What its operation calls. The name is that of the node where the code gives none.
  virtual kernel::Call call(const kernel::Execution& execution, const kernel::Operation& operation,
                            const Definitions& definitions) const;
  virtual std::string_view resource() const { return {}; }

  StateOrdinal ordinal() const { return ordinal_; }

 private:
  StateOrdinal ordinal_;
};

using NodeCodePtr = std::unique_ptr<NodeCode>;

// A code for each state type; the state is of that type.
NodeCodePtr compile_event(const State& state);
NodeCodePtr compile_operation(const State& state);
NodeCodePtr compile_switch(const State& state);
NodeCodePtr compile_delay(const State& state);
NodeCodePtr compile_parallel(const State& state);
NodeCodePtr compile_subflow(const State& state);
NodeCodePtr compile_inject(const State& state);
NodeCodePtr compile_foreach(const State& state);
NodeCodePtr compile_callback(const State& state);

NodeCodePtr compile_body(const Node& node);
NodeCodePtr compile_action(const Node& node);
NodeCodePtr compile_wait(const Node& node, StateOrdinal ordinal);

}  // namespace pawl::serverless
