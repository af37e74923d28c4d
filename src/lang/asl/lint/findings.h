// Where the rules put what they find.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lang/asl/lint/codes.h"
#include "text/findings.h"

namespace pawl::asl {

using text::kFindingBytesMax;
using text::kFindingsMax;
using text::kQuotedCharactersMax;
using text::listed;
using text::Place;
using text::quoted;
using text::shortened;

using Findings = text::CodedFindings<Code>;

// "The field 'Mode' should have one of these values: [INLINE, DISTRIBUTED]", in AWS's words.
std::string one_of_these(std::string_view field, const std::vector<std::string_view>& values);

}  // namespace pawl::asl
