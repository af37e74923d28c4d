// A store for tests, whose commits fail when they say so.
#pragma once

#include <atomic>
#include <thread>

#include "store/forwarding_store.h"

namespace pawl::engine {

// Hands everything to another store, but the commits that are to fail: those roll back.
class FailingStore final : public store::ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  store::CommitResult commit(std::span<const store::Batch> batches) override {
    committed_on = std::this_thread::get_id();
    const bool is_doomed = entered.fetch_add(1) + 1 == fails_at.load();
    while (is_held.load()) std::this_thread::yield();
    if (!fails.load() && !is_doomed) return ForwardingStore::commit(batches);
    return std::unexpected(
        store::CommitError{store::CommitFailure::kRolledBack, {"STORE_FULL_OR_BUSY", "", "full", ""}});
  }

  std::atomic<bool> fails{false};
  std::atomic<bool> is_held{false};
  std::atomic<int> entered{0};
  std::atomic<std::thread::id> committed_on{};  // the last one
  std::atomic<int> fails_at{0};                 // this commit only, counted from 1
};

}  // namespace pawl::engine
