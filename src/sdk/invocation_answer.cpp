// How an invocation ends: its answer.
#include <algorithm>

#include "sdk/invocation.h"
#include "sdk/md5.h"

namespace pawl::durable::detail {

Answer Invocation::finish() {
  stop_bodies();
  if (terminated_) return std::move(*terminated_);
  return root_ended_ ? finish_ended() : finish_suspended();
}

Answer Invocation::finish_ended() {
  while (!queue_.empty() && !terminated_) send_batch();
  if (terminated_) return std::move(*terminated_);
  warn_of_unvisited();
  try {
    return succeed(root_.take());
  } catch (...) {
    return Answer{Answer::Status::Failed, std::nullopt, describe(std::current_exception())};
  }
}

// What counts for an answer is what travels: the result as a text of JSON, with its escapes.
Answer Invocation::succeed(Payload result) {
  if (!result || quoted_size(*result) <= kResponseBytesMax)
    return Answer{Answer::Status::Succeeded, std::move(result), std::nullopt};
  OperationUpdate update;
  update.id = md5_prefix("execution-result");
  update.type = OperationType::Execution;
  update.action = OperationAction::Succeed;
  update.payload = std::move(result);
  queue_.push({std::move(update), {}}, Urgency::Now, Time());
  send_batch();
  if (terminated_) return std::move(*terminated_);
  return Answer{Answer::Status::Succeeded, "", std::nullopt};
}

Answer Invocation::finish_suspended() {
  if (waits_for_something()) return Answer{Answer::Status::Pending, std::nullopt, std::nullopt};
  return Answer{
      Answer::Status::Failed, std::nullopt,
      ErrorObject{
          "NothingToWaitFor",
          "The function waits, and no operation is pending that could wake it. Await durable operations only, and only "
          "those of this execution.",
          std::nullopt,
          {}}};
}

// What the service lets an execution be PENDING for.
bool Invocation::waits_for_something() const {
  return std::any_of(records_.begin(), records_.end(), [](const auto& entry) {
    const OperationRecord& record = entry.second.record;
    switch (record.type) {
      case OperationType::Step:
        return record.status == OperationStatus::Pending || record.status == OperationStatus::Ready;
      case OperationType::Wait:
      case OperationType::Callback:
      case OperationType::ChainedInvoke:
        return record.status == OperationStatus::Started;
      case OperationType::Execution:
      case OperationType::Context:
        return false;
    }
    return false;
  });
}

// A handler that ends without reaching what an earlier invocation did has changed in between, or is not deterministic.
void Invocation::warn_of_unvisited() const {
  for (const auto& [id, entry] : records_) {
    if (!entry.from_before || entry.visited || !entry.record.parent_id.empty()) continue;
    const Logger logger(log_scope(nullptr, id, entry.record.name, 0));
    logger.warn("A recorded operation was not reached: the function's code has changed, or is not deterministic.",
                Json::object({{"type", Json(to_string(entry.record.type))}, {"name", Json(entry.record.name)}}));
  }
}

}  // namespace pawl::durable::detail
