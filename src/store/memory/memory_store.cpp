#include "store/memory/memory_store.h"

#include <algorithm>

#include "store/dump.h"

namespace pawl::store {

CommitResult MemoryStore::commit(std::span<const Batch> batches) {
  const std::lock_guard lock(mutex_);
  for (const Batch& batch : batches) {
    const auto owner = epochs_.find(batch.shard);
    if (owner == epochs_.end() || owner->second != batch.epoch) return std::unexpected(fenced(batch.shard));
  }
  for (const Batch& batch : batches) apply(batch);
  return {};
}

void MemoryStore::apply(const Batch& batch) {
  for (const ExecutionRow& row : batch.started) {
    executions_[row.id] = row;
    last_execution_ = std::max(last_execution_, row.id);
  }
  for (const ExecutionRow& row : batch.reopened) executions_[row.id] = row;
  for (const Wake& wake : batch.dropped) wakes_.erase(wake);
  for (const NameRow& name : batch.names) names_.insert({name.hash, name.execution});
  for (const Chunk& chunk : batch.chunks) {
    chunks_[chunk.id] = chunk;
    last_chunk_ = std::max(last_chunk_, chunk.id);
  }
  for (const SnapshotRow& snapshot : batch.snapshots) snapshots_[{snapshot.execution, snapshot.last_fact}] = snapshot;
  for (const LiveRow& row : batch.live) set_live(row);
  for (const ExecutionRow& row : batch.closed) {
    executions_[row.id] = row;
    drop_live(row.id);
  }
  for (const Wake& wake : batch.retention) wakes_.insert(wake);
  for (const Removal& removal : batch.removed) remove(removal);
  for (const Document& document : batch.documents) {
    if (document.body.empty())
      documents_.erase({document.kind, document.key});
    else
      documents_[{document.kind, document.key}] = document.body;
  }
  for (const Message& message : batch.sent) messages_[message.id] = message;
  for (const MessageId id : batch.heeded) messages_.erase(id);
  apply_events(batch);
}

void MemoryStore::set_live(const LiveRow& row) {
  drop_live(row.execution);
  live_[row.execution] = row;
  if (row.wake != kNever) wakes_.insert({row.wake, row.execution});
}

void MemoryStore::drop_live(ExecutionId id) {
  const auto found = live_.find(id);
  if (found == live_.end()) return;
  wakes_.erase({found->second.wake, id});
  live_.erase(found);
}

void MemoryStore::remove(const Removal& removal) {
  const ExecutionId id = removal.execution;
  executions_.erase(id);
  std::erase_if(chunks_, [&](const auto& entry) { return entry.second.execution == id; });
  for (const uint64_t hash : removal.name_hashes) names_.erase({hash, id});
  std::erase_if(snapshots_, [&](const auto& entry) { return entry.second.execution == id; });
  wakes_.erase({removal.due, id});
}

std::optional<ExecutionRow> MemoryStore::find_execution(ExecutionId id) const {
  const std::lock_guard lock(mutex_);
  const auto found = executions_.find(id);
  return found == executions_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<LiveRow> MemoryStore::find_live(ExecutionId id) const {
  const std::lock_guard lock(mutex_);
  const auto found = live_.find(id);
  return found == live_.end() ? std::nullopt : std::optional(found->second);
}

Result<std::vector<Chunk>> MemoryStore::load_chunks_after(ExecutionId id, ChunkId after, ChunkId head) const {
  const std::lock_guard lock(mutex_);
  std::vector<Chunk> loaded;
  for (ChunkId at = head; at && at != after;) {
    const auto found = chunks_.find(at);
    if (found == chunks_.end() || found->second.execution != id) return std::unexpected(missing_chunk(id, at));
    loaded.push_back(found->second);
    at = found->second.previous;
  }
  std::reverse(loaded.begin(), loaded.end());
  return loaded;
}

std::optional<SnapshotRow> MemoryStore::snapshot_before(ExecutionId id, EventId event) const {
  const std::lock_guard lock(mutex_);
  std::optional<SnapshotRow> found;
  for (auto at = snapshots_.lower_bound({id, FactSeq()}); at != snapshots_.end() && at->first.first == id; ++at)
    if (at->second.last_event < event) found = at->second;
  return found;
}

ChunkId MemoryStore::snapshot_chunk_with(ExecutionId id, EventId event) const {
  const std::lock_guard lock(mutex_);
  for (auto at = snapshots_.lower_bound({id, FactSeq()}); at != snapshots_.end() && at->first.first == id; ++at)
    if (at->second.last_event >= event) return at->second.chunk;
  return {};
}

std::vector<ExecutionId> MemoryStore::find_names(uint64_t hash) const {
  const std::lock_guard lock(mutex_);
  std::vector<ExecutionId> found;
  for (auto at = names_.lower_bound({hash, ExecutionId()}); at != names_.end() && at->first == hash; ++at)
    found.push_back(at->second);
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<LiveRow> MemoryStore::needing_attention(ExecutionId after, size_t limit) const {
  const std::lock_guard lock(mutex_);
  std::vector<LiveRow> found;
  for (auto at = live_.upper_bound(after); at != live_.end() && found.size() < limit; ++at)
    if (at->second.attention) found.push_back(at->second);
  return found;
}

std::vector<Wake> MemoryStore::due(Timestamp until, const Wake& after, size_t limit) const {
  const std::lock_guard lock(mutex_);
  std::vector<Wake> found;
  for (auto at = wakes_.upper_bound(after); at != wakes_.end() && at->due <= until && found.size() < limit; ++at)
    found.push_back(*at);
  return found;
}

Timestamp MemoryStore::next_wake() const {
  const std::lock_guard lock(mutex_);
  return wakes_.empty() ? kNever : wakes_.begin()->due;
}

std::vector<ExecutionRow> MemoryStore::list_executions(const ListFilter& filter) const {
  const std::lock_guard lock(mutex_);
  std::vector<ExecutionRow> found;
  if (filter.is_oldest_first) {
    for (auto at = executions_.upper_bound(filter.after); at != executions_.end() && found.size() < filter.limit; ++at)
      if (matches(filter, at->second)) found.push_back(at->second);
    return found;
  }
  auto at = filter.before ? executions_.lower_bound(filter.before) : executions_.end();
  while (at != executions_.begin() && found.size() < filter.limit) {
    const ExecutionRow& row = (--at)->second;
    if (matches(filter, row)) found.push_back(row);
  }
  return found;
}

std::vector<Document> MemoryStore::documents(const std::string& kind) const {
  const std::lock_guard lock(mutex_);
  std::vector<Document> found;
  for (auto at = documents_.lower_bound({kind, ""}); at != documents_.end() && at->first.first == kind; ++at)
    found.push_back({kind, at->first.second, at->second});
  return found;
}

std::vector<Message> MemoryStore::messages(MessageId after, size_t limit) const {
  const std::lock_guard lock(mutex_);
  std::vector<Message> found;
  for (auto at = messages_.upper_bound(after); at != messages_.end() && found.size() < limit; ++at)
    found.push_back(at->second);
  return found;
}

MessageId MemoryStore::last_message() const {
  const std::lock_guard lock(mutex_);
  return messages_.empty() ? MessageId() : messages_.rbegin()->first;
}

ChunkId MemoryStore::last_chunk() const {
  const std::lock_guard lock(mutex_);
  return last_chunk_;
}

ExecutionId MemoryStore::last_execution() const {
  const std::lock_guard lock(mutex_);
  ExecutionId last = last_execution_;
  for (const auto& [id, message] : messages_) last = std::max(last, message.destination);
  return last;
}

Result<Epoch> MemoryStore::acquire(ShardId shard) {
  const std::lock_guard lock(mutex_);
  Epoch& epoch = epochs_[shard];
  epoch = epoch.next();
  return epoch;
}

std::string MemoryStore::dump() const {
  const std::lock_guard lock(mutex_);
  Dump dump;
  for (const auto& [id, row] : executions_) dump.add(row);
  for (const auto& [id, row] : live_) dump.add(row);
  for (const auto& [id, chunk] : chunks_) dump.add(chunk);
  for (const auto& [key, snapshot] : snapshots_) dump.add(snapshot);
  for (const Wake& wake : wakes_) dump.add(wake);
  for (const auto& [hash, execution] : names_) dump.add(NameRow{hash, execution});
  for (const auto& [key, body] : documents_) dump.add(Document{key.first, key.second, body});
  for (const auto& [id, message] : messages_) dump.add(message);
  dump_events(dump);
  return dump.text();
}

}  // namespace pawl::store
