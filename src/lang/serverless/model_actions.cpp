// Reads actions, and the bodies that hold them.
#include <array>

#include "lang/serverless/model_reader.h"

namespace pawl::serverless {
namespace {

constexpr std::array<std::pair<std::string_view, ActionMode>, 2> kActionModes = {
    {{"sequential", ActionMode::kSequential}, {"parallel", ActionMode::kParallel}}};

void find_function(FunctionCall& call, const Place& place, Reading& reading) {
  if (call.name.empty()) return;
  const auto found = reading.functions.find(call.name);
  if (found != reading.functions.end()) {
    call.function = found->second;
    return;
  }
  if (reading.findings.full()) return;
  std::vector<std::string_view> names;
  for (const FunctionDefinition& function : reading.workflow.functions) names.push_back(function.name);
  reading.findings.report(
      Code::kUnknownFunction, place,
      "There is no function " + quoted(call.name) + " here; only a parent workflow or the tasks file can lend it.",
      suggestion(call.name, names, "Define it under \"functions\"."));
  reading.workflow.unresolved.push_back({Unresolved::Kind::kFunction, call.name, place.pointer()});
}

FunctionCall read_function_call(const Value& value, const Place& place, Reading& reading) {
  FunctionCall call;
  call.parameters = Template::compile(Value::empty_object()).value();
  if (value.is_string()) {  // of later versions: the function's name alone
    call.name = value.as_string();
    find_function(call, place, reading);
    return call;
  }
  if (!check_object(value, place, "A functionRef", reading)) return call;
  Fields fields(value, place, reading);
  call.name = fields.text({"refName"}, Need::kRequired);
  find_function(call, Place(place, "refName"), reading);
  if (auto parameters = fields.data({"parameters", "arguments"})) {
    call.parameters = *std::move(parameters);
    call.has_parameters = true;
  }
  fields.done("A functionRef");
  return call;
}

EventCall read_event_call(const Value& value, const Place& place, Reading& reading) {
  EventCall call;
  if (!check_object(value, place, "The eventRef of an action", reading)) return call;
  Fields fields(value, place, reading);
  std::string trigger = fields.text({"triggerEventRef"}, Need::kRequired);
  call.trigger = read_produced(fields, std::move(trigger), Place(place, "triggerEventRef"));
  call.result = fields.text({"resultEventRef"}, Need::kRequired);
  call.result_definition = refer_to_event(call.result, Place(place, "resultEventRef"), reading).definition;
  fields.done("The eventRef of an action");
  return call;
}

ActionFilter read_action_filter(Fields& action) {
  ActionFilter filter;
  const Fields::Found found = action.object({"actionDataFilter"});
  if (!found) return filter;
  const Place here(action.place(), found.name);
  Fields fields(*found.value, here, action.reading());
  filter.input = fields.path({"dataInputPath"});
  filter.results = fields.path({"dataResultsPath"});
  fields.done("An actionDataFilter");
  return filter;
}

void read_call(Fields& fields, Action& action) {
  const Fields::Found function = fields.find({"functionRef"});
  const Fields::Found event = fields.find({"eventRef"});
  if (function && event)
    fields.report(Code::kTwinFields, "An action calls a function or an event, not both.", "Keep one of them.");
  if (function) {
    action.call = read_function_call(*function.value, Place(fields.place(), "functionRef"), fields.reading());
  } else if (event) {
    action.call = read_event_call(*event.value, Place(fields.place(), "eventRef"), fields.reading());
  } else {
    fields.report(Code::kMissingField, "An action needs \"functionRef\" or \"eventRef\".", "Add one of them.");
  }
}

std::string called(const Action& action) {
  const auto* function = std::get_if<FunctionCall>(&action.call);
  return function != nullptr ? function->name : std::get<EventCall>(action.call).trigger.event;
}

void read_actions(Fields& fields, const Fields::Found& found, Body& body) {
  const Place here(fields.place(), found.name);
  for (size_t index = 0; index < found.value->size(); ++index) {
    if (fields.reading().findings.full()) return;
    body.actions.push_back(read_action(found.value->at(index), Place(here, index), fields.reading()));
  }
}

void check_not_itself(const Body& body, const Place& place, Reading& reading) {
  if (body.workflow_id.empty() || body.workflow_id != reading.workflow.id) return;
  reading.findings.report(Code::kCallsItself, Place(place, "workflowId"), "The workflow would call itself.",
                          "Name another workflow.");
}

}  // namespace

Action read_action(const Value& value, const Place& place, Reading& reading) {
  Action action;
  action.pointer = place.pointer();
  if (!check_object(value, place, "An action", reading)) return action;
  Fields fields(value, place, reading);
  action.name = fields.text({"name"});
  read_call(fields, action);
  action.has_own_name = !action.name.empty();
  if (!action.has_own_name) action.name = called(action);
  action.timeout = fields.duration({"timeout"});
  action.filter = read_action_filter(fields);
  fields.done("An action");
  return action;
}

Body read_body(Fields& fields, std::string name, bool may_be_workflow) {
  Body body;
  body.name = std::move(name);
  body.pointer = fields.pointer();
  body.mode = fields.choice<ActionMode>({"actionMode"}, kActionModes).value_or(ActionMode::kSequential);
  const Fields::Found actions = fields.array({"actions"}, may_be_workflow ? Need::kOptional : Need::kRequired);
  if (actions) read_actions(fields, actions, body);
  if (!may_be_workflow) return body;
  body.workflow_id = fields.text({"workflowId", "workflowid"});
  check_not_itself(body, fields.place(), fields.reading());
  if (actions && !body.workflow_id.empty())
    fields.report(Code::kTwinFields, "There are actions and a workflow; only one of them can run.",
                  "Keep one of them.");
  if (!actions && body.workflow_id.empty())
    fields.report(Code::kMissingField, "One of \"actions\" and \"workflowId\" is required.", "Add one of them.");
  return body;
}

// dataOutputPath; the texts also write dataInputPath and inputPath.
std::optional<Expression> read_event_filter(Fields& fields) {
  const Fields::Found found = fields.object({"eventDataFilter"});
  if (!found) return std::nullopt;
  const Place here(fields.place(), found.name);
  Fields inner(*found.value, here, fields.reading());
  std::optional<Expression> filter = inner.path({"dataOutputPath", "dataInputPath", "inputPath"});
  inner.done("An eventDataFilter");
  return filter;
}

}  // namespace pawl::serverless
