#include "sdk/operations/wait_operation.h"

namespace pawl::durable::detail {

void WaitOperation::start(const OperationRecord* record) {
  if (record != nullptr && is_terminal(record->status)) return settle(std::nullopt);
  invocation_.watch(*this);
  if (record != nullptr) return;
  OperationUpdate change = update(OperationAction::Start);
  change.wait_seconds = std::max<std::int64_t>(1, duration_.seconds());
  send(std::move(change), Urgency::Now);
}

void WaitOperation::recorded(const OperationRecord& record) {
  if (is_terminal(record.status) && !settled()) settle(std::nullopt);
}

void WaitOperation::cancel() {
  if (settled() || cancelled_ || invocation_.stopped()) return;
  cancelled_ = true;
  send(update(OperationAction::Cancel), Urgency::Now, [this] {
    if (!settled()) settle(std::nullopt);
  });
}

void cancel_wait(Operation& operation) {
  if (auto* wait = dynamic_cast<WaitOperation*>(&operation)) wait->cancel();
}

}  // namespace pawl::durable::detail
