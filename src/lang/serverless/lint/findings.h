// Where the reader and the rules put what they find.
#pragma once

#include "lang/serverless/lint/codes.h"
#include "text/findings.h"

namespace pawl::serverless {

using text::listed;
using text::Place;
using text::quoted;

using Findings = text::CodedFindings<Code>;

}  // namespace pawl::serverless
