// The rows of the store, as the engine and every store implementation know them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "kernel/event_filter.h"

namespace pawl::store {

using kernel::EventKey;

using ChunkId = Id<struct ChunkTag, uint64_t>;            // given by the engine, rising within a shard
using DefinitionId = Id<struct DefinitionTag, uint64_t>;  // one version of one definition
using MessageId = Id<struct MessageTag, uint64_t>;        // given by the engine, unique among what is stored
using EventNumber = Id<struct EventNumberTag, uint64_t>;  // of an event that arrived: given by the engine, rising
using SinkItemId = Id<struct SinkItemTag, uint64_t>;      // given by the engine, unique among what is stored

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

// A wait for an event, found by the key of its filter. There is a row for each filter of the operation.
struct SubscriptionRow {
  EventKey key;
  DefinitionId definition;
  ExecutionId execution;
  OperationId operation;
  uint32_t filter = 0;  // which one of the operation
  EventNumber after;    // events up to this one are not for it: they were taken, or came before the execution
  EventNumber known;    // the last event when it was made
  Timestamp made{};

  // What tells it from others; the last three follow from them.
  auto place() const { return std::tie(key, definition, execution, operation, filter); }
  friend bool operator==(const SubscriptionRow&, const SubscriptionRow&) = default;
};

// A wait that an event has ended, and that is still among the others: it is removed later, together with its
// neighbours.
struct SpentWait {
  EventNumber event;     // the one that ended it
  SubscriptionRow wait;  // its place()

  friend bool operator==(const SpentWait&, const SpentWait&) = default;
};

// An event that arrived.
struct EventRow {
  EventNumber number;
  EventKey identity;  // hash of source and id: by which a second arrival is known
  Timestamp received{};
  bool is_decided = true;  // what it starts was decided, and those who wait for it are being told
  std::string body;        // the CloudEvent, as JSON

  friend bool operator==(const EventRow&, const EventRow&) = default;
};

// Some of the events that start an execution together; the others are waited for.
struct PartialSetRow {
  EventNumber id;  // the first of them
  EventKey key;    // of the definition's family and what the events have in common
  Timestamp due = kNever;
  std::string body;  // the engine's (engine/event_starts.h)

  friend bool operator==(const PartialSetRow&, const PartialSetRow&) = default;
};

// An event on its way to a sink.
struct SinkItem {
  SinkItemId id;
  std::string sink;       // its name
  ExecutionId execution;  // that produced it
  std::string body;       // the CloudEvent, as JSON

  friend bool operator==(const SinkItem&, const SinkItem&) = default;
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
  std::vector<SubscriptionRow> subscribed;
  std::vector<SubscriptionRow> unsubscribed;  // by place(); of any shard's, one that is gone already is passed over
  std::vector<SpentWait> spent;               // at most one of an event
  EventNumber swept;                          // spent waits up to this event are removed; 0: none
  std::vector<EventRow> received;
  std::vector<EventNumber> decided;     // received before, and not decided then
  EventNumber forgotten;                // with all events before it; 0: none
  std::vector<PartialSetRow> gathered;  // written or replaced
  std::vector<EventNumber> scattered;   // partial sets that are complete, or given up
  std::vector<SinkItem> queued;
  std::vector<SinkItemId> delivered;

  bool has_events() const {
    return !subscribed.empty() || !unsubscribed.empty() || !spent.empty() || swept || !received.empty() ||
           !decided.empty() || forgotten || !gathered.empty() || !scattered.empty() || !queued.empty() ||
           !delivered.empty();
  }
  bool empty() const {
    return !has_events() && sent.empty() && heeded.empty() && started.empty() && reopened.empty() && dropped.empty() &&
           names.empty() && chunks.empty() && snapshots.empty() && live.empty() && closed.empty() &&
           retention.empty() && removed.empty() && documents.empty();
  }
};

}  // namespace pawl::store
