// CheckpointQueue: the updates that have not been sent yet, in the order of execution, and the batches that they leave
// in.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "pawl/durable/types.h"

namespace pawl::durable::detail {

inline constexpr std::size_t kBatchUpdatesMax = 250;
inline constexpr std::size_t kBatchBytesMax = 750 * 1024;

enum class Urgency {
  Whenever,  // rides with the next call
  Soon,      // after the linger of the mode
  Now,
};

struct QueuedUpdate {
  OperationUpdate update;
  std::function<void()> acknowledged;  // called when the batch is durable; may be empty
};

// Belongs to the invocation's thread.
class CheckpointQueue {
 public:
  using Time = std::chrono::steady_clock::time_point;

  void push(QueuedUpdate update, Urgency urgency, Time now);
  bool empty() const noexcept { return updates_.empty(); }
  bool is_urgent() const noexcept { return urgent_; }
  bool is_full() const noexcept { return updates_.size() >= kBatchUpdatesMax || bytes_ >= kBatchBytesMax; }
  // When the first update was queued that is to be sent soon; empty where there is none.
  std::optional<Time> waiting_since() const noexcept { return since_; }

  // The longest beginning that one call may carry: bounded in number and bytes; one update an operation, but for a STEP
  // or a CONTEXT that is started and closed together; at least one update.
  std::vector<QueuedUpdate> take_batch();

 private:
  bool fits_with(const OperationUpdate& next, const std::vector<QueuedUpdate>& batch) const;

  std::deque<QueuedUpdate> updates_;
  std::size_t bytes_ = 0;
  bool urgent_ = false;
  std::optional<Time> since_;
};

}  // namespace pawl::durable::detail
