// How long closed executions are kept.
#pragma once

#include "base/time.h"

namespace pawl::engine {

inline constexpr Duration kKeepForever = Duration::max();

// When an execution that closed then is removed; kNever: it stays.
inline Timestamp retention_end(Timestamp closed, Duration retention) {
  return retention == kKeepForever ? kNever : closed + retention;
}

}  // namespace pawl::engine
