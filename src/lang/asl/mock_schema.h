// What services answer, as far as a mocked result is held against it.
#pragma once

#include <string_view>

#include "lang/asl/test_state.h"

namespace pawl::asl {

// `mode`: "STRICT" (and ""), "PRESENT" or "NONE". A Resource whose answers are not known is not checked.
// Refusal: ValidationException.
Tested<void> check_mock_result(std::string_view resource, const Value& result, std::string_view mode);

}  // namespace pawl::asl
