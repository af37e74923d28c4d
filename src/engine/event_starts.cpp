#include "engine/event_starts.h"

#include <algorithm>
#include <utility>

#include "engine/shard.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::engine {

using kernel::EventAttribute;
using kernel::EventFilter;
using kernel::StartRule;
using store::PartialSetRow;

namespace {

// A partial set, as the body of its row holds it.
struct PartialSet {
  Value events = Value::empty_array();  // [{"event", "value"}]
  Value correlation = Value::empty_object();

  bool has(const std::string& event) const {
    return std::ranges::any_of(events.items(), [&](const Value& item) { return name_of(item) == event; });
  }
  static std::string_view name_of(const Value& item) {
    const Value* name = item.find("event");
    return name != nullptr && name->is_string() ? name->as_string() : std::string_view();
  }
};

Value named_event(const std::string& name, const Value& event) {
  json::ObjectBuilder item(2);
  item.set("event", Value::string(name));
  item.set("value", event);
  return item.build();
}

Value with_event(const Value& events, const std::string& name, const Value& event) {
  json::ArrayBuilder list;
  for (const Value& item : events.items()) list.push(item);
  list.push(named_event(name, event));
  return list.build();
}

// What the filter leaves open is settled by the event.
Value learn(Value correlation, const EventFilter& filter, const Value& event) {
  for (const EventAttribute& attribute : filter.attributes)
    if (const auto text = kernel::attribute_of(event, attribute.name); text && !attribute.value)
      correlation = correlation.with_member(attribute.name, Value::string(*text));
  return correlation;
}

bool is_compatible(const Value& correlation, const EventFilter& filter, const Value& event) {
  return std::ranges::all_of(filter.attributes, [&](const EventAttribute& attribute) {
    const Value* known = correlation.find(attribute.name);
    if (known == nullptr || attribute.value) return true;
    return known->is_string() && kernel::attribute_of(event, attribute.name) == known->as_string();
  });
}

bool leaves_open(const EventFilter& filter, const std::string& name) {
  return std::ranges::any_of(
      filter.attributes, [&](const EventAttribute& attribute) { return attribute.name == name && !attribute.value; });
}

// Sets that the event may belong to have the same values of the attributes that all filters of the rule leave open.
kernel::EventKey key_of_set(const EventTrigger& trigger, const Value& event) {
  EventFilter common;
  common.source = "partial set";
  common.type = trigger.family;
  for (const EventAttribute& attribute : trigger.rule.events.front().attributes) {
    const bool is_common = std::ranges::all_of(
        trigger.rule.events, [&](const EventFilter& filter) { return leaves_open(filter, attribute.name); });
    if (is_common) common.add(attribute.name, kernel::attribute_of(event, attribute.name));
  }
  return kernel::key_of(common);
}

const EventFilter* first_match(const StartRule& rule, const Value& event) {
  const auto found =
      std::ranges::find_if(rule.events, [&](const EventFilter& filter) { return kernel::matches(filter, event); });
  return found == rule.events.end() ? nullptr : &*found;
}

// The first that the set still lacks and the event is for.
const EventFilter* first_missing(const StartRule& rule, const PartialSet& set, const Value& event) {
  const auto found = std::ranges::find_if(rule.events, [&](const EventFilter& filter) {
    return !set.has(filter.event) && kernel::matches(filter, event) && is_compatible(set.correlation, filter, event);
  });
  return found == rule.events.end() ? nullptr : &*found;
}

bool is_complete(const StartRule& rule, const PartialSet& set) {
  return std::ranges::all_of(rule.events, [&](const EventFilter& filter) { return set.has(filter.event); });
}

std::string encode(const PartialSet& set) {
  json::ObjectBuilder body(2);
  body.set("events", set.events);
  body.set("correlation", set.correlation);
  return json::print(body.build());
}

PartialSet read_set(const std::string& body) {
  PartialSet set;
  const auto read = json::parse(body, {.depth_max = json::kDepthCeiling});
  if (!read) return set;
  if (const Value* events = read->find("events"); events != nullptr && events->is_array()) set.events = *events;
  if (const Value* known = read->find("correlation"); known != nullptr && known->is_object()) set.correlation = *known;
  return set;
}

}  // namespace

void send(Shared& shared, ExecutionId destination, std::string body, DeskOutput& out) {
  const store::Message message{store::MessageId(++shared.last_message), destination, std::move(body)};
  out.batch.sent.push_back(message);
  out.sent.push_back(message);
}

ExecutionId wake_of_partial_set(EventNumber set) { return ExecutionId(kPartialSetBit | set.number << kSlotBits); }

bool is_partial_set(ExecutionId wake) { return (wake.number & kPartialSetBit) != 0; }

void EventStarts::decide(const ArrivedEvent& event, const std::set<std::string>& reached, DeskOutput& out) {
  if (shared_.borders.triggers == nullptr) return;
  const Value* source = event.value.find("source");
  const Value* type = event.value.find("type");
  const auto triggers = shared_.borders.triggers->triggers_of(source->as_string(), type->as_string(), event.received);
  for (const EventTrigger& trigger : triggers) {
    const EventFilter* filter = first_match(trigger.rule, event.value);
    if (filter == nullptr || reached.contains(trigger.family)) continue;
    if (trigger.rule.needs_all) {
      gather(trigger, event, out);
    } else {
      start(trigger.definition, event.number, with_event(Value::empty_array(), filter->event, event.value),
            learn(Value::empty_object(), *filter, event.value), out);
    }
  }
}

void EventStarts::start(DefinitionId definition, EventNumber last, Value events, Value correlation, DeskOutput& out) {
  EventMessage message;
  message.kind = EventMessage::Kind::kStart;
  message.definition = definition;
  message.number = last;
  message.events = std::move(events);
  message.correlation = std::move(correlation);
  const uint64_t sequence = ++shared_.last_sequence;
  send(shared_, ExecutionId(sequence << kSlotBits | sequence % kSlots), encode(message), out);
  shared_.metrics.events_started.add();
}

// An event may begin a set for each of several definitions: a set's number is the event's and some more bits, the first
// that no other set has. Those of later events are above those of earlier ones, so that they stay in their order.
EventNumber EventStarts::free_number(EventNumber event) const {
  uint64_t number = event.number << kSetsOfAnEventBits;
  while (is_used(EventNumber(number))) ++number;
  return EventNumber(number);
}

// Also by one that is gone in the same batch, which would take the new one with it.
bool EventStarts::is_used(EventNumber id) const {
  return gathering_.contains(id) || in_flight_.contains(id) || shared_.borders.store.find_partial_set(id);
}

void EventStarts::gather(const EventTrigger& trigger, const ArrivedEvent& event, DeskOutput& out) {
  const StartRule& rule = trigger.rule;
  PartialSetRow row;
  PartialSet set;
  const EventFilter* filter = nullptr;
  const kernel::EventKey key = key_of_set(trigger, event.value);
  for (const PartialSetRow& known : sets_under(key)) {
    if (known.due <= event.received) continue;  // too late for it, though its wake has not come yet
    set = read_set(known.body);
    filter = first_missing(rule, set, event.value);
    if (filter == nullptr) continue;
    row = known;
    break;
  }
  if (filter == nullptr) {
    set = {};
    filter = first_match(rule, event.value);
    row = {free_number(event.number), key, kNever, {}};
  }
  set.events = with_event(set.events, filter->event, event.value);
  set.correlation = learn(set.correlation, *filter, event.value);
  if (is_complete(rule, set)) {
    drop(row, out);
    return start(trigger.definition, event.number, set.events, set.correlation, out);
  }
  const Timestamp due_before = std::exchange(row.due, rule.gap == Duration(0) ? kNever : event.received + rule.gap);
  row.body = encode(set);
  put(row, due_before, out);
}

void EventStarts::give_up(const store::Wake& wake, DeskOutput& out) {
  const auto row = find(EventNumber((wake.execution.number & ~kPartialSetBit) >> kSlotBits));
  const bool is_outdated = !row || row->due != wake.due;  // an event has come since
  const bool is_over = row && row->due <= shared_.borders.clock.now();
  if (is_over) drop(*row, out);
  if (is_outdated) out.batch.dropped.push_back(wake);
}

// --- rows, as they will be

std::vector<PartialSetRow> EventStarts::sets_under(const kernel::EventKey& key) const {
  std::map<EventNumber, PartialSetRow> sets;
  for (PartialSetRow& row : shared_.borders.store.partial_sets(key)) sets[row.id] = std::move(row);
  for (const Changes* changes : {&in_flight_, &gathering_}) {
    for (const auto& [id, row] : *changes) {
      sets.erase(id);
      if (row && row->key == key) sets[id] = *row;
    }
  }
  std::vector<PartialSetRow> found;
  for (auto& [id, row] : sets) found.push_back(std::move(row));
  return found;
}

std::optional<PartialSetRow> EventStarts::find(EventNumber id) const {
  for (const Changes* changes : {&gathering_, &in_flight_})
    if (const auto found = changes->find(id); found != changes->end()) return found->second;
  return shared_.borders.store.find_partial_set(id);
}

void EventStarts::put(const PartialSetRow& row, Timestamp due_before, DeskOutput& out) {
  out.batch.gathered.push_back(row);
  if (due_before != kNever) out.batch.dropped.push_back({due_before, wake_of_partial_set(row.id)});
  if (row.due != kNever) out.batch.retention.push_back({row.due, wake_of_partial_set(row.id)});
  gathering_[row.id] = row;
}

void EventStarts::drop(const PartialSetRow& row, DeskOutput& out) {
  out.batch.scattered.push_back(row.id);
  if (row.due != kNever) out.batch.dropped.push_back({row.due, wake_of_partial_set(row.id)});
  gathering_[row.id] = std::nullopt;
}

}  // namespace pawl::engine
