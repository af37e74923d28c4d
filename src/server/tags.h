// Tags of state machines and activities: names and texts that mean something to their owner only.
#pragma once

#include "json/value.h"
#include "server/refusal.h"

namespace pawl::server {

inline constexpr size_t kTagsMax = 50;

// `tags` (an object, name to text) with those of a request's list, [{"key", "value"}], added or replaced.
// Refusals: ValidationException, TooManyTags.
Outcome<json::Value> add_tags(json::Value tags, const json::Value& list);

}  // namespace pawl::server
