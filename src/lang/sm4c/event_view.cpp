#include "lang/sm4c/event_view.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kernel/event_filter.h"

namespace pawl::sm4c {

namespace {

using Spelling = std::pair<std::string_view, std::string_view>;

constexpr std::array kSpellings = {
    Spelling{"id", "EventId"},     Spelling{"subject", "EventName"}, Spelling{"source", "EventSource"},
    Spelling{"type", "EventType"}, Spelling{"time", "Timestamp"},    Spelling{"data", "Data"},
};
constexpr std::array<std::string_view, 4> kOtherParts = {"specversion", "datacontenttype", "dataschema", "data_base64"};

bool is_extension(std::string_view name) {
  return std::ranges::find(kSpellings, name, &Spelling::first) == kSpellings.end() &&
         std::ranges::find(kOtherParts, name) == kOtherParts.end();
}

}  // namespace

bool is_event(const EventDefinition& definition, const Value& event) {
  return kernel::matches({definition.name, definition.event_source, definition.event_type, {}}, event);
}

Value event_view(const Value& event) {
  if (!event.is_object()) return event;
  json::ObjectBuilder view(event.size() + kSpellings.size() + 1);
  json::ObjectBuilder extensions;
  for (const json::Member& member : event.members()) {
    view.set(member.key, member.value);
    if (is_extension(member.key.as_string())) extensions.set(member.key, member.value);
  }
  for (const auto& [name, spelling] : kSpellings)
    if (const Value* part = event.find(name)) view.set(spelling, *part);
  view.set("ContextAttributes", extensions.build());
  return view.build();
}

}  // namespace pawl::sm4c
