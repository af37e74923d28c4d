// The shapes of the filters that executions wait with, as the store keeps them: documents, one a shape, never removed.
//
// A shape is stored no later than the first wait that has it: an event looks for those who wait under the shapes that
// are known, and nothing else would find that wait after a restart.
#pragma once

#include <mutex>
#include <optional>
#include <set>

#include "kernel/event_filter.h"
#include "store/rows.h"

namespace pawl::engine {

inline constexpr const char* kShapeDocuments = "event-shape";

store::Document to_document(const kernel::EventShape& shape);
std::optional<kernel::EventShape> read_shape(const store::Document& document);

// The shapes that are stored. Any thread may call.
class StoredShapes {
 public:
  void add(const kernel::EventShape& shape) {
    const std::lock_guard lock(mutex_);
    shapes_.insert(shape);
  }
  bool has(const kernel::EventShape& shape) const {
    const std::lock_guard lock(mutex_);
    return shapes_.contains(shape);
  }

 private:
  mutable std::mutex mutex_;  // guards the one below
  std::set<kernel::EventShape> shapes_;
};

}  // namespace pawl::engine
