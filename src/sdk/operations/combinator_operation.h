// CombinatorOperation: all, all_settled, race and any. What decides is recorded by one STEP that is started and closed
// together at that moment, so that it is never open while the function is suspended.
#pragma once

#include <memory>
#include <vector>

#include "sdk/operations/recorded_operation.h"

namespace pawl::durable::detail {

const char* sub_type_of(Combinator kind);

class CombinatorOperation final : public RecordedOperation {
 public:
  CombinatorOperation(OperationHead head, Combinator kind, std::vector<std::shared_ptr<Operation>> members)
      : RecordedOperation(std::move(head)), kind_(kind), members_(std::move(members)) {}

 private:
  // Which member decided, if any: of race and any the winner, of all the first that failed.
  struct Decision {
    std::optional<std::size_t> index;
    bool failed = false;
  };

  void start(const OperationRecord* record) override;
  void member_settled(std::size_t index);
  void replay(const OperationRecord& record);
  void decide(Decision decision);
  void resolve(const Decision& decision);
  ErrorObject error_of(const Decision& decision) const;

  Combinator kind_;
  std::vector<std::shared_ptr<Operation>> members_;
  std::size_t settled_members_ = 0;
  bool decided_ = false;
};

}  // namespace pawl::durable::detail
