// The history of an execution that runs in this process: LocalExecution keeps operations, and this their events.
#pragma once

#include <map>
#include <vector>

#include "json/value.h"
#include "pawl/durable_testing.h"

namespace pawl::conformance {

using json::Value;

// Stands between an invocation and its LocalExecution. One thread at a time.
class LocalHistory final : public durable::DurableService {
 public:
  explicit LocalHistory(durable::testing::LocalExecution& execution);

  durable::CheckpointAnswer checkpoint(const durable::CheckpointRequest& request, Deadline deadline) override;
  durable::StatePage state(const std::string& arn, const std::string& token, const std::string& marker,
                           Deadline deadline) override {
    return execution_.state(arn, token, marker, deadline);
  }
  // Time does not pass while a step runs, however long it takes on a busy machine.
  std::chrono::milliseconds until(durable::Timestamp) const override { return std::chrono::hours(1); }

  void invocation_ended();
  void execution_ended(const durable::Answer& answer);
  // Tells what time and the outside world have done since.
  void note_changes() { note_changes_but({}); }

  const std::vector<Value>& events() const { return events_; }

 private:
  void note_changes_but(const std::vector<durable::OperationUpdate>& updates);
  void note_update(const durable::OperationUpdate& update);
  void add(const std::string& type, const durable::OperationRecord* record, Value details);

  durable::testing::LocalExecution& execution_;
  std::map<std::string, durable::OperationStatus> seen_;  // by operation
  std::vector<Value> events_;
};

}  // namespace pawl::conformance
