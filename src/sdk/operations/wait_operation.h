// WaitOperation: a wait, which the service ends when its time has come, or the code before that.
#pragma once

#include "sdk/operations/recorded_operation.h"

namespace pawl::durable::detail {

class WaitOperation final : public RecordedOperation {
 public:
  WaitOperation(OperationHead head, Duration duration) : RecordedOperation(std::move(head)), duration_(duration) {}

  void cancel();
  void recorded(const OperationRecord& record) override;

 private:
  void start(const OperationRecord* record) override;

  Duration duration_;
  bool cancelled_ = false;
};

}  // namespace pawl::durable::detail
