#include "sdk/checkpoint_queue.h"

#include "sdk/wire.h"

namespace pawl::durable::detail {

void CheckpointQueue::push(QueuedUpdate update, Urgency urgency, Time now) {
  bytes_ += bytes_of(update.update);
  updates_.push_back(std::move(update));
  if (urgency == Urgency::Now) urgent_ = true;
  if (urgency != Urgency::Whenever && !since_) since_ = now;
}

bool CheckpointQueue::fits_with(const OperationUpdate& next, const std::vector<QueuedUpdate>& batch) const {
  const bool may_close = (next.type == OperationType::Step || next.type == OperationType::Context) &&
                         next.action != OperationAction::Start;
  bool started = false;
  for (const QueuedUpdate& queued : batch) {
    if (queued.update.id != next.id) continue;
    if (!may_close || started || queued.update.action != OperationAction::Start) return false;
    started = true;
  }
  return true;
}

std::vector<QueuedUpdate> CheckpointQueue::take_batch() {
  std::vector<QueuedUpdate> batch;
  std::size_t bytes = 0;
  while (!updates_.empty() && batch.size() < kBatchUpdatesMax) {
    const std::size_t more = bytes_of(updates_.front().update);
    if (!batch.empty() && (bytes + more > kBatchBytesMax || !fits_with(updates_.front().update, batch))) break;
    bytes += more;
    batch.push_back(std::move(updates_.front()));
    updates_.pop_front();
  }
  bytes_ -= bytes;
  // What stays behind was wanted as soon as the rest.
  if (updates_.empty()) {
    urgent_ = false;
    since_.reset();
  }
  return batch;
}

}  // namespace pawl::durable::detail
