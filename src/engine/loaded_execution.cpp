#include "engine/loaded_execution.h"

#include "base/assert.h"
#include "engine/retention.h"
#include "store/snapshot_codec.h"

namespace pawl::engine {

using kernel::Fact;
using kernel::Operation;
using kernel::OperationKind;
using store::ChunkId;
using store::ExecutionStatus;

namespace {

constexpr EventId kAfterAllEvents(UINT32_MAX);

std::unexpected<Error> not_found(ExecutionId id) {
  return fail("EXECUTION_NOT_FOUND", "There is no execution " + std::to_string(id.number) + ".", "Check its name.");
}

}  // namespace

Result<std::unique_ptr<LoadedExecution>> LoadedExecution::load(ExecutionId id, const store::Store& store,
                                                               Programs& programs) {
  auto row = store.find_execution(id);
  if (!row) return not_found(id);
  auto program = programs.find(row->definition);
  if (program == nullptr)
    return fail("DEFINITION_MISSING", "The definition of execution " + std::to_string(id.number) + " is missing.",
                "Restore the data directory from a backup.");
  const auto live = store.find_live(id);
  auto loaded = std::make_unique<LoadedExecution>(*std::move(row), std::move(program));
  loaded->head_ = live ? live->head : loaded->row_.head;
  const auto folded = loaded->fold(store);
  const bool was_removed = !folded && !store.find_execution(id);  // since it was found: its retention ended meanwhile
  if (was_removed) return not_found(id);
  if (!folded) return std::unexpected(folded.error());
  loaded->is_stored_ = true;
  loaded->unfinished_ = bool(loaded->execution_->first_ready());
  loaded->subscriptions_.restore(loaded->row_, *loaded->execution_);
  return loaded;
}

Result<void> LoadedExecution::fold(const store::Store& store) {
  const auto snapshot = store.snapshot_before(row_.id, kAfterAllEvents);
  const bool is_of_this_history = snapshot && snapshot->chunk <= head_;
  auto restored = is_of_this_history ? store::decode_snapshot(snapshot->body) : nullptr;
  const ChunkId begin = restored != nullptr ? snapshot->chunk : ChunkId();
  if (restored != nullptr) {
    execution_ = std::move(restored);
    snapshot_bytes_ = snapshot->body.size();
  }
  PAWL_TRY(const auto chunks, store.load_chunks_after(row_.id, begin, head_));
  store::ChunkDecoder decoder;
  for (const store::Chunk& chunk : chunks) {
    PAWL_TRY(const auto facts, decoder.decode(chunk.body));
    for (const Fact& fact : facts) execution_->evolve(fact);
    facts_folded_ += facts.size();
    bytes_since_snapshot_ += chunk.body.size();
  }
  facts_since_snapshot_ = facts_folded_;
  encoder_ = std::move(decoder).continue_encoding();
  // Where nothing follows a snapshot, the next chunk is the one that begins anew, also if this version cannot read it.
  if (snapshot && snapshot->chunk == head_) encoder_.begin_anew();
  return {};
}

namespace {

bool is_being_called(const Operation& operation) {
  if (operation.kind == OperationKind::kTask) return operation.phase != Operation::Phase::kScheduled;
  const bool ends_elsewhere = operation.kind == OperationKind::kCallback || operation.kind == OperationKind::kChild;
  return ends_elsewhere && operation.phase == Operation::Phase::kStarted;
}

bool is_offered(const Operation& operation) {
  return operation.kind == OperationKind::kActivity && operation.phase == Operation::Phase::kScheduled;
}

}  // namespace

bool LoadedExecution::is_busy() const {
  if (unfinished_) return true;
  for (const auto& [id, operation] : execution_->open_operations())
    if (is_being_called(operation)) return true;
  return false;
}

bool LoadedExecution::needs_attention() const {
  if (is_busy()) return true;
  for (const auto& [id, operation] : execution_->open_operations())
    if (is_offered(operation)) return true;
  return false;
}

ExecutionStatus LoadedExecution::stored_status() const {
  switch (execution_->status()) {
    case kernel::Status::kNotStarted:
    case kernel::Status::kRunning:
      return ExecutionStatus::kRunning;
    case kernel::Status::kSucceeded:
      return ExecutionStatus::kSucceeded;
    case kernel::Status::kFailed:
      return ExecutionStatus::kFailed;
    case kernel::Status::kTimedOut:
      return ExecutionStatus::kTimedOut;
    case kernel::Status::kAborted:
      return ExecutionStatus::kAborted;
  }
  return ExecutionStatus::kRunning;
}

store::Chunk LoadedExecution::encode_unsaved(ChunkId id) {
  store::Chunk chunk;
  chunk.id = id;
  chunk.execution = row_.id;
  chunk.first_fact = FactSeq(execution_->last_fact().number - unsaved_.size() + 1);
  for (const Fact& fact : unsaved_) {
    if (!fact.event) continue;
    chunk.first_event = fact.event;
    break;
  }
  chunk.previous = head_;
  chunk.body = encoder_.encode(unsaved_);
  facts_since_snapshot_ += unsaved_.size();
  bytes_since_snapshot_ += chunk.body.size();
  unsaved_.clear();
  head_ = id;
  return chunk;
}

void LoadedExecution::save_snapshot_if_due(store::Batch& batch) {
  if (facts_since_snapshot_ < kSnapshotFacts || bytes_since_snapshot_ < snapshot_bytes_) return;
  store::SnapshotRow snapshot{row_.id, execution_->last_fact(), execution_->last_event(), head_,
                              store::encode_snapshot(*execution_)};
  encoder_.begin_anew();
  facts_since_snapshot_ = 0;
  bytes_since_snapshot_ = 0;
  snapshot_bytes_ = snapshot.body.size();
  batch.snapshots.push_back(std::move(snapshot));
}

// One that starts and ends between two commits is written once, closed, and never has a live row.
void LoadedExecution::save(const SaveContext& context, store::Batch& batch, std::vector<kernel::EventShape>& shapes) {
  PAWL_ASSERT(!unsaved_.empty(), row_.id);
  subscriptions_.save(row_, *execution_, unsaved_, context.last_event, batch, shapes);
  batch.chunks.push_back(encode_unsaved(context.chunk));
  save_snapshot_if_due(batch);
  save_row(context.retention, batch);
  if (execution_->is_open()) batch.live.push_back({row_.id, head_, execution_->next_due(), needs_attention()});
  is_stored_ = true;
}

// The row of an execution changes when it starts, closes or is redriven.
void LoadedExecution::save_row(Duration retention, store::Batch& batch) {
  const bool is_open = execution_->is_open();
  const bool was_closed = row_.closed != kNever;
  const bool goes_on_anew = is_stored_ && is_open && row_.redrives != execution_->redrives();
  const Timestamp dropped = was_closed ? retention_end(row_.closed, retention) : kNever;
  row_.status = stored_status();
  row_.closed = is_open ? kNever : execution_->last_time();
  row_.head = is_open ? ChunkId() : head_;
  row_.redrives = execution_->redrives();
  if (row_.redrives != 0) row_.redriven = execution_->last_redriven();
  if (!is_stored_) batch.started.push_back(row_);
  if (was_closed || goes_on_anew) batch.reopened.push_back(row_);
  if (dropped != kNever) batch.dropped.push_back({dropped, row_.id});
  if (is_open) return;
  if (is_stored_) batch.closed.push_back(row_);
  const Timestamp end = retention_end(row_.closed, retention);
  if (end != kNever) batch.retention.push_back({end, row_.id});
}

}  // namespace pawl::engine
