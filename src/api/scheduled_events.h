// The events that a schedule makes itself, for a definition whose first state waits for events.
#pragma once

#include <string>
#include <string_view>

#include "base/time.h"
#include "json/value.h"
#include "kernel/start_rule.h"

namespace pawl::api {

// [{"event", "value": CloudEvent}] as engine::StartRequest::events has them: one of each that the rule asks for, or the
// first where any will do; null where no event starts it. An attribute that may have any value has `name`.
json::Value scheduled_events(const kernel::StartRule& rule, std::string_view definition, std::string_view name,
                             Timestamp fired);

}  // namespace pawl::api
