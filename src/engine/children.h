// Executions that operations of other executions start: who started them, and how their end is told.
//
// A child belongs to one operation of its parent: starting it again, because the parent's shard does not know whether
// the first start became durable, finds the first one. Its end, and the order to stop it, are messages in the store
// (child_messages.h).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "engine/task.h"
#include "json/value.h"
#include "store/rows.h"

namespace pawl::engine {

// The operation that started an execution, or waits for it.
struct ChildLink {
  ExecutionId parent;
  OperationId operation;
  uint32_t attempt = 0;
  std::string form;  // how the end is told (Children); empty: nobody waits for it

  // The form does not count: there is one child for an operation.
  friend bool operator==(const ChildLink& a, const ChildLink& b) {
    return a.parent == b.parent && a.operation == b.operation && a.attempt == b.attempt;
  }
};

// As facts hold it.
Value to_value(const ChildLink& link);
ChildLink read_link(const Value& value);

// By which the store finds the child.
uint64_t hash_link(const ChildLink& link);

struct Description;

// How a parent hears of its child, in the words of its language.
struct ChildEnd {
  Value accepted;  // what the operation got, or would have got, when the child had started
  TaskAnswer answer;
};

// Called on the shards' threads: implementations are thread-safe and do not block.
class Children {
 public:
  virtual ~Children() = default;
  virtual ChildEnd end_of(const Description& child, std::string_view form) = 0;
};

// The starts of children that are neither durable nor refused yet: an order to stop one has to wait for them.
// Any thread may call.
class ChildStarts {
 public:
  void begin(const ChildLink& link) {
    const std::lock_guard lock(mutex_);
    ++under_way_[{link.parent, link.operation}];
  }
  void end(const ChildLink& link) {
    const std::lock_guard lock(mutex_);
    const auto found = under_way_.find({link.parent, link.operation});
    if (--found->second == 0) under_way_.erase(found);
  }
  bool has(const ChildLink& link) {
    const std::lock_guard lock(mutex_);
    return under_way_.contains({link.parent, link.operation});
  }

 private:
  std::mutex mutex_;  // guards the one below
  std::map<std::pair<ExecutionId, OperationId>, int> under_way_;
};

}  // namespace pawl::engine
