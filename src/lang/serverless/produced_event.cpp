#include "lang/serverless/produced_event.h"

#include "json/print.h"
#include "text/timestamp.h"

namespace pawl::serverless {

namespace {

// A random UUID (RFC 9562, version 4).
std::string make_id(Random& random) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const uint64_t high = (random.next() & ~uint64_t{0xF000}) | 0x4000;
  const uint64_t low = (random.next() & ~(uint64_t{3} << 62)) | (uint64_t{2} << 62);
  std::string id;
  for (const uint64_t half : {high, low})
    for (int shift = 60; shift >= 0; shift -= 4) id += kDigits[(half >> shift) & 0xF];
  for (const size_t at : {20, 16, 12, 8}) id.insert(at, 1, '-');
  return id;
}

std::string execution_name(const kernel::Execution& execution) {
  const Value* part = execution.context().find("Execution");
  const Value* name = part == nullptr ? nullptr : part->find("Name");
  return name != nullptr && name->is_string() ? std::string(name->as_string()) : std::string();
}

std::string source_of(const Frame& frame, const EventDefinition& definition) {
  if (!definition.event_source.empty()) return definition.event_source;
  const std::string instance = execution_name(frame.execution());
  return "/workflows/" + frame.program().workflow().id + (instance.empty() ? "" : "/" + instance);
}

// An attribute of a CloudEvent is text, a number or a boolean.
Value attribute_value(Value value) {
  return value.is_array() || value.is_object() ? Value::string(json::print(value)) : value;
}

}  // namespace

Attempt<Value> produce(Frame& frame, const ProducedEvent& produced, const Value& data) {
  const auto definition = frame.program().definitions().find_event(produced.event, frame.execution());
  if (!definition) return std::unexpected(definition.error());
  json::ObjectBuilder event;
  event.set("specversion", Value::string("1.0"));
  event.set("id", Value::string(make_id(frame.turn().services().random())));
  event.set("source", Value::string(source_of(frame, *definition)));
  event.set("type", Value::string(definition->event_type.empty() ? definition->name : definition->event_type));
  event.set("time", Value::string(text::format_timestamp(frame.turn().time())));
  for (const ContextAttribute& attribute : produced.attributes) {
    auto value = attempt(attribute.value.evaluate(data));
    if (!value) return std::unexpected(std::move(value).error());
    const bool is_free = !event.contains(attribute.name) && attribute.name != "data";
    if (is_free && !value->is_null()) event.set(attribute.name, attribute_value(*std::move(value)));
  }
  if (!produced.data) return event.build();
  auto payload = attempt(produced.data->evaluate(data));
  if (!payload) return std::unexpected(std::move(payload).error());
  event.set("datacontenttype", Value::string("application/json"));
  event.set("data", *std::move(payload));
  return event.build();
}

Attempt<std::vector<Value>> produce_all(Frame& frame, const std::vector<ProducedEvent>& produced, const Value& data) {
  std::vector<Value> events;
  for (const ProducedEvent& one : produced) {
    auto event = produce(frame, one, data);
    if (!event) return std::unexpected(std::move(event).error());
    events.push_back(*std::move(event));
  }
  return events;
}

}  // namespace pawl::serverless
