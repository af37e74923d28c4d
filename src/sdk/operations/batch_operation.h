// BatchOperation: map and parallel. A CONTEXT with a child for each item, so many at a time as allowed, until the
// completion policy is met.
#pragma once

#include <string>
#include <vector>

#include "sdk/operations/child_operation.h"

namespace pawl::durable::detail {

class BatchOperation final : public RecordedOperation {
 public:
  BatchOperation(OperationHead head, BatchSpec spec) : RecordedOperation(std::move(head)), spec_(std::move(spec)) {}

 private:
  struct Item {
    bool begun = false;
    std::shared_ptr<ChildOperation> operation;
    ItemStatus status = ItemStatus::Started;
  };

  void start(const OperationRecord* record) override;
  void advance();
  void walk_again(const std::string& summary);
  void begin_item(std::size_t index);
  void item_ended(std::size_t index);
  std::optional<CompletionReason> reason_to_end() const;
  bool tolerance_exceeded() const;
  void end(CompletionReason reason);

  std::string full_text(CompletionReason reason) const;
  std::string summary_text(CompletionReason reason) const;
  void append_item(std::string& out, std::size_t index) const;

  BatchSpec spec_;
  ContextState* context_below_ = nullptr;
  std::vector<Item> items_;
  std::size_t next_ = 0;
  std::size_t running_ = 0;
  std::size_t succeeded_ = 0;
  std::size_t failed_ = 0;
  bool advancing_ = false;
  bool ended_ = false;
  // Set where the batch has ended before and is walked for its result: why it had ended.
  std::optional<CompletionReason> recorded_reason_;
};

}  // namespace pawl::durable::detail
