// Waits for events: what an operation of kind event is scheduled with, and what it ended with.
//
// {"filters": […], "have": [{"event": name, "value": CloudEvent}, …]} where `have` is the memory of a wait for several.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/serverless/frame.h"

namespace pawl::serverless {

// The input of an operation that waits for any of these events, named as the definition names them.
Attempt<Value> wait_for(const Frame& frame, const std::vector<std::string>& events, const Value& data);

// An event that came, by the definition's name for it.
struct ArrivedEvent {
  std::string event;
  Value value;

  Value to_value() const;  // {"event", "value"}
  static ArrivedEvent from_value(const Value& value);
};

// What a wait ended with.
ArrivedEvent arrived_in(const kernel::Ended& ended);

// Attributes that a filter left open may have been settled since, by an event of another wait. Where an event does not
// have what was settled it is not the execution's: waits again, for one that is, and says so.
bool await_own_event(Frame& frame);

// Data with an event added, as its filter says. Failures: Workflow.UnknownEvent, Workflow.MergeFailure.
Attempt<Value> add_arrived(const Frame& frame, const std::optional<Expression>& filter, const Value& data,
                           const ArrivedEvent& arrived);

}  // namespace pawl::serverless
