// What a definition's author may choose where the specification's text and AWS differ. Each is described in
// docs/options.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace pawl::asl {

inline constexpr int64_t kTaskTimeoutSecondsMax = 99'999'999;  // AWS's own bound, and its default

struct Options {
  bool spec_errors = false;                     // errors=spec: the text's error names and matching
  std::optional<int64_t> task_timeout_seconds;  // task_timeout=60: the text's default for TimeoutSeconds
  bool express = false;                         // type=express: lint refuses what Express machines cannot do

  // "errors=spec". Error: OPTION_UNKNOWN, OPTION_INVALID.
  Result<void> set(std::string_view assignment);
};

}  // namespace pawl::asl
