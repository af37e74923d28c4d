// The state of an execution as one value, and back: what folding its facts gives, without the facts.
//
// A snapshot is a cache. Whatever is not exactly of this version's shape is refused, and the facts are folded instead.
// A change of what an Execution holds changes kSnapshotVersion; a test folds the conformance runs both ways.
#pragma once

#include <cstdint>
#include <memory>

#include "kernel/execution.h"

namespace pawl::kernel {

inline constexpr uint8_t kSnapshotVersion = 3;

class Snapshot {
 public:
  static Value of(const Execution& execution);
  // Null where the value is no snapshot.
  static std::unique_ptr<Execution> restore(const Value& value);

 private:
  static Value head_of(const Execution& execution);
  static bool restore_head(const Value& value, Execution& execution);
  static bool restore_scopes(const Value& value, Execution& execution);
  static bool restore_operations(const Value& value, Execution& execution);
  static void restore_queue(Execution& execution);
};

}  // namespace pawl::kernel
