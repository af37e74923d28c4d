// The rules that the service holds updates to, checked over a whole batch before any of it is applied.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "pawl/durable/service.h"

namespace pawl::durable::testing {

class UpdateRules {
 public:
  // `find` gives the record of an operation before the batch, or nullptr.
  explicit UpdateRules(std::function<const OperationRecord*(const std::string&)> find) : find_(std::move(find)) {}

  // Throws ApiError for an update that may not follow those checked before.
  void check(const OperationUpdate& update);

 private:
  void check_shape(const OperationUpdate& update) const;
  void check_identity(const OperationUpdate& update) const;
  void check_parent(const OperationUpdate& update) const;
  void check_transition(const OperationUpdate& update) const;

  std::function<const OperationRecord*(const std::string&)> find_;
  std::map<std::string, OperationUpdate> batch_;  // the last update of each operation in this batch
  bool execution_closed_ = false;
};

}  // namespace pawl::durable::testing
