// Group commit: one thread makes the batches of all shards durable, together.
//
// While one commit syncs, the next one gathers: there is no fixed delay, and a lone batch goes at once. A shard hands
// in a batch and hears, on the writer's thread, what became of it; one that has nothing else to do makes the commit
// itself, which spares two changes of threads. A failed sync stops the process (OnDoubt): what is
// on disk is then unknown.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/doubt.h"
#include "engine/engine_metrics.h"
#include "store/store.h"

namespace pawl::engine {

class Writer {
 public:
  using Done = std::move_only_function<void(const store::CommitResult&)>;

  // Without a thread, commits are made by commit_gathered() only.
  Writer(store::Store& store, EngineMetrics& metrics, bool has_thread, OnDoubt on_doubt);
  ~Writer();  // commits what was handed in, where it has a thread, then ends

  void submit(store::Batch batch, Done done);
  // Commits on the calling thread, where no commit is under way and none waits; else nothing, and the batch is as it
  // was.
  std::optional<store::CommitResult> commit_here(store::Batch& batch);
  // For a writer without a thread; whether there was anything.
  bool commit_gathered();

 private:
  struct Work {
    std::vector<store::Batch> batches;
    std::vector<Done> done;
  };
  void run();
  Work take();
  bool has_work() const;
  void commit(Work work);
  store::CommitResult commit_batches(const std::vector<store::Batch>& batches);
  void count_executions(const std::vector<store::Batch>& batches);

  store::Store& store_;
  EngineMetrics& metrics_;
  const OnDoubt on_doubt_;
  std::mutex mutex_;  // guards what is below, but the last two
  Work gathered_;
  bool is_committing_ = false;  // a shard
  bool is_writing_ = false;     // the thread
  bool stopping_ = false;
  std::condition_variable arrived_;
  std::thread thread_;
};

}  // namespace pawl::engine
