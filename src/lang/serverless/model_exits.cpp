// Reads what leaves a state (transitions, ends, the events that they produce) and how a workflow starts.
#include <algorithm>
#include <array>

#include "lang/serverless/model_reader.h"
#include "text/cron.h"
#include "text/time_zone.h"

namespace pawl::serverless {
namespace {

enum class EndKind : uint8_t { kDefault, kTerminate, kEvent };

constexpr std::array<std::pair<std::string_view, EndKind>, 3> kEndKinds = {
    {{"default", EndKind::kDefault}, {"terminate", EndKind::kTerminate}, {"event", EndKind::kEvent}}};
constexpr std::array<std::pair<std::string_view, StartKind>, 2> kStartKinds = {
    {{"default", StartKind::kDefault}, {"scheduled", StartKind::kScheduled}}};
constexpr std::array<std::pair<std::string_view, bool>, 2> kDirectInvoke = {{{"allow", true}, {"deny", false}}};

// What CloudEvents names itself, which an extension attribute cannot be called.
constexpr std::array<std::string_view, 10> kReservedNames = {
    "specversion", "id", "source", "type", "subject", "time", "datacontenttype", "dataschema", "data", "data_base64"};

bool is_attribute_name(std::string_view name) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const auto is_reserved = [&](std::string_view reserved) { return Fields::is_same_word(reserved, name); };
  return !name.empty() && std::ranges::all_of(name, is_allowed) && std::ranges::none_of(kReservedNames, is_reserved);
}

void read_attributes_of(const Value& object, const Place& place, Reading& reading, ProducedEvent& event) {
  if (!check_object(object, place, "contextAttributes", reading)) return;
  for (const json::Member& member : object.members()) {
    const std::string_view name = member.key.as_string();
    const Place here(place, name);
    if (!is_attribute_name(name)) {
      reading.findings.report(
          Code::kAttributeName, here, quoted(name) + " cannot be the name of an extension attribute of CloudEvents.",
          "Use letters and digits, and none of the names that CloudEvents itself has.", Findings::At::kKey);
      continue;
    }
    auto value = Template::compile(member.value, reading.dialect());
    if (!value)
      report_error(Code::kExpression, value.error(), here, reading);
    else
      event.attributes.push_back({.name = std::string(name), .value = *std::move(value)});
  }
}

// An object, or an array of objects as the specification's own example has it.
void read_attributes(Fields& fields, ProducedEvent& event) {
  const Fields::Found found = fields.find({"contextAttributes"});
  if (!found) return;
  const Place here(fields.place(), found.name);
  if (!found.value->is_array()) return read_attributes_of(*found.value, here, fields.reading(), event);
  for (size_t index = 0; index < found.value->size(); ++index)
    read_attributes_of(found.value->at(index), Place(here, index), fields.reading(), event);
}

std::optional<ProducedEvent> read_one_produced(const Value& value, const Place& place, Reading& reading) {
  if (!check_object(value, place, "A produced event", reading)) return std::nullopt;
  Fields fields(value, place, reading);
  std::string name = fields.text({"eventRef"}, Need::kRequired);
  ProducedEvent event = read_produced(fields, std::move(name), Place(place, "eventRef"));
  fields.done("A produced event");
  return event;
}

// produceEvent of the draft, produceEvents of v0.5.
std::vector<ProducedEvent> read_all_produced(Fields& fields) {
  std::vector<ProducedEvent> events;
  const auto add = [&](const Value& value, const Place& place) {
    if (auto event = read_one_produced(value, place, fields.reading())) events.push_back(*std::move(event));
  };
  if (const Fields::Found found = fields.find({"produceEvent"})) add(*found.value, Place(fields.place(), found.name));
  if (const Fields::Found found = fields.array({"produceEvents"})) {
    const Place here(fields.place(), found.name);
    for (size_t index = 0; index < found.value->size(); ++index) add(found.value->at(index), Place(here, index));
  }
  return events;
}

// For now the state's place in the text, counted from 1; number_nodes makes its ordinal of it.
StateOrdinal refer_to_state(const std::string& name, const Place& place, Reading& reading) {
  if (name.empty()) return {};
  const auto found = reading.states.find(name);
  if (found != reading.states.end()) return StateOrdinal(static_cast<uint32_t>(found->second) + 1);
  if (reading.findings.full()) return {};
  std::vector<std::string_view> names;
  for (const auto& [known, index] : reading.states) {
    names.push_back(known);
    if (names.size() > kSuggestNamesMax) break;
  }
  std::ranges::sort(names);
  reading.findings.report(Code::kUnknownState, place, "There is no state " + quoted(name) + ".",
                          suggestion(name, names, "Write the name or the id of a state."));
  return {};
}

ExitKind kind_of(EndKind kind) { return kind == EndKind::kTerminate ? ExitKind::kTerminate : ExitKind::kEnd; }

Schedule read_schedule(const Value& value, const Place& place, Reading& reading) {
  Schedule schedule;
  if (value.is_string()) {  // v0.5: an interval alone
    schedule.interval_text = value.as_string();
  } else if (!check_object(value, place, "A schedule", reading)) {
    return schedule;
  }
  Fields fields(value, place, reading);
  if (schedule.interval_text.empty()) schedule.interval_text = fields.text({"interval"});
  schedule.cron = fields.text({"cron"});
  schedule.timezone = fields.text({"timezone", "timeZone"});
  const Need need = value.is_object() ? Need::kExpected : Need::kOptional;
  schedule.direct_invoke = fields.choice<bool>({"directInvoke"}, kDirectInvoke, need).value_or(true);
  fields.done("A schedule");
  return schedule;
}

void compile_schedule(Schedule& schedule, const Place& place, Reading& reading) {
  if (schedule.interval_text.empty() == schedule.cron.empty()) {
    const bool both = !schedule.cron.empty();
    return reading.findings.report(both ? Code::kTwinFields : Code::kMissingField, place,
                                   both ? "A schedule has an interval or a cron expression, not both."
                                        : "A schedule needs \"interval\" or \"cron\".",
                                   both ? "Keep one of them." : "Add one of them.", Findings::At::kKey);
  }
  if (!schedule.interval_text.empty()) {
    if (auto interval = text::parse_interval(schedule.interval_text))
      schedule.interval = *interval;
    else
      report_error(Code::kInterval, interval.error(), Place(place, "interval"), reading);
  } else if (auto cron = text::parse_cron(schedule.cron); !cron) {
    report_error(Code::kCron, cron.error(), Place(place, "cron"), reading);
  }
  if (schedule.timezone.empty()) return;
  if (auto zone = text::find_time_zone(schedule.timezone); !zone)
    report_error(Code::kTimeZone, zone.error(), Place(place, "timezone"), reading);
}

}  // namespace

ProducedEvent read_produced(Fields& fields, std::string event, const Place& event_place) {
  ProducedEvent produced;
  produced.event = std::move(event);
  produced.pointer = fields.pointer();
  produced.data = fields.data({"data"});
  read_attributes(fields, produced);
  if (produced.event.empty()) return produced;
  Reading& reading = fields.reading();
  const auto found = reading.events.find(produced.event);
  if (found == reading.events.end()) {
    reading.findings.report(
        Code::kUnknownEvent, event_place,
        "There is no event " + quoted(produced.event) + " here; only a parent workflow can lend it.",
        "Define it under \"events\".");
    reading.workflow.unresolved.push_back({Unresolved::Kind::kEvent, produced.event, event_place.pointer()});
  } else if (found->second->kind == EventKind::kProduced) {
    produced.definition = found->second;
  } else {
    reading.findings.report(Code::kEventNotProduced, event_place,
                            "The event " + quoted(produced.event) + " is defined as consumed, and produced here.",
                            "Define it with the kind \"produced\".");
  }
  return produced;
}

Exit read_transition(const Value& value, const Place& place, Reading& reading) {
  Exit exit;
  exit.kind = ExitKind::kTransition;
  exit.pointer = place.pointer();
  if (value.is_string()) {  // of later versions: the state's name alone
    exit.next = refer_to_state(std::string(value.as_string()), place, reading);
    return exit;
  }
  if (!check_object(value, place, "A transition", reading)) return exit;
  Fields fields(value, place, reading);
  const std::string next = fields.text({"nextState"}, Need::kRequired);
  exit.next = refer_to_state(next, Place(place, "nextState"), reading);
  exit.expression = fields.path({"expression"});
  exit.events = read_all_produced(fields);
  fields.done("A transition");
  return exit;
}

Exit read_end(const Value& value, const Place& place, Reading& reading) {
  Exit exit;
  exit.pointer = place.pointer();
  if (value.is_boolean()) return exit;  // of later versions: true
  if (!check_object(value, place, "An end", reading)) return exit;
  Fields fields(value, place, reading);
  const EndKind kind = fields.choice<EndKind>({"kind"}, kEndKinds, Need::kExpected).value_or(EndKind::kDefault);
  exit.kind = kind_of(kind);
  exit.events = read_all_produced(fields);
  fields.done("An end");
  if (kind == EndKind::kEvent && exit.events.empty())
    fields.report(Code::kMissingField, "An end of the kind \"event\" needs \"produceEvent\".",
                  "Say which event is produced.");
  return exit;
}

std::optional<Exit> read_exit(Fields& fields, Need need) {
  const Fields::Found transition = fields.find({"transition"});
  Fields::Found end = fields.find({"end"});
  if (end && end.value->is_boolean() && !end.value->as_boolean()) end = {};
  if (transition && end)
    fields.reading().findings.report(Code::kTwinFields, Place(fields.place(), "end"),
                                     "There is a transition and an end; only one of them can happen.",
                                     "Keep one of them.", Findings::At::kKey);
  if (transition) return read_transition(*transition.value, Place(fields.place(), "transition"), fields.reading());
  if (end) return read_end(*end.value, Place(fields.place(), "end"), fields.reading());
  if (need != Need::kOptional)
    fields.report(need == Need::kRequired ? Code::kMissingField : Code::kOmittedField,
                  "One of \"transition\" and \"end\" is required.", "Add one of them.");
  return std::nullopt;
}

std::optional<Start> read_start(Fields& fields) {
  const Fields::Found found = fields.find({"start"});
  if (!found || (found.value->is_boolean() && !found.value->as_boolean())) return std::nullopt;
  const Place here(fields.place(), found.name);
  Start start;
  start.pointer = here.pointer();
  Reading& reading = fields.reading();
  if (found.value->is_boolean() || !check_object(*found.value, here, "A start", reading)) return start;
  Fields inner(*found.value, here, reading);
  const std::optional<StartKind> kind = inner.choice<StartKind>({"kind"}, kStartKinds, Need::kExpected);
  const Fields::Found schedule = inner.find({"schedule"});
  start.kind = kind.value_or(schedule ? StartKind::kScheduled : StartKind::kDefault);
  inner.done("A start");
  if (start.kind == StartKind::kDefault) return start;
  if (!schedule) {
    inner.report(Code::kMissingField, "A scheduled start needs a \"schedule\".", "Add one, with interval or cron.");
    return start;
  }
  const Place place(here, "schedule");
  start.schedule = read_schedule(*schedule.value, place, reading);
  compile_schedule(*start.schedule, place, reading);
  return start;
}

}  // namespace pawl::serverless
