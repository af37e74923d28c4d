// A hash of values that agrees with their equality. For the intrinsic module only.
#pragma once

#include <cstddef>

#include "json/value.h"

namespace pawl::intrinsic::internal {

// Equal values have equal hashes: 1 and 1.0, objects whatever the order of their members.
size_t hash_value(const json::Value& value);

}  // namespace pawl::intrinsic::internal
