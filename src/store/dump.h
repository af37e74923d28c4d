// What the stores share: rows as text, and the errors that each of them can give.
#pragma once

#include <set>
#include <string>

#include "store/store.h"

namespace pawl::store {

// Rows as lines of text, sorted.
class Dump {
 public:
  void add(const ExecutionRow& row);
  void add(const LiveRow& row);
  void add(const Chunk& chunk);
  void add(const SnapshotRow& snapshot);
  void add(const Wake& wake);
  void add(const NameRow& name);
  void add(const Document& document);
  void add(const Message& message);
  void add(const SubscriptionRow& row);
  void add(const SpentWait& spent);
  void add(const EventRow& row);
  void add(const PartialSetRow& row);
  void add(const SinkItem& item);
  std::string text() const;

 private:
  std::multiset<std::string> lines_;
};

// What a filter asks for beside the page.
bool matches(const ListFilter& filter, const ExecutionRow& row);

CommitError fenced(ShardId shard);
Error missing_chunk(ExecutionId execution, ChunkId chunk);

}  // namespace pawl::store
