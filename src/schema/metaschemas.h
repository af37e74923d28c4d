// The schemas of schemas: those of draft 7, of draft 2020-12 and of its vocabularies. For schema/ only.
#pragma once

#include <string_view>

#include "json/value.h"

namespace pawl::schema::internal {

// By its URI without a fragment; null where there is none.
const json::Value* find_metaschema(std::string_view uri);

}  // namespace pawl::schema::internal
