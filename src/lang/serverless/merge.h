// Merging: objects member by member at every depth, anything else is replaced.
#pragma once

#include "base/result.h"
#include "json/value.h"

namespace pawl::serverless {

using json::Value;

// Members of `addition` go into `data`; where both have an object under a name, these are merged; else the addition
// wins. Bounded by the depth of `addition`. Both must be objects.
Value merge_objects(const Value& data, const Value& addition);

// As merge_objects. Error: SW_MERGE where `data` is no object and there is something to add. `addition` must be an
// object.
Result<Value> merge(const Value& data, const Value& addition);

}  // namespace pawl::serverless
