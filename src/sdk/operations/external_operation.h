// Operations that something outside completes: callbacks and invoked functions.
#pragma once

#include "sdk/operations/recorded_operation.h"

namespace pawl::durable::detail {

// Settles with the id of a callback.
class CallbackCreated final : public Operation {
 public:
  explicit CallbackCreated(Invocation& invocation) : Operation(invocation) {}
  void created(std::string id) { settle(Payload(std::move(id))); }
};

class CallbackOperation final : public RecordedOperation {
 public:
  CallbackOperation(OperationHead head, CallbackOptions options, std::shared_ptr<CallbackCreated> created)
      : RecordedOperation(std::move(head)), options_(options), created_(std::move(created)) {}

  void recorded(const OperationRecord& record) override;

 private:
  void start(const OperationRecord* record) override;
  void take_id();

  CallbackOptions options_;
  std::shared_ptr<CallbackCreated> created_;
};

class InvokeOperation final : public RecordedOperation {
 public:
  InvokeOperation(OperationHead head, std::string function, std::string payload, std::string tenant_id)
      : RecordedOperation(std::move(head)),
        function_(std::move(function)),
        payload_(std::move(payload)),
        tenant_id_(std::move(tenant_id)) {}

  void recorded(const OperationRecord& record) override;

 private:
  void start(const OperationRecord* record) override;

  std::string function_;
  std::string payload_;
  std::string tenant_id_;
};

}  // namespace pawl::durable::detail
