// The rows of the store, as the engine and every store implementation know them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time.h"

namespace pawl::store {

using ChunkId = Id<struct ChunkTag, uint64_t>;            // given by the engine, rising within a shard
using DefinitionId = Id<struct DefinitionTag, uint64_t>;  // one version of one definition
using MessageId = Id<struct MessageTag, uint64_t>;        // given by the engine, unique among what is stored

// The numbers are stored. Everything from kFailed on is in the index of failures.
enum class ExecutionStatus : uint8_t { kRunning = 1, kSucceeded = 2, kFailed = 3, kTimedOut = 4, kAborted = 5 };

// Written when an execution starts, when it closes and when it is redriven, never between.
struct ExecutionRow {
  ExecutionId id;
  DefinitionId definition;
  ExecutionStatus status = ExecutionStatus::kRunning;
  std::string name;  // empty: generated, and so the id's text
  Timestamp started{};
  Timestamp closed = kNever;
  ChunkId head;  // the last chunk, once closed
  ExecutionId parent;
  uint32_t redrives = 0;
  Timestamp redriven = kNever;  // when last
  uint32_t version = 0;         // of the definition, where the start named one or an alias; 0: it named neither
  std::string alias;            // empty: the start named none

  friend bool operator==(const ExecutionRow&, const ExecutionRow&) = default;
};

// What changes each turn; exists only while the execution is open.
struct LiveRow {
  ExecutionId execution;
  ChunkId head;
  Timestamp wake = kNever;  // the earliest due time
  bool attention = false;   // the engine owes it something: a dispatched task, an unfinished turn

  friend bool operator==(const LiveRow&, const LiveRow&) = default;
};

// Consecutive facts of one execution, encoded and checked (store/chunk_codec.h).
struct Chunk {
  ChunkId id;
  ExecutionId execution;
  FactSeq first_fact;
  EventId first_event;  // the first that shows at or after first_fact
  ChunkId previous;     // 0: the first chunk
  std::string body;

  friend bool operator==(const Chunk&, const Chunk&) = default;
};

// The state of an execution after a chunk, and where to go on reading: the chunks after it refer to no value before.
struct SnapshotRow {
  ExecutionId execution;
  FactSeq last_fact;   // that it holds
  EventId last_event;  // that it holds
  ChunkId chunk;       // the last one that it holds
  std::string body;    // store/snapshot_codec.h

  friend bool operator==(const SnapshotRow&, const SnapshotRow&) = default;
};

// A client's name for an execution, found by hash and compared with the execution itself.
struct NameRow {
  uint64_t hash = 0;
  ExecutionId execution;

  friend bool operator==(const NameRow&, const NameRow&) = default;
};

// A due time of an open execution, or (once closed) the end of its retention.
struct Wake {
  Timestamp due{};
  ExecutionId execution;

  friend auto operator<=>(const Wake&, const Wake&) = default;
};

// Definitions, activities, tags: small, rarely written, whole in memory.
struct Document {
  std::string kind;  // "definition", "activity", …
  std::string key;
  std::string body;  // JSON; empty: removed

  friend bool operator==(const Document&, const Document&) = default;
};

// What one execution tells another. It is stored with the facts that it follows from, and removed with those that
// follow from it: a message in the store has not yet been heeded.
struct Message {
  MessageId id;
  ExecutionId destination;
  std::string body;  // the engine's (engine/child_messages.h)

  friend bool operator==(const Message&, const Message&) = default;
};

// Everything of a closed execution: its row, its chunks, its snapshots, its names, its wake.
struct Removal {
  ExecutionId execution;
  std::vector<uint64_t> name_hashes;
  Timestamp due{};  // of its retention
};

// What one shard wants made durable together. An execution's parts come in the order they are applied.
struct Batch {
  ShardId shard;
  Epoch epoch;
  std::vector<ExecutionRow> started;   // some of them closed already
  std::vector<ExecutionRow> reopened;  // redriven: stored as closed, open again (or closed again, then in `closed` too)
  std::vector<Wake> dropped;           // wakes that hold no more: the retention of what was redriven
  std::vector<NameRow> names;
  std::vector<Chunk> chunks;
  std::vector<SnapshotRow> snapshots;
  std::vector<LiveRow> live;         // written or replaced, with its wake
  std::vector<ExecutionRow> closed;  // their live rows and wakes are removed
  std::vector<Wake> retention;       // of closed executions
  std::vector<Removal> removed;
  std::vector<Document> documents;
  std::vector<Message> sent;
  std::vector<MessageId> heeded;  // of any shard's sending; one that is gone already is passed over

  bool empty() const {
    return sent.empty() && heeded.empty() && started.empty() && reopened.empty() && dropped.empty() && names.empty() &&
           chunks.empty() && snapshots.empty() && live.empty() && closed.empty() && retention.empty() &&
           removed.empty() && documents.empty();
  }
};

}  // namespace pawl::store
