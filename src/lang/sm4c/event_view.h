// Events as a machine's definitions know them and as its expressions see them.
#pragma once

#include "json/value.h"
#include "lang/sm4c/model.h"

namespace pawl::sm4c {

// Whether it has the type and the source of the definition.
bool is_event(const EventDefinition& definition, const Value& event);

// The CloudEvent, and its parts once more in the spelling of the samples: Data, EventId, EventName, EventSource,
// EventType, Timestamp, ContextAttributes.
Value event_view(const Value& event);

}  // namespace pawl::sm4c
