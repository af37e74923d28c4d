// What a test gives in place of the Context Object.
#pragma once

#include <string_view>

#include "lang/asl/test_state.h"

namespace pawl::asl {

// ".sync", ".sync:2" or ".waitForTaskToken"; empty where the Resource answers its request and that is all.
std::string_view integration_pattern(std::string_view resource);

// `given` is null or JSON text; null or the object. Refusal: ValidationException.
Tested<Value> read_mock_context(const Value& given, std::string_view resource);

}  // namespace pawl::asl
