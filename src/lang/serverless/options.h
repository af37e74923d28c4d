// What a definition's author may choose where the text contradicts itself. Each is described in docs/options.md.
#pragma once

#include <string_view>

#include "base/result.h"

namespace pawl::serverless {

struct Options {
  bool keyed_state_filter = false;  // state_filter=keyed: a state filter keeps the last name of its path as a key
  bool strict_jayway = false;       // jsonpath=jayway: a bare [?(@.flag)] asks whether the flag is there

  // "state_filter=keyed". Error: OPTION_UNKNOWN, OPTION_INVALID.
  Result<void> set(std::string_view assignment);
};

}  // namespace pawl::serverless
