// A compiled definition, as the kernel sees it: a pure decider. One Program is shared by all executions of its
// definition.
#pragma once

#include <string>
#include <string_view>

#include "base/ids.h"
#include "kernel/execution.h"
#include "kernel/signal.h"
#include "kernel/start_rule.h"
#include "kernel/turn.h"

namespace pawl::kernel {

// What is called for an operation.
struct Call {
  std::string name;      // a state's, or a function's: mocks go by it
  std::string resource;  // an ARN, a URL, a function's name
  Value input;
  Value endpoint = {};  // how the resource is called, where the definition's own files say it; null: they do not
};

class Program {
 public:
  virtual ~Program() = default;

  // Appends ExecutionStarted.
  virtual void start(const Signal& signal, Turn& turn) const = 0;
  // Takes a ready scope one step on: appends at least one fact, and leaves the scope in another step or closed.
  virtual void step(ScopeId scope, Turn& turn) const = 0;
  // Called before each step: true if it ended the execution because a limit was reached.
  virtual bool enforce_limits(Turn& turn) const = 0;

  // Fills in what a redrive begins anew, into the fact that tells of it: the deadline, the context.
  virtual void refine_redrive(const Turn&, Fact&) const {}

  // Looks at what arrived for an operation before it is recorded, and may change it: a result over the limit is a
  // failure.
  virtual void refine_answer(const Operation& operation, const Limits& limits, Signal& signal) const = 0;

  // Answers what the execution's own code asks for (Turn::set_answer), before the first fact where it refuses.
  virtual void take_request(const Signal&, Turn& turn) const {
    turn.set_answer(
        fail("REQUEST_UNKNOWN", "Executions of this definition take no requests.", "Ask a durable function."));
  }

  // What the operation of a state calls: an ARN, a URL, a function's name.
  virtual std::string_view resource_of(StateOrdinal state) const = 0;
  virtual std::string_view state_name(StateOrdinal state) const = 0;
  // What is called for an open operation of an execution.
  virtual Call call_of(const Execution&, const Operation& operation) const {
    return {std::string(state_name(operation.state)), std::string(resource_of(operation.state)), operation.input};
  }
  // What starts executions besides a direct start.
  virtual StartRule start_rule() const { return {}; }
};

enum class TurnEnd : uint8_t {
  kQuiet,  // the execution can only wait, or is closed
  kCut,    // there is more to do: send kContinue
};

// Takes one signal: fires what is due, applies the signal, and steps every ready scope until all wait or the turn is
// full. A signal that names nothing open (a late completion, a stale wake) yields no fact.
TurnEnd decide(const Program& program, const Signal& signal, Turn& turn);

}  // namespace pawl::kernel
