// Reads states, their transitions and event groups.
#include "lang/sm4c/model_reader.h"

namespace pawl::sm4c {
namespace {

EventGroup read_group(const Value& value, const Place& place, Reading& reading) {
  EventGroup group;
  group.pointer = place.pointer();
  if (!check_object(value, place, "An event group", reading)) return group;
  Fields fields(value, place, reading);
  const Fields::Found events = fields.array({"events"}, Need::kRequired);
  const Place here(place, "events");
  if (events && events.value->size() == 0)
    fields.report_at(Code::kEmpty, "events", "\"events\" must not be empty.", "Name an event.");
  for (size_t index = 0; events && index < events.value->size(); ++index) {
    const Value& name = events.value->at(index);
    if (!name.is_string()) {
      reading.findings.report(Code::kFieldType, Place(here, index), "The name of an event must be text.",
                              "Write text.");
      continue;
    }
    const EventDefinition* event = refer_to(name.as_string(), reading.events, reading.machine.events,
                                            Code::kUnknownEvent, "event", Place(here, index), reading);
    if (event != nullptr) group.events.push_back(event);
  }
  group.condition = fields.expression({"condition"}, Role::kPlain);
  group.result_handler = fields.expression({"resultHandler"}, Role::kHandler);
  fields.done("An event group");
  return group;
}

void read_groups(Fields& fields, Transition& transition) {
  const Fields::Found groups = fields.array({"eventGroups"});
  if (!groups) return;
  const Place here(fields.place(), groups.name);
  for (size_t index = 0; index < groups.value->size(); ++index)
    transition.groups.push_back(read_group(groups.value->at(index), Place(here, index), fields.reading()));
}

// Ordinals are given later: `next` is the place of the state in the text, from 1, until then.
void read_next(Fields& fields, Transition& transition) {
  const std::string name = fields.text({"nextState"});
  if (name.empty()) return;
  transition.has_next = true;
  Reading& reading = fields.reading();
  const auto found = reading.states.find(lower_case(name));
  if (found != reading.states.end()) {
    transition.next = StateOrdinal(static_cast<uint32_t>(found->second + 1));
    return;
  }
  if (reading.findings.full()) return;
  std::vector<std::string_view> names;
  for (const auto& [known, index] : reading.states) names.push_back(known);
  fields.report_at(Code::kUnknownState, "nextState", "There is no state " + quoted(name) + ".",
                   suggestion(name, names, "Write the name of a state."));
}

Transition read_transition(const Value& value, const Place& place, Reading& reading) {
  Transition transition;
  transition.pointer = place.pointer();
  if (!check_object(value, place, "A transition", reading)) return transition;
  Fields fields(value, place, reading);
  read_next(fields, transition);
  transition.condition = fields.expression({"condition"}, Role::kPlain);
  read_groups(fields, transition);
  transition.timeout = fields.timespan({"timeout"});
  transition.action = read_action(fields, "action");
  transition.result_handler = fields.expression({"resultHandler"}, Role::kHandler);
  fields.done("A transition");
  return transition;
}

}  // namespace

State read_state(const Value& value, const Place& place, Reading& reading) {
  State state;
  state.pointer = place.pointer();
  if (!check_object(value, place, "A state", reading)) return state;
  Fields fields(value, place, reading);
  state.name = fields.text({"name"}, Need::kRequired);
  state.is_start = fields.boolean({"start"}).value_or(false);
  state.input_filter = fields.expression({"inputFilter"}, Role::kPlain);
  state.enter_action = read_action(fields, "enterAction");
  state.enter_handler = fields.expression({"enterResultHandler"}, Role::kHandler);
  state.exit_action = read_action(fields, "exitAction");
  state.exit_handler = fields.expression({"exitResultHandler"}, Role::kHandler);
  if (const Fields::Found transitions = fields.array({"transitions"})) {
    const Place here(place, transitions.name);
    for (size_t index = 0; index < transitions.value->size(); ++index)
      state.transitions.push_back(read_transition(transitions.value->at(index), Place(here, index), reading));
  }
  fields.done("A state");
  return state;
}

}  // namespace pawl::sm4c
