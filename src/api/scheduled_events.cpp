#include "api/scheduled_events.h"

#include "text/timestamp.h"

namespace pawl::api {

namespace {

using json::ObjectBuilder;
using json::Value;

Value cloud_event(const kernel::EventFilter& filter, std::string_view definition, std::string_view name,
                  Timestamp fired) {
  const std::string source = filter.source.empty() ? "/schedules/" + std::string(definition) : filter.source;
  ObjectBuilder event;
  event.set("specversion", Value::string("1.0"));
  event.set("id", Value::string(std::string(name) + "-" + filter.event));
  event.set("source", Value::string(source));
  event.set("type", Value::string(filter.type.empty() ? filter.event : filter.type));
  event.set("time", Value::string(text::format_timestamp(fired)));
  for (const kernel::EventAttribute& attribute : filter.attributes)
    event.set(attribute.name, Value::string(attribute.value ? std::string_view(*attribute.value) : name));
  return event.build();
}

}  // namespace

Value scheduled_events(const kernel::StartRule& rule, std::string_view definition, std::string_view name,
                       Timestamp fired) {
  if (rule.events.empty()) return {};
  json::ArrayBuilder events;
  for (const kernel::EventFilter& filter : rule.events) {
    ObjectBuilder event(2);
    event.set("event", Value::string(filter.event));
    event.set("value", cloud_event(filter, definition, name, fired));
    events.push(event.build());
    if (!rule.needs_all) break;
  }
  return events.build();
}

}  // namespace pawl::api
