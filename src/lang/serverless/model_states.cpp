// Reads states: what all have in common, and each type's own.
#include <array>

#include "lang/serverless/model_reader.h"

namespace pawl::serverless {
namespace {

constexpr std::array<std::pair<std::string_view, CompletionType>, 3> kCompletionTypes = {
    {{"and", CompletionType::kAnd}, {"xor", CompletionType::kXor}, {"n_of_m", CompletionType::kNOfM}}};

EventsActions read_group(const Value& value, const Place& place, const State& state, Reading& reading) {
  EventsActions group;
  if (!check_object(value, place, "What an event sets off", reading)) return group;
  Fields fields(value, place, reading);
  const Fields::Found references = fields.array({"eventRefs"}, Need::kRequired);
  const Place here(place, "eventRefs");
  if (references && references.value->size() == 0)
    reading.findings.report(Code::kEmpty, here, "\"eventRefs\" must not be empty.", "Name an event.");
  for (size_t index = 0; references && index < references.value->size(); ++index) {
    const Value& name = references.value->at(index);
    if (!name.is_string())
      reading.findings.report(Code::kFieldType, Place(here, index), "The name of an event must be text.",
                              "Write text.");
    else
      group.events.push_back(refer_to_event(std::string(name.as_string()), Place(here, index), reading));
  }
  group.body = read_body(fields, state.name, false);
  group.event_filter = read_event_filter(fields);
  fields.done("What an event sets off");
  return group;
}

EventState read_event_state(Fields& fields, const State& state) {
  EventState event;
  event.exclusive = fields.boolean({"exclusive"}).value_or(true);
  event.timeout = fields.duration({"timeout"});
  const Fields::Found groups = fields.array({"eventsActions", "onEvents"}, Need::kRequired);
  if (!groups) return event;
  const Place here(fields.place(), groups.name);
  if (groups.value->size() == 0)
    fields.reading().findings.report(Code::kEmpty, here, "An event state must wait for something.", "Add an entry.");
  for (size_t index = 0; index < groups.value->size(); ++index)
    event.groups.push_back(read_group(groups.value->at(index), Place(here, index), state, fields.reading()));
  return event;
}

// A condition of v0.5 may end the workflow; the draft's only go on.
Exit read_condition_exit(Fields& fields) { return read_exit(fields, Need::kRequired).value_or(Exit{}); }

DataCondition read_data_condition(const Value& value, const Place& place, Reading& reading) {
  DataCondition condition;
  if (!check_object(value, place, "A condition", reading)) return condition;
  Fields fields(value, place, reading);
  condition.name = fields.text({"name"});
  condition.condition = fields.path({"condition"}, Need::kRequired).value_or(Expression{});
  condition.exit = read_condition_exit(fields);
  condition.metadata = fields.metadata();
  fields.done("A condition");
  return condition;
}

EventCondition read_event_condition(const Value& value, const Place& place, Reading& reading) {
  EventCondition condition;
  if (!check_object(value, place, "A condition", reading)) return condition;
  Fields fields(value, place, reading);
  condition.name = fields.text({"name"});
  condition.event = refer_to_event(fields.text({"eventRef"}, Need::kRequired), Place(place, "eventRef"), reading);
  condition.event_filter = read_event_filter(fields);
  condition.exit = read_condition_exit(fields);
  condition.metadata = fields.metadata();
  fields.done("A condition");
  return condition;
}

// {"nextState"} in the draft, {"transition"} or {"end"} in v0.5.
std::optional<Exit> read_default(Fields& fields) {
  const Fields::Found found = fields.find({"default"});
  if (!found) {
    fields.report(Code::kNoDefault, "The switch has no \"default\": it fails where nothing matches.", "Add one.");
    return std::nullopt;
  }
  const Place here(fields.place(), found.name);
  if (!check_object(*found.value, here, "The default of a switch", fields.reading())) return std::nullopt;
  if (found.value->find("nextState") != nullptr) return read_transition(*found.value, here, fields.reading());
  Fields inner(*found.value, here, fields.reading());
  inner.find({"nextState"});  // it has none, but a misspelling of it is known for what it is
  std::optional<Exit> exit = read_exit(inner, Need::kRequired);
  inner.done("The default of a switch");
  return exit;
}

SwitchState read_switch_state(Fields& fields) {
  SwitchState result;
  Reading& reading = fields.reading();
  const Fields::Found data = fields.array({"dataConditions"});
  const Fields::Found events = fields.array({"eventConditions"});
  if (data && events)
    fields.report(Code::kTwinFields, "A switch decides by data or by events, not by both.", "Keep one of them.");
  if (!data && !events)
    fields.report(Code::kMissingField, "A switch needs \"dataConditions\" or \"eventConditions\".", "Add one of them.");
  for (size_t index = 0; data && index < data.value->size(); ++index) {
    const Place here(fields.place(), data.name);
    result.data_conditions.push_back(read_data_condition(data.value->at(index), Place(here, index), reading));
  }
  for (size_t index = 0; events && index < events.value->size(); ++index) {
    const Place here(fields.place(), events.name);
    result.event_conditions.push_back(read_event_condition(events.value->at(index), Place(here, index), reading));
  }
  result.event_timeout = fields.duration({"eventTimeout"}, events ? Need::kExpected : Need::kOptional);
  result.fallback = read_default(fields);
  if (fields.find({"end"}))
    reading.findings.report(Code::kSwitchEnd, Place(fields.place(), "end"), "A switch cannot be an end state.",
                            "Let it go to a state that ends.", Findings::At::kKey);
  return result;
}

DelayState read_delay_state(Fields& fields) {
  return {.delay = fields.duration({"timeDelay"}, Need::kRequired).value_or(DurationField{})};
}

Body read_branch(const Value& value, const Place& place, Reading& reading) {
  if (!check_object(value, place, "A branch", reading)) return {};
  Fields fields(value, place, reading);
  std::string name = fields.text({"name"}, Need::kExpected);
  if (name.empty()) name = "branch " + place.last_token();
  Body body = read_body(fields, std::move(name), true);
  fields.done("A branch");
  return body;
}

void check_completion(const ParallelState& state, Fields& fields) {
  const bool counts = state.completion == CompletionType::kNOfM;
  const Place here(fields.place(), "n");
  Findings& findings = fields.reading().findings;
  if (counts && !state.n)
    return fields.report(Code::kMissingField, "The completion type \"n_of_m\" needs \"n\".",
                         "Say how many branches must complete.");
  if (!state.n) return;
  if (!counts)
    return findings.report(Code::kNIgnored, here, "\"n\" counts only with the completion type \"n_of_m\".",
                           "Take it out, or change \"completionType\".");
  const std::optional<int64_t> n = state.n->literal();
  if (n && *n == 0) findings.report(Code::kNumber, here, "\"n\" must be at least 1.", "Write 1 or more.");
  if (n && static_cast<uint64_t>(*n) > state.branches.size())
    findings.report(Code::kBranchesFewerThanN, here,
                    "\"n\" is " + std::to_string(*n) + ", and there are " + std::to_string(state.branches.size()) +
                        " branches: the state could never complete.",
                    "Lower \"n\", or add branches.");
}

ParallelState read_parallel_state(Fields& fields) {
  ParallelState state;
  state.completion = fields.choice<CompletionType>({"completionType"}, kCompletionTypes).value_or(CompletionType::kAnd);
  state.n = fields.integer({"n"});
  const Fields::Found branches = fields.array({"branches"}, Need::kRequired);
  if (!branches) return state;
  const Place here(fields.place(), branches.name);
  if (branches.value->size() == 0)
    fields.reading().findings.report(Code::kEmpty, here, "\"branches\" must not be empty.", "Add a branch.");
  for (size_t index = 0; index < branches.value->size(); ++index)
    state.branches.push_back(read_branch(branches.value->at(index), Place(here, index), fields.reading()));
  check_completion(state, fields);
  return state;
}

SubflowState read_subflow_state(Fields& fields) {
  SubflowState state;
  state.workflow_id = fields.text({"workflowId", "workflowid"}, Need::kRequired);
  state.wait_for_completion = fields.boolean({"waitForCompletion"}, Need::kExpected).value_or(false);
  if (!state.workflow_id.empty() && state.workflow_id == fields.reading().workflow.id)
    fields.reading().findings.report(Code::kCallsItself, Place(fields.place(), "workflowId"),
                                     "The workflow would call itself.", "Name another workflow.");
  return state;
}

InjectState read_inject_state(Fields& fields) {
  const Fields::Found data = fields.object({"data"});
  return {.data = data ? *data.value : Value::empty_object()};
}

ForeachState read_foreach_state(Fields& fields, const State& state) {
  ForeachState foreach;
  foreach
    .input_collection = fields.path({"inputCollection"}, Need::kRequired).value_or(Expression{});
  foreach
    .output_collection = fields.path({"outputCollection"});
  foreach
    .iteration_param = fields.text({"iterationParam", "inputParameter"}, Need::kRequired);
  foreach
    .max = fields.integer({"max"});
  foreach
    .body = read_body(fields, state.name, true);
  if (foreach.output_collection && foreach.output_collection->names().empty())
    fields.reading().findings.report(Code::kOutputCollection, Place(fields.place(), "outputCollection"),
                                     "The results need one place in the state's data.",
                                     "Write a path of names, such as {{ $.results }}.");
  return foreach;
}

CallbackState read_callback_state(Fields& fields) {
  CallbackState callback;
  Reading& reading = fields.reading();
  if (const Fields::Found action = fields.find({"action"}, Need::kRequired))
    callback.action = read_action(*action.value, Place(fields.place(), "action"), reading);
  std::string event = fields.text({"eventRef"}, Need::kRequired);
  callback.event = refer_to_event(std::move(event), Place(fields.place(), "eventRef"), reading);
  callback.event_filter = read_event_filter(fields);
  callback.timeout = fields.duration({"timeout"}, Need::kExpected);
  return callback;
}

void read_detail(Fields& fields, State& state) {
  switch (state.type) {
    case StateType::kEvent:
      state.detail = read_event_state(fields, state);
      return;
    case StateType::kOperation:
      state.detail = OperationState{.body = read_body(fields, state.name, false)};
      return;
    case StateType::kSwitch:
      state.detail = read_switch_state(fields);
      return;
    case StateType::kDelay:
      state.detail = read_delay_state(fields);
      return;
    case StateType::kParallel:
      state.detail = read_parallel_state(fields);
      return;
    case StateType::kSubflow:
      state.detail = read_subflow_state(fields);
      return;
    case StateType::kInject:
      state.detail = read_inject_state(fields);
      return;
    case StateType::kForeach:
      state.detail = read_foreach_state(fields, state);
      return;
    case StateType::kCallback:
      state.detail = read_callback_state(fields);
      return;
  }
}

StateFilter read_state_filter(Fields& fields) {
  StateFilter filter;
  const Fields::Found found = fields.object({"stateDataFilter"});
  if (!found) return filter;
  const Place here(fields.place(), found.name);
  Fields inner(*found.value, here, fields.reading());
  filter.input = inner.path({"dataInputPath"});
  filter.output = inner.path({"dataOutputPath"});
  inner.done("A stateDataFilter");
  return filter;
}

std::optional<StateType> read_type(Fields& fields) {
  const std::string written = fields.text({"type"}, Need::kRequired);
  if (written.empty()) return std::nullopt;
  if (const StateType* type = find_state_type(written)) return *type;
  fields.reading().findings.report(
      Code::kUnknownStateType, Place(fields.place(), "type"), quoted(written) + " is no type of a state.",
      "Write one of event, operation, switch, delay, parallel, subflow, inject, foreach, callback.");
  return std::nullopt;
}

}  // namespace

std::optional<State> read_state(const Value& value, const Place& place, Reading& reading) {
  if (!check_object(value, place, "A state", reading)) return std::nullopt;
  Fields fields(value, place, reading);
  const std::optional<StateType> type = read_type(fields);
  if (!type) return std::nullopt;
  State state;
  state.type = *type;
  state.pointer = place.pointer();
  state.source = value;
  state.name = fields.text({"name"}, Need::kRequired);
  state.id = fields.text({"id"});
  state.metadata = fields.metadata();
  state.filter = read_state_filter(fields);
  state.input_schema = fields.schema({"dataInputSchema"});
  state.output_schema = fields.schema({"dataOutputSchema"});
  state.start = read_start(fields);
  read_detail(fields, state);
  read_error_handling(fields, state);
  if (state.type != StateType::kSwitch) state.exit = read_exit(fields, Need::kRequired);
  fields.done("A state");
  return state;
}

}  // namespace pawl::serverless
