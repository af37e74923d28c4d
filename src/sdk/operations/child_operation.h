// ChildOperation: a child context, and the coroutine that runs in it.
#pragma once

#include "sdk/operations/recorded_operation.h"

namespace pawl::durable::detail {

class ChildOperation final : public RecordedOperation, private TaskObserver {
 public:
  // A virtual child has no record of its own: its operations stand below the operation that its context lies in.
  ChildOperation(OperationHead head, ChildBody body, bool is_virtual = false)
      : RecordedOperation(std::move(head)), body_(std::move(body)), virtual_(is_virtual) {}

  void release() noexcept override { task_ = Task<Payload>(); }
  // Nothing of it is recorded or resumed any more.
  void close();

 private:
  void start(const OperationRecord* record) override;
  void task_ended() noexcept override;
  void run(bool only_replays);
  void ended();
  void succeed(Payload payload);
  void fail(const std::exception_ptr& error);
  std::exception_ptr thrown_for(ErrorObject error) const;

  ChildBody body_;
  bool virtual_;
  bool replays_ = false;
  ContextState* child_ = nullptr;
  Task<Payload> task_;
};

}  // namespace pawl::durable::detail
