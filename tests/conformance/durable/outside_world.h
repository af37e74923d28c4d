// The outside world of a case: it answers the callbacks of an execution when the execution rests.
//
// The cases say how many seconds it takes for that. Their only purpose is that the invocation has returned by then,
// which the history shows, so nobody has to wait.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "bindings.h"
#include "case_file.h"

namespace pawl::conformance {

class OutsideWorld {
 public:
  struct Act {
    std::string callback_id;
    CallbackAction::Operation operation;
    std::optional<Value> payload;
  };

  explicit OutsideWorld(const std::vector<CallbackAction>& actions) : actions_(actions), used_(actions.size()) {}

  // What to do next, in view of the history; nothing while an invocation is under way, or where nothing is left.
  std::optional<Act> next(const std::vector<Value>& events, const Bindings& bindings);

 private:
  const CallbackAction* take_action(const std::string& name, const Bindings& bindings);

  const std::vector<CallbackAction>& actions_;
  std::vector<bool> used_;
  std::set<std::string> closed_;  // callbacks that were answered
};

// Nothing goes on: the last event is the end of an invocation.
bool is_at_rest(const std::vector<Value>& events);

// What a success carries: the bytes that AWS's runner, a Python program, sends for the value.
std::string payload_text(const Value& value);

}  // namespace pawl::conformance
