#include "events.h"

#include <algorithm>
#include <span>

#include "json/print.h"
#include "normalise.h"

namespace pawl::conformance {

namespace {

using Events = std::span<const Value>;

bool holds_text(std::string_view field) {
  return field == "input" || field == "output" || field == "parameters" || field == "cause";
}

std::string_view text_at(const Value& event, std::string_view key) {
  const Value* found = event.find(key);
  return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

const Value& details_of(const Value& event) {
  static const Value kNone = Value::empty_object();
  for (const json::Member& member : event.members())
    if (member.key.as_string().ends_with("EventDetails")) return member.value;
  return kNone;
}

// Each variable's value is a text of its own.
Value unfold_members(const Value& variables) {
  json::ObjectBuilder out;
  for (const json::Member& member : variables.members()) out.set(member.key, unfold(member.value));
  return out.build();
}

Value unfold_field(std::string_view name, const Value& value) {
  if (holds_text(name)) return unfold(value);
  return name == "assignedVariables" ? unfold_members(value) : value;
}

Value unfold_details(const Value& event) {
  const Value& details = details_of(event);
  json::ObjectBuilder out;
  for (const json::Member& member : details.members()) {
    // Only whoever polls knows the worker's name.
    if (member.key.as_string() == "workerName") continue;
    out.set(member.key, unfold_field(member.key.as_string(), member.value));
  }
  return out.build();
}

// "PassStateEntered A", "MapIterationStarted M 0"
std::string label(const Value& event) {
  std::string text(text_at(event, "type"));
  const Value& details = details_of(event);
  if (const Value* name = details.find("name")) text += " " + std::string(name->as_string());
  if (const Value* index = details.find("index")) text += " " + json::print(*index);
  return text;
}

std::string numbered(const Value& event) {
  const Value* id = event.find("id");
  return (id == nullptr ? std::string() : "#" + json::print(*id) + " ") + label(event);
}

std::vector<std::string> labels(Events events) {
  std::vector<std::string> all;
  for (const Value& event : events) all.push_back(label(event));
  return all;
}

void add_prefixed(const std::string& prefix, const std::vector<std::string>& lines, std::vector<std::string>& out) {
  for (const std::string& line : lines)
    if (out.size() < kDifferencesMax) out.push_back(prefix + line);
}

// The input, output and assignments of an event about a state.
Value state_data(const Value& event) {
  const Value& details = details_of(event);
  const std::string_view type = text_at(event, "type");
  json::ObjectBuilder data;
  if (type.ends_with("StateEntered") || type.ends_with("StateExited"))
    for (const std::string_view field : {"input", "output", "assignedVariables"})
      if (const Value* found = details.find(field)) data.set(field, *found);
  return data.build();
}

Value ids(const Value& event) {
  json::ObjectBuilder both;
  for (const std::string_view field : {"id", "previousEventId"})
    if (const Value* found = event.find(field)) both.set(field, *found);
  return both.build();
}

void compare_types(Events recorded, Events ours, std::vector<std::string>& out) {
  const auto theirs = labels(recorded);
  const auto mine = labels(ours);
  for (size_t i = 0; i < std::max(theirs.size(), mine.size()) && out.size() < kDifferencesMax; ++i) {
    const std::string left = i < theirs.size() ? theirs[i] : "nothing";
    const std::string right = i < mine.size() ? mine[i] : "nothing";
    if (left != right) out.push_back("event " + std::to_string(i + 1) + ": recorded " + left + ", ours " + right);
  }
}

template <typename Part>
void compare_parts(Events recorded, Events ours, Part part, std::vector<std::string>& out) {
  for (size_t i = 0; i < std::min(recorded.size(), ours.size()); ++i)
    add_prefixed(numbered(recorded[i]) + ": ", differences(part(recorded[i]), part(ours[i])), out);
}

void compare_in_order(Events recorded, Events ours, Agreement& agreement) {
  compare_types(recorded, ours, agreement.at(Level::kEventTypes));
  compare_parts(recorded, ours, state_data, agreement.at(Level::kStateData));
  compare_parts(recorded, ours, ids, agreement.at(Level::kEventIds));
  compare_parts(recorded, ours, details_of, agreement.at(Level::kEventDetails));
}

// Takes the event of `pool` that fits `wanted` best at hand: the same label and, if there is one, the same data.
void take_match(const Value& wanted, std::vector<Value>& pool, Agreement& agreement) {
  auto best = pool.end();
  for (auto it = pool.begin(); it != pool.end(); ++it) {
    if (label(*it) != label(wanted)) continue;
    if (best == pool.end()) best = it;
    if (!differences(details_of(wanted), details_of(*it)).empty()) continue;
    best = it;
    break;
  }
  if (best == pool.end())
    return agreement.at(Level::kEventTypes).push_back("recorded " + label(wanted) + ", ours nothing");
  add_prefixed(label(wanted) + ": ", differences(state_data(wanted), state_data(*best)),
               agreement.at(Level::kStateData));
  add_prefixed(label(wanted) + ": ", differences(details_of(wanted), details_of(*best)),
               agreement.at(Level::kEventDetails));
  pool.erase(best);
}

// The recorder sorted these events, took their ids and left out the one that ends the Parallel.
void compare_as_multiset(Events recorded, Events ours, Agreement& agreement) {
  std::vector<Value> pool(ours.begin(), ours.end());
  for (const Value& event : recorded) take_match(event, pool, agreement);
  for (const Value& event : pool)
    if (label(event) != "ParallelStateSucceeded" && label(event) != "ParallelStateFailed")
      agreement.at(Level::kEventTypes).push_back("recorded nothing, ours " + label(event));
}

std::vector<Value> unfold_all(const Value& events) {
  std::vector<Value> unfolded;
  for (const Value& event : events.items()) unfolded.push_back(unfold_event(event));
  return unfolded;
}

bool has_id(const Value& event) {
  const Value* id = event.find("id");
  return id != nullptr && id->is_number();
}

}  // namespace

Value unfold_event(const Value& event) {
  json::ObjectBuilder out;
  for (const json::Member& member : event.members()) {
    const bool is_details = member.key.as_string().ends_with("EventDetails");
    out.set(member.key, is_details ? unfold_details(event) : member.value);
  }
  return out.build();
}

void compare_events(const Recording& recording, const Ours& ours, Agreement& agreement) {
  const std::vector<Value> unfolded = unfold_all(recording.events);
  const Events recorded = unfolded;
  const Events mine = ours.events;
  const auto first_lost = std::ranges::find_if_not(recorded, has_id);
  if (first_lost == recorded.end()) return compare_in_order(recorded, mine, agreement);
  const size_t before = static_cast<size_t>(first_lost - recorded.begin());
  const size_t lost = static_cast<size_t>(std::ranges::count_if(recorded, [](const Value& e) { return !has_id(e); }));
  const size_t after = recorded.size() - before - lost;
  if (mine.size() < before + after)
    return agreement.at(Level::kEventTypes).push_back("ours has " + std::to_string(mine.size()) + " events");
  compare_in_order(recorded.first(before), mine.first(before), agreement);
  compare_as_multiset(recorded.subspan(before, lost), mine.subspan(before, mine.size() - before - after), agreement);
  compare_in_order(recorded.last(after), mine.last(after), agreement);
}

}  // namespace pawl::conformance
