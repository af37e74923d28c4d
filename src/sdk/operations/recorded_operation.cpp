#include "sdk/operations/recorded_operation.h"

namespace pawl::durable::detail {

// --- Operation ---

void Operation::await(std::coroutine_handle<> waiter) { waiters_.push_back({waiter, invocation_.current()}); }

void Operation::give_up(const std::exception& problem) {
  invocation_.terminate(Answer::Status::Failed, "SerializationError",
                        std::string("A recorded value could not be read back: ") + problem.what());
}

void Operation::listen(std::function<void()> listener) {
  if (settled_) return listener();
  listeners_.push_back(std::move(listener));
}

void Operation::settle(Payload payload) {
  payload_ = std::move(payload);
  wake();
}

void Operation::settle(std::exception_ptr error) {
  error_ = std::move(error);
  wake();
}

void Operation::wake() {
  settled_ = true;
  on_settled();
  for (const Waiter& waiter : std::exchange(waiters_, {})) invocation_.wake(waiter.coroutine, waiter.context);
  for (const auto& listener : std::exchange(listeners_, {})) listener();
  if (is_unread_) payload_.reset();
}

// A future that the body of a step held may go away on another thread, which must not touch the value.
void Operation::drop_reader() noexcept {
  if (readers_.fetch_sub(1, std::memory_order_acq_rel) != 1 || std::this_thread::get_id() != thread_) return;
  is_unread_ = true;
  if (settled_) payload_.reset();
}

// --- RecordedOperation ---

namespace {

std::string words(OperationType type, std::string_view sub_type, const std::string& name) {
  return std::string(to_string(type)) + " (" + std::string(sub_type) + ") " +
         (name.empty() ? "without a name" : "\"" + name + "\"");
}

}  // namespace

void RecordedOperation::begin() {
  const OperationRecord* record = invocation_.find(id());
  if (record != nullptr && !agrees_with(*record)) return;
  if (record == nullptr && head_.context.only_replays) {
    return invocation_.terminate(Answer::Status::Failed, "NonDeterministicExecutionError",
                                 "Operation " + head_.key.logical + " \"" + head_.name +
                                     "\" was not recorded, and the context that it lies in has ended.");
  }
  invocation_.visit(id());
  if (invocation_.event().replay_only && !can_replay(record)) {
    return invocation_.terminate(
        Answer::Status::Retry, "EndOfHistory",
        "The code asks for " + words(head_.type, head_.sub_type, head_.name) + ", which the history does not hold.");
  }
  start(record);
}

bool RecordedOperation::agrees_with(const OperationRecord& record) {
  if (record.type == head_.type && record.name == head_.name && record.sub_type == head_.sub_type) return true;
  invocation_.terminate(
      Answer::Status::Failed, "NonDeterministicExecutionError",
      "Operation " + head_.key.logical + " was recorded as " + words(record.type, record.sub_type, record.name) +
          ", and the code now asks for " + words(head_.type, head_.sub_type, head_.name) +
          ". The code between operations must do the same on each replay, and must not change while executions run.");
  return false;
}

bool RecordedOperation::can_replay(const OperationRecord* record) const {
  if (record == nullptr) return false;
  return is_terminal(record->status) || head_.type == OperationType::Context;
}

// The end of a step is known on the first run only where the code waits for it to be durable. The end of a context is
// not waited for in any mode.
void RecordedOperation::consumed() {
  if (head_.type == OperationType::Context) return;
  if (head_.type == OperationType::Step && invocation_.config().mode != CheckpointMode::Eager) return;
  const OperationRecord* record = invocation_.find(id());
  if (record == nullptr || !record->ended) return;
  ContextState* reader = invocation_.current() != nullptr ? invocation_.current() : &head_.context;
  reader->now = std::max(reader->now, *record->ended);
}

// The operation has its value now: the record need not keep it as well.
void RecordedOperation::on_settled() { invocation_.release(id()); }

OperationUpdate RecordedOperation::update(OperationAction action) const {
  OperationUpdate update;
  update.id = head_.key.id;
  update.type = head_.type;
  update.action = action;
  update.parent_id = head_.context.parent_id;
  update.name = head_.name;
  update.sub_type = head_.sub_type;
  return update;
}

void RecordedOperation::send(OperationUpdate update, Urgency urgency, std::function<void()> acknowledged) {
  invocation_.send(head_.context, std::move(update), urgency, std::move(acknowledged));
}

}  // namespace pawl::durable::detail
