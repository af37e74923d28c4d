#include "outside_world.h"

#include "json/print.h"

namespace pawl::conformance {

namespace {

std::string text_in(const Value& object, std::string_view key) {
  const Value* found = object.find(key);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

std::string id_in(const Value& event) {
  const Value* details = event.find("CallbackStartedDetails");
  return details == nullptr ? std::string() : text_in(*details, "CallbackId");
}

}  // namespace

bool is_at_rest(const std::vector<Value>& events) {
  return !events.empty() && text_in(events.back(), "EventType") == "InvocationCompleted";
}

const CallbackAction* OutsideWorld::take_action(const std::string& name, const Bindings& bindings) {
  for (size_t i = 0; i < actions_.size(); ++i) {
    const std::string wanted = bindings.substitute_text(actions_[i].callback);
    if (used_[i] || (wanted != "*" && wanted != name)) continue;
    used_[i] = true;
    return &actions_[i];
  }
  return nullptr;
}

std::optional<OutsideWorld::Act> OutsideWorld::next(const std::vector<Value>& events, const Bindings& bindings) {
  if (!is_at_rest(events)) return std::nullopt;
  for (const Value& event : events) {
    const std::string id = id_in(event);
    if (id.empty() || closed_.contains(id)) continue;
    const CallbackAction* action = take_action(text_in(event, "Name"), bindings);
    if (action == nullptr) continue;
    if (action->operation != CallbackAction::Operation::kHeartbeat) closed_.insert(id);
    Act act{id, action->operation, std::nullopt};
    if (action->payload) act.payload = bindings.substitute(*action->payload);
    return act;
  }
  return std::nullopt;
}

std::string payload_text(const Value& value) {
  std::string text;
  if (value.is_array()) {
    for (const Value& item : value.items()) text += (text.empty() ? "" : ", ") + payload_text(item);
    return "[" + text + "]";
  }
  if (value.is_object()) {
    for (const json::Member& member : value.members())
      text += (text.empty() ? "" : ", ") + json::print(member.key) + ": " + payload_text(member.value);
    return "{" + text + "}";
  }
  return json::print(value);
}

}  // namespace pawl::conformance
