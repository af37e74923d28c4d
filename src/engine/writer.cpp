#include "engine/writer.h"

#include <utility>

namespace pawl::engine {

Writer::Writer(store::Store& store, EngineMetrics& metrics, bool has_thread, OnDoubt on_doubt)
    : store_(store), metrics_(metrics), on_doubt_(std::move(on_doubt)) {
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
  {
    const std::lock_guard lock(mutex_);
    gathered_.batches.push_back(std::move(batch));
    gathered_.done.push_back(std::move(done));
  }
  arrived_.notify_one();
}

std::optional<store::CommitResult> Writer::commit_here(store::Batch& batch) {
  {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable() || stopping_ || is_committing_ || is_writing_ || !gathered_.batches.empty())
      return std::nullopt;
    is_committing_ = true;
  }
  std::vector<store::Batch> batches;
  batches.push_back(std::move(batch));
  store::CommitResult result = commit_batches(batches);
  bool is_awaited = false;
  {
    const std::lock_guard lock(mutex_);
    is_committing_ = false;
    is_awaited = has_work();
  }
  if (is_awaited) arrived_.notify_one();
  return result;
}

// The lock is held.
bool Writer::has_work() const { return !is_committing_ && (stopping_ || !gathered_.batches.empty()); }

void Writer::run() {
  for (;;) {
    Work work;
    {
      std::unique_lock lock(mutex_);
      is_writing_ = false;
      arrived_.wait(lock, [&] { return has_work(); });
      if (gathered_.batches.empty()) return;
      work = take();
      is_writing_ = true;
    }
    commit(std::move(work));
  }
}

// The lock is held.
Writer::Work Writer::take() { return std::exchange(gathered_, Work{}); }

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
  const store::CommitResult result = commit_batches(work.batches);
  for (Done& done : work.done) done(result);
}

store::CommitResult Writer::commit_batches(const std::vector<store::Batch>& batches) {
  const Stopwatch watch;
  store::CommitResult result = store_.commit(batches);
  metrics_.commit_time.observe(watch.elapsed_us());
  if (!result && result.error().failure != store::CommitFailure::kRolledBack) on_doubt_(result.error().error);
  if (result)
    count_executions(batches);
  else
    metrics_.failed_commits.add();
  return result;
}

void Writer::count_executions(const std::vector<store::Batch>& batches) {
  size_t chunks = 0;
  for (const store::Batch& batch : batches) {
    chunks += batch.chunks.size();
    metrics_.started.add(batch.started.size());
    for (const store::ExecutionRow& row : batch.closed) metrics_.closed_as(row.status).add();
    metrics_.redriven.add(batch.reopened.size());
    for (const store::ExecutionRow& row : batch.started)
      if (row.status != store::ExecutionStatus::kRunning) metrics_.closed_as(row.status).add();
  }
  metrics_.commit_chunks.observe(chunks);
}

}  // namespace pawl::engine
