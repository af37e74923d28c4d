// The functions and events that a workflow may name: its own, and those that a sub-workflow inherits from its parent.
//
// What is inherited is JSON in the execution's context, {"inherited": {"functions": […], "events": […]}}. A workflow's
// own come first.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernel/event_filter.h"
#include "kernel/execution.h"
#include "lang/serverless/failure.h"
#include "lang/serverless/model.h"

namespace pawl::serverless {

class Definitions {
 public:
  Definitions(const Workflow& workflow, const Options& options);

  // What the function calls, and how where an OpenAPI document says it; its own name where nothing else is known.
  struct Callee {
    std::string resource;
    Value endpoint;
  };
  Callee callee_of(const FunctionCall& call, const kernel::Execution& execution) const;

  // Failure: Workflow.UnknownEvent.
  Attempt<EventDefinition> find_event(std::string_view name, const kernel::Execution& execution) const;

  // The operation input of a sub-workflow: {"input", "functions", "events"}, with all that it inherits.
  Value hand_down(Value input, const kernel::Execution& execution) const;

 private:
  const Workflow& workflow_;
  Options options_;
  Value functions_;  // the JSON of the workflow's own
  Value events_;
};

// What a wait for the event asks for: its source and type, and of its correlation what the definition, the data and the
// events so far fix.
Attempt<kernel::EventFilter> filter_of(const EventDefinition& definition, const Value& data, const Value& correlation);

// As filter_of, before there is an instance: only what the text fixes.
kernel::EventFilter start_filter_of(const EventDefinition& definition);

}  // namespace pawl::serverless
