#include "sim/witness_store.h"

#include <set>
#include <sstream>

#include "sim/violation.h"

namespace pawl::sim {

namespace {

std::multiset<std::string> lines_of(const std::string& text) {
  std::multiset<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.insert(line);
  return lines;
}

// The first few lines that only one of them has.
std::string difference(const std::string& expected, const std::string& found) {
  constexpr int kLinesMax = 5;
  const auto wanted = lines_of(expected);
  const auto there = lines_of(found);
  std::string text;
  int shown = 0;
  for (const std::string& line : wanted)
    if (!there.contains(line) && ++shown <= kLinesMax) text += "\n  lost:  " + line;
  for (const std::string& line : there)
    if (!wanted.contains(line) && ++shown <= 2 * kLinesMax) text += "\n  found: " + line;
  return text;
}

}  // namespace

void WitnessStore::keep(std::vector<store::Batch> batches) {
  for (store::Batch& batch : batches) {
    batch.epoch = epochs_.at(batch.shard);
    for (const store::Removal& removal : batch.removed) {
      const auto row = durable_.find_execution(removal.execution);
      if (!row && removed_.contains(removal.execution)) continue;  // asked for twice
      require(row && row->status != store::ExecutionStatus::kRunning, "execution ", removal.execution,
              " was removed and had not ended");
      removed_[row->id] = *row;
    }
  }
  const auto kept = durable_.commit(batches);
  require(kept.has_value(), "the store in memory refuses what SQLite took");
}

store::CommitResult WitnessStore::commit(std::span<const store::Batch> batches) {
  in_doubt_.assign(batches.begin(), batches.end());
  auto result = real_->commit(batches);
  if (result) {
    ++commits_;
    keep(std::exchange(in_doubt_, {}));
  } else if (result.error().failure == store::CommitFailure::kRolledBack) {
    ++rolled_back_;
    in_doubt_.clear();
  }
  return result;
}

Result<Epoch> WitnessStore::acquire(ShardId shard) {
  auto epoch = real_->acquire(shard);
  if (epoch) epochs_[shard] = durable_.acquire(shard).value();
  return epoch;
}

void WitnessStore::check_survival() {
  const std::string found = real_->dump();
  std::string expected = durable_.dump();
  if (found != expected && !in_doubt_.empty()) {
    keep(std::exchange(in_doubt_, {}));
    expected = durable_.dump();
  }
  in_doubt_.clear();
  require(found == expected, "the disk does not hold what was durable:", difference(expected, found));
}

}  // namespace pawl::sim
