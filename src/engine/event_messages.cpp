#include "engine/event_messages.h"

#include "json/parse.h"
#include "json/print.h"

namespace pawl::engine {

namespace {

constexpr std::string_view kPrefix = R"({"kind":"event-)";
constexpr std::string_view kPublished = "event-published";
constexpr std::string_view kArrived = "event-arrived";
constexpr std::string_view kStart = "event-start";

std::unexpected<Error> malformed() {
  return fail("MESSAGE_MALFORMED", "A message about an event cannot be read.",
              "Restore the data directory from a backup.");
}

Value value_of(const Value& body, std::string_view name) {
  const Value* found = body.find(name);
  return found == nullptr ? Value() : *found;
}

uint64_t number_of(const Value& body, std::string_view name) {
  const Value* found = body.find(name);
  return found == nullptr || !found->is_number() ? 0 : static_cast<uint64_t>(found->as_integer().value_or(0));
}

std::string_view name_of(EventMessage::Kind kind) {
  switch (kind) {
    case EventMessage::Kind::kPublished:
      return kPublished;
    case EventMessage::Kind::kArrived:
      return kArrived;
    case EventMessage::Kind::kStart:
      return kStart;
  }
  return {};
}

Value number_value(uint64_t number) { return Value::integer(static_cast<int64_t>(number)); }

}  // namespace

std::string encode(const EventMessage& message) {
  json::ObjectBuilder body(5);
  body.set("kind", Value::string(name_of(message.kind)));
  if (message.kind == EventMessage::Kind::kArrived) {
    body.set("operation", Value::integer(message.operation.number));
    body.set("filter", Value::integer(message.filter));
  }
  if (message.kind == EventMessage::Kind::kStart) {
    body.set("definition", number_value(message.definition.number));
    body.set("events", message.events);
    body.set("correlation", message.correlation);
  }
  if (message.kind != EventMessage::Kind::kPublished) body.set("number", number_value(message.number.number));
  if (message.kind != EventMessage::Kind::kStart) body.set("event", message.event);
  return json::print(body.build());
}

std::string encode_arrived(const store::SubscriptionRow& to, EventNumber number, std::string_view event_text) {
  std::string body = R"({"kind":"event-arrived","operation":)" + std::to_string(to.operation.number);
  body += R"(,"filter":)" + std::to_string(to.filter);
  body += R"(,"number":)" + std::to_string(number.number) + R"(,"event":)";
  body += event_text;
  return body += '}';
}

bool is_event_message(std::string_view body) { return body.starts_with(kPrefix); }

Result<EventMessage> decode_event_message(std::string_view body) {
  const auto read = json::parse(body, {.depth_max = json::kDepthCeiling});
  if (!read) return malformed();
  const Value kind = value_of(*read, "kind");
  if (!kind.is_string()) return malformed();
  EventMessage message;
  if (kind.as_string() == kArrived)
    message.kind = EventMessage::Kind::kArrived;
  else if (kind.as_string() == kStart)
    message.kind = EventMessage::Kind::kStart;
  else if (kind.as_string() != kPublished)
    return malformed();
  message.operation = OperationId(static_cast<uint32_t>(number_of(*read, "operation")));
  message.filter = static_cast<uint32_t>(number_of(*read, "filter"));
  message.number = EventNumber(number_of(*read, "number"));
  message.definition = store::DefinitionId(number_of(*read, "definition"));
  message.event = value_of(*read, "event");
  message.events = value_of(*read, "events");
  message.correlation = value_of(*read, "correlation");
  return message;
}

}  // namespace pawl::engine
