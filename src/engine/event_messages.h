// Messages about events, as the store keeps them: JSON.
//
//   {"kind": "event-published", "event"}                               of an execution, to the desk
//   {"kind": "event-arrived", "operation", "filter", "number", "event"}    of the desk, to an execution that waited
//   {"kind": "event-start", "definition", "number", "events", "correlation"}    of the desk, to one that is to start
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/result.h"
#include "json/value.h"
#include "store/rows.h"

namespace pawl::engine {

using json::Value;
using store::EventNumber;

struct EventMessage {
  enum class Kind : uint8_t { kPublished, kArrived, kStart };
  Kind kind = Kind::kPublished;
  OperationId operation;           // of kArrived
  uint32_t filter = 0;             // of kArrived
  EventNumber number;              // of kArrived, and the last one of kStart
  store::DefinitionId definition;  // of kStart
  Value event;                     // of kPublished and kArrived: the CloudEvent
  Value events;                    // of kStart: [{"event": the definition's name for it, "value": the CloudEvent}]
  Value correlation;               // of kStart: {attribute: text}
};

std::string encode(const EventMessage& message);
// As encode, of kArrived, with the event as it prints already: one event may go to many.
std::string encode_arrived(const store::SubscriptionRow& to, EventNumber number, std::string_view event_text);

// Whether it is one of these, and not one of child_messages.h.
bool is_event_message(std::string_view body);
// Error: MESSAGE_MALFORMED.
Result<EventMessage> decode_event_message(std::string_view body);

}  // namespace pawl::engine
