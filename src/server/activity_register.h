// The activities that a server has, and what waits for their workers.
//
// A change is made durable by whoever asked for it and then applied, as in the catalog: readers never see what a crash
// could undo. Any thread may read, poll and offer; changes are made by one thread at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "connect/activity_queues.h"
#include "json/value.h"
#include "server/arns.h"
#include "store/store.h"

namespace pawl::server {

inline constexpr size_t kActivitiesMax = 10'000;  // AWS's own

struct Activity {
  std::string name;
  Timestamp made{};
  json::Value encryption;  // as it was given, or null; it has no effect here
  json::Value tags = json::Value::empty_object();
};

using ActivityPointer = std::shared_ptr<const Activity>;

// Tasks name activities by ARN; which region and account it says makes no difference, as everywhere.
class ActivityRegister final : public engine::Activities {
 public:
  explicit ActivityRegister(const Arns& arns) : arns_(arns) {}

  // Reads what the store has. Error: CATALOG_DAMAGED.
  Result<void> load(const store::Store& store);

  // --- for the engine
  bool exists(std::string_view resource) override;
  void offer(engine::ActivityOffer offer) override;
  void withdraw(ExecutionId execution, OperationId operation) override { queues_.withdraw(execution, operation); }

  // --- for readers
  ActivityPointer find(std::string_view name) const;  // null where there is none
  // By name, beginning after `after`.
  std::vector<ActivityPointer> list(std::string_view after, size_t limit) const;
  size_t size() const;
  // Queues by the activities' names.
  connect::ActivityQueues& queues() { return queues_; }

  // --- for the one thread that changes
  static store::Document document_of(const Activity& activity);
  static store::Document removal_of(std::string_view name);
  void put(Activity activity);
  // Workers that wait for it wait no longer; tasks that wait for a worker go on waiting.
  void remove(std::string_view name);

 private:
  const Arns& arns_;
  mutable std::shared_mutex mutex_;  // guards the one below
  std::map<std::string, ActivityPointer, std::less<>> activities_;
  connect::ActivityQueues queues_;
};

}  // namespace pawl::server
