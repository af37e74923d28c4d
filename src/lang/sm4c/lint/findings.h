// Where the reader and the rules put what they find.
#pragma once

#include "lang/sm4c/lint/codes.h"
#include "text/findings.h"

namespace pawl::sm4c {

using text::listed;
using text::Place;
using text::quoted;

using Findings = text::CodedFindings<Code>;

}  // namespace pawl::sm4c
