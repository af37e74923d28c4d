#include "sdk/operations/child_operation.h"

namespace pawl::durable::detail {

void ChildOperation::start(const OperationRecord* record) {
  if (virtual_) return run(context().only_replays);
  if (record == nullptr) send(update(OperationAction::Start), Urgency::Soon);
  if (record == nullptr || !is_terminal(record->status)) return run(false);
  if (record->replay_children) return run(true);
  if (record->status == OperationStatus::Succeeded) return settle(record->result);
  settle(thrown_for(record->error.value_or(ErrorObject())));
}

void ChildOperation::run(bool only_replays) {
  replays_ = only_replays;
  child_ = &invocation_.make_context(&context(), head_.key.logical, virtual_ ? context().parent_id : id(), name());
  child_->only_replays = child_->only_replays || only_replays;
  const Invocation::Running running(invocation_, child_);
  task_ = body_(child_->context);
  task_.start(*this);
}

// Called from the coroutine's last suspension; what follows must not destroy its frame.
void ChildOperation::task_ended() noexcept { ended(); }

void ChildOperation::ended() {
  if (invocation_.stopped()) return;
  try {
    succeed(task_.take());
  } catch (...) {
    fail(std::current_exception());
  }
}

// The end of a context follows from what its operations recorded, so nobody waits for it to be durable.
void ChildOperation::succeed(Payload payload) {
  if (!virtual_ && !replays_) {
    OperationUpdate change = update(OperationAction::Succeed);
    change.replay_children = payload && payload->size() > kPayloadBytesMax;
    change.payload = change.replay_children ? Payload("") : payload;
    send(std::move(change), Urgency::Soon);
  }
  close();
  settle(std::move(payload));
}

void ChildOperation::fail(const std::exception_ptr& error) {
  ErrorObject description = describe(error);
  if (!virtual_ && !replays_) {
    OperationUpdate change = update(OperationAction::Fail);
    change.error = description;
    send(std::move(change), Urgency::Soon);
  }
  close();
  settle(thrown_for(std::move(description)));
}

void ChildOperation::close() {
  if (child_ != nullptr) child_->closed = true;
}

// The first run and each replay throw the same, because both are built from what is recorded.
std::exception_ptr ChildOperation::thrown_for(ErrorObject error) const {
  if (std::string_view(head_.sub_type) != "WaitForCallback")
    return std::make_exception_ptr(ChildContextError(std::move(error)));
  if (error.type == "CallbackTimeoutError") return std::make_exception_ptr(CallbackTimeoutError(std::move(error)));
  if (error.type == "StepError") return std::make_exception_ptr(CallbackSubmitterError(std::move(error)));
  return std::make_exception_ptr(CallbackError(std::move(error)));
}

}  // namespace pawl::durable::detail
