// The ledger of an execution whose steps are recorded by its own code: a durable function.
//
// Entries are known by the code's own ids. The code opens and closes them in checkpoints; those that wait for time, a
// callback or a call end as the operation does that they wait for. Every change is counted, so that the code can be
// told what it has not seen. What lies below a context that closed is dropped, unless the context asks to keep it.
//
// Only evolve() changes it. One thread owns it, with its execution.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "kernel/fact.h"

namespace pawl::kernel {

// The numbers are stored.
enum class EntryType : uint8_t {
  kContext = 1,
  kStep = 2,
  kWait = 3,
  kCallback = 4,
  kInvoke = 5,
  kVerdict = 6,  // how the execution shall end, once its code has returned; its id is empty
};

enum class EntryStatus : uint8_t {
  kStarted = 1,
  kPending = 2,  // a step that waits for its next attempt
  kReady = 3,    // a step whose next attempt may begin
  kSucceeded = 4,
  kFailed = 5,
  kCancelled = 6,
  kTimedOut = 7,
  kStopped = 8,
};

inline bool is_closed(EntryStatus status) { return status >= EntryStatus::kSucceeded; }

struct Entry {
  std::string id;
  EntryType type = EntryType::kStep;
  EntryStatus status = EntryStatus::kStarted;
  Value parent;    // the id of a context; null at the top
  Value name;      // null where it has none
  Value sub_type;  // null where it has none
  Timestamp started{};
  Timestamp ended = kNever;
  Timestamp due = kNever;  // of the next attempt, of the end of a wait
  uint32_t attempts = 0;   // that have finished
  bool keeps_children = false;
  bool missed_heartbeat = false;  // why a callback timed out
  OperationId operation;          // that it waits for
  Value token;                    // of a callback
  Value result;                   // null: none
  Value error;                    // null: none
  uint64_t changed = 0;           // the number of its last change
  std::vector<uint32_t> children;
};

class Ledger {
 public:
  // In the order in which they were opened; null where one was dropped.
  const std::vector<std::unique_ptr<Entry>>& entries() const { return entries_; }
  const Entry* find(std::string_view id) const;
  const Entry* find_waiting(OperationId operation) const;

  uint64_t changes() const { return changes_; }          // so far
  uint64_t delivered() const { return delivered_; }      // what the code has been told of
  uint64_t seen_before() const { return seen_before_; }  // before it was told last
  bool has_news() const { return changes_ > delivered_; }

  // The last checkpoint: the number of its token's successor, who sent it, and where it stands among the facts.
  uint32_t sequence() const { return sequence_; }
  const Value& last_client() const { return last_client_; }
  const Value& last_digest() const { return last_digest_; }
  FactSeq last_checkpoint() const { return last_checkpoint_; }

  // --- evolving: called by Execution::evolve only

  void change(const Fact& fact);
  void take_checkpoint(const Fact& fact, FactSeq seq);
  void begin_invocation();
  void wait_for(const Value& id, OperationId operation);
  // The operation ended that the entry waits for.
  void end(const Entry& waiting, const Fact& fact);
  // The operations of entries that were dropped since the last call: nobody waits for them any more.
  std::vector<OperationId> take_abandoned() { return std::exchange(abandoned_, {}); }

  Value dump() const;
  static std::unique_ptr<Ledger> restore(const Value& dumped);  // null where the value is no dump

 private:
  Entry& open(const Fact& fact);
  Entry* mutable_entry(std::string_view id) { return const_cast<Entry*>(find(id)); }
  void close(Entry& entry, Timestamp time);
  void drop(uint32_t index);
  void count_change(Entry& entry) { entry.changed = ++changes_; }
  bool restore_entry(const Value& dumped);

  std::vector<std::unique_ptr<Entry>> entries_;
  std::unordered_map<std::string, uint32_t> by_id_;
  std::unordered_map<OperationId, uint32_t> waiting_;
  std::vector<OperationId> abandoned_;
  uint64_t changes_ = 0;
  uint64_t delivered_ = 0;
  uint64_t seen_before_ = 0;
  uint32_t sequence_ = 0;
  Value last_client_;
  Value last_digest_;
  FactSeq last_checkpoint_;
};

}  // namespace pawl::kernel
