#include "engine/writer.h"

#include <utility>

namespace pawl::engine {

Writer::Writer(store::Store& store, bool has_thread, OnDoubt on_doubt) : store_(store), on_doubt_(std::move(on_doubt)) {
  if (has_thread) thread_ = std::thread([this] { run(); });
}

Writer::~Writer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    arrived_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void Writer::submit(store::Batch batch, Done done) {
  const std::lock_guard lock(mutex_);
  gathered_.batches.push_back(std::move(batch));
  gathered_.done.push_back(std::move(done));
  arrived_.notify_one();
}

WriterStatistics Writer::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

void Writer::run() {
  for (;;) {
    Work work;
    {
      std::unique_lock lock(mutex_);
      arrived_.wait(lock, [&] { return stopping_ || !gathered_.batches.empty(); });
      if (gathered_.batches.empty()) return;
      work = take();
    }
    commit(std::move(work));
  }
}

// The lock is held.
Writer::Work Writer::take() {
  Work work = std::exchange(gathered_, Work{});
  ++statistics_.commits;
  statistics_.batches += work.batches.size();
  return work;
}

bool Writer::commit_gathered() {
  Work work;
  {
    const std::lock_guard lock(mutex_);
    if (gathered_.batches.empty()) return false;
    work = take();
  }
  commit(std::move(work));
  return true;
}

void Writer::commit(Work work) {
  const store::CommitResult result = store_.commit(work.batches);
  if (!result && result.error().failure != store::CommitFailure::kRolledBack) on_doubt_(result.error().error);
  if (result) count_executions(work);
  for (Done& done : work.done) done(result);
}

void Writer::count_executions(const Work& work) {
  const std::lock_guard lock(mutex_);
  for (const store::Batch& batch : work.batches) {
    statistics_.started += batch.started.size();
    statistics_.closed += batch.closed.size();
    statistics_.redriven += batch.reopened.size();
    for (const store::ExecutionRow& row : batch.started)
      if (row.status != store::ExecutionStatus::kRunning) ++statistics_.closed;
  }
}

}  // namespace pawl::engine
