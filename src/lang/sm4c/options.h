// What a definition's author may choose where the text and the samples written for it differ. Described in
// docs/options.md.
#pragma once

#include <string_view>

#include "base/result.h"

namespace pawl::sm4c {

struct Options {
  bool waits_always = false;  // sm4c.wait=always: every call is waited for, whatever waitForCompletion says
  bool exits_on_end = false;  // sm4c.exit_on_end=true: the state that ends the machine runs its exit action

  // "sm4c.wait=always". Error: OPTION_UNKNOWN, OPTION_INVALID.
  Result<void> set(std::string_view assignment);
};

}  // namespace pawl::sm4c
