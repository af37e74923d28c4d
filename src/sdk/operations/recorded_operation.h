// RecordedOperation: an operation with a record of its own at the service.
#pragma once

#include <memory>
#include <string>

#include "pawl/durable/future.h"
#include "sdk/context_state.h"
#include "sdk/invocation.h"

namespace pawl::durable::detail {

struct OperationHead {
  ContextState& context;
  OperationKey key;
  std::string name;
  OperationType type;
  const char* sub_type;
};

// Life: made at its place in the context; begin() compares it with the record of an earlier invocation and starts it,
// or settles it from that record.
class RecordedOperation : public Operation {
 public:
  // Fails the execution where the record of this place is of another operation. Then nothing is begun.
  void begin();
  // The record has been changed by an answer of the service.
  virtual void recorded(const OperationRecord&) {}
  void consumed() override;

  const std::string& id() const noexcept { return head_.key.id; }
  const std::string& name() const noexcept { return head_.name; }
  ContextState& context() const noexcept { return head_.context; }

 protected:
  explicit RecordedOperation(OperationHead head) : Operation(head.context.invocation), head_(std::move(head)) {}

  void on_settled() override;
  // `record` is nullptr where the service knows of none.
  virtual void start(const OperationRecord* record) = 0;

  OperationUpdate update(OperationAction action) const;
  void send(OperationUpdate update, Urgency urgency, std::function<void()> acknowledged = {});
  template <typename Self>
  std::shared_ptr<Self> self() {
    return std::static_pointer_cast<Self>(shared_from_this());
  }

  OperationHead head_;

 private:
  bool agrees_with(const OperationRecord& record);
  bool can_replay(const OperationRecord* record) const;
};

// An operation that is never begun, and so never settles.
class InertOperation final : public Operation {
 public:
  explicit InertOperation(Invocation& invocation) : Operation(invocation) {}
};

// Makes an operation of the context's next place and begins it.
template <typename Self, typename... Arguments>
std::shared_ptr<Self> begin_operation(OperationHead head, Arguments&&... arguments) {
  Invocation& invocation = head.context.invocation;
  auto operation = std::make_shared<Self>(std::move(head), std::forward<Arguments>(arguments)...);
  invocation.keep(operation);
  operation->begin();
  return operation;
}

}  // namespace pawl::durable::detail
