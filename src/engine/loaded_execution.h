// An execution in memory: its state, and what of it is not yet in the store. Belongs to one shard's thread.
//
// A long history is not folded from its beginning: every so many facts a snapshot of the state is stored, and the
// chunks after it refer to no value before. What is read to wake an execution, and what it holds in memory, is
// therefore bounded by what it is, not by how long it has been running.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "engine/programs.h"
#include "engine/subscriptions.h"
#include "kernel/execution.h"
#include "store/chunk_codec.h"
#include "store/store.h"

namespace pawl::engine {

// A snapshot is stored after that many facts, once they take more bytes than the snapshot before: so snapshots take no
// more than the facts do.
inline constexpr size_t kSnapshotFacts = 1'000;

class LoadedExecution {
 public:
  // A new one.
  LoadedExecution(store::ExecutionRow row, std::shared_ptr<const kernel::Program> program)
      : row_(std::move(row)), program_(std::move(program)), execution_(std::make_unique<kernel::Execution>()) {}

  // Folds the stored facts that follow its newest snapshot; all of them where there is none that can be read. Errors:
  // EXECUTION_NOT_FOUND, DEFINITION_MISSING, the store's and the codec's.
  static Result<std::unique_ptr<LoadedExecution>> load(ExecutionId id, const store::Store& store, Programs& programs);

  const store::ExecutionRow& row() const { return row_; }
  const kernel::Program& program() const { return *program_; }
  kernel::Execution& execution() { return *execution_; }
  const kernel::Execution& execution() const { return *execution_; }
  size_t facts_folded() const { return facts_folded_; }      // when it was loaded
  std::vector<kernel::Fact>& unsaved() { return unsaved_; }  // a turn appends here
  bool is_saved() const { return unsaved_.empty(); }

  // A turn was cut: the rest must follow, also after a crash.
  void set_unfinished(bool unfinished) { unfinished_ = unfinished; }
  // Whether the engine owes it something that a restart must do again.
  bool needs_attention() const;
  // Whether an answer to a call of the engine's, or the rest of a turn, is on its way.
  bool is_busy() const;

  // What the engine adds to what is saved.
  struct SaveContext {
    store::ChunkId chunk;
    Duration retention{};
    store::EventNumber last_event;  // that arrived
  };
  // Puts what is unsaved into the batch, as one chunk and the rows that go with it. The shapes of new waits for events
  // are added to `shapes`.
  void save(const SaveContext& context, store::Batch& batch, std::vector<kernel::EventShape>& shapes);

 private:
  void save_row(Duration retention, store::Batch& batch);
  Result<void> fold(const store::Store& store);
  store::Chunk encode_unsaved(store::ChunkId id);
  void save_snapshot_if_due(store::Batch& batch);
  store::ExecutionStatus stored_status() const;

  store::ExecutionRow row_;
  std::shared_ptr<const kernel::Program> program_;
  std::unique_ptr<kernel::Execution> execution_;
  std::vector<kernel::Fact> unsaved_;
  store::ChunkEncoder encoder_;
  store::ChunkId head_;
  size_t facts_folded_ = 0;
  size_t facts_since_snapshot_ = 0;
  size_t bytes_since_snapshot_ = 0;
  size_t snapshot_bytes_ = 0;  // of the last one
  bool is_stored_ = false;
  bool unfinished_ = false;
  Subscriptions subscriptions_;
};

}  // namespace pawl::engine
