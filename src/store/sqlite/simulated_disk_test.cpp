// The SQLite store on a disk that fails: what is acknowledged stays, what is in doubt is said.
#include "store/sqlite/simulated_disk.h"

#include <gtest/gtest.h>

#include "store/memory/memory_store.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl::store {
namespace {

using Survival = SimulatedDisk::Survival;

struct Doubt {
  Error error;
};

class SimulatedDiskTest : public testing::Test {
 protected:
  void open() {
    SqliteOptions options;
    options.vfs = disk.vfs();
    options.checkpoint_pages = checkpoint_pages;
    options.on_doubt = [](const Error& error) { throw Doubt{error}; };
    store = SqliteStore::open("data", options).value();
    epoch = store->acquire(ShardId(1)).value();
  }

  void lose_power(Survival survival) {
    disk.lose_power();
    store.reset();
    disk.restore_power(survival);
  }

  Batch start_of(uint64_t id, size_t bytes = 100) const {
    Batch batch;
    batch.shard = ShardId(1);
    batch.epoch = epoch;
    ExecutionRow row;
    row.id = ExecutionId(id);
    row.definition = DefinitionId(1);
    batch.started.push_back(row);
    batch.chunks.push_back(
        {ChunkId(id), ExecutionId(id), FactSeq(1), EventId(1), ChunkId(), std::string(bytes, static_cast<char>(id))});
    batch.live.push_back({ExecutionId(id), ChunkId(id), kNever, true});
    return batch;
  }

  CommitResult commit(uint64_t id, size_t bytes = 100) {
    const Batch batch = start_of(id, bytes);
    return store->commit({&batch, 1});
  }

  SimulatedDisk disk{42};
  int checkpoint_pages = 1000;
  std::unique_ptr<SqliteStore> store;
  Epoch epoch;
};

TEST_F(SimulatedDiskTest, ForgetsWhatNoSyncCovers) {
  auto file = disk.open("file", true);
  disk.write(*file, "kept", 4, 0);
  file.reset();
  EXPECT_EQ(disk.content_of("file"), "kept");
  disk.lose_power();
  disk.restore_power(Survival::kNothing);
  EXPECT_FALSE(disk.exists("file"));
}

TEST_F(SimulatedDiskTest, KeepsAcknowledgedCommitsWhateverTheDiskForgets) {
  for (const Survival survival : {Survival::kAll, Survival::kSome, Survival::kNothing}) {
    open();
    const uint64_t first = store->last_execution().number + 1;
    for (uint64_t id = first; id < first + 20; ++id) ASSERT_TRUE(commit(id).has_value());
    const std::string before = store->dump();
    lose_power(survival);
    open();
    EXPECT_EQ(store->dump(), before);
  }
}

// Every place at which the power can fail, one after another.
TEST_F(SimulatedDiskTest, KeepsACommitWhollyOrNotAtAllWhereverThePowerFails) {
  checkpoint_pages = 4;
  open();
  for (uint64_t change = 1; change <= 60; ++change) {
    const std::string before = store->dump();
    disk.lose_power_at(change);
    const uint64_t id = store->last_execution().number + 1;
    const bool acknowledged = commit(id, 20'000).has_value();
    lose_power(Survival::kSome);
    open();
    const bool is_there = store->find_execution(ExecutionId(id)).has_value();
    EXPECT_TRUE(is_there || !acknowledged) << change;
    if (!is_there) {
      EXPECT_EQ(store->dump(), before) << change;
    } else {
      EXPECT_TRUE(store->load_chunks(ExecutionId(id), ChunkId(id)).has_value()) << change;
    }
  }
}

TEST_F(SimulatedDiskTest, RollsBackOnAFullDiskAndGoesOnWhenThereIsRoom) {
  open();
  ASSERT_TRUE(commit(1).has_value());
  const std::string before = store->dump();
  disk.set_capacity(disk.used_bytes() + 10'000);
  const auto full = commit(2, 1'000'000);
  ASSERT_FALSE(full.has_value());
  EXPECT_EQ(full.error().failure, CommitFailure::kRolledBack);
  EXPECT_EQ(full.error().error.code, "STORE_FULL_OR_BUSY");
  EXPECT_EQ(store->dump(), before);
  disk.set_capacity(std::nullopt);
  EXPECT_TRUE(commit(2, 1'000'000).has_value());
}

// The first statement fails and others follow: SQLite then no longer knows why.
TEST_F(SimulatedDiskTest, KnowsAFullDiskAlsoInTheMiddleOfABatch) {
  open();
  Batch batch = start_of(1, 30'000'000);
  for (uint64_t id = 2; id < 50; ++id) {
    const Batch more = start_of(id);
    batch.chunks.insert(batch.chunks.end(), more.chunks.begin(), more.chunks.end());
    batch.live.insert(batch.live.end(), more.live.begin(), more.live.end());
  }
  disk.set_capacity(disk.used_bytes() + 10'000);
  const auto full = store->commit({&batch, 1});
  ASSERT_FALSE(full.has_value());
  EXPECT_EQ(full.error().failure, CommitFailure::kRolledBack);
}

TEST_F(SimulatedDiskTest, SaysThatNobodyKnowsWhatAFailedSyncLeft) {
  open();
  disk.fail_sync_at(1);
  const auto failed = commit(1);
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().failure, CommitFailure::kUnknown);
  EXPECT_EQ(failed.error().error.code, "STORE_IO");
}

TEST_F(SimulatedDiskTest, SaysSoWhereTheSyncOfACheckpointFails) {
  checkpoint_pages = 1;
  open();
  bool said = false;
  for (uint64_t sync = 1; sync <= 3 && !said; ++sync) {
    disk.fail_sync_at(sync);
    const auto result = commit(sync);
    said = !result && result.error().failure == CommitFailure::kUnknown;
    EXPECT_TRUE(said) << sync;
    lose_power(Survival::kNothing);
    open();
    said = false;
  }
}

TEST_F(SimulatedDiskTest, DoesNotTakeAReadThatFailsForAbsence) {
  open();
  for (uint64_t id = 1; id <= 500; ++id) ASSERT_TRUE(commit(id, 5'000).has_value());
  lose_power(Survival::kAll);
  open();
  disk.fail_read_at(1);
  try {
    store->find_execution(ExecutionId(400));
    FAIL() << "it was answered";
  } catch (const Doubt& doubt) {
    EXPECT_EQ(doubt.error.code, "STORE_IO");
  }
}

TEST_F(SimulatedDiskTest, SaysThatAPageIsDamaged) {
  open();
  for (uint64_t id = 1; id <= 200; ++id) ASSERT_TRUE(commit(id, 5'000).has_value());
  store.reset();
  const uint64_t pages = disk.content_of("data/pawl.db").size() / 8192;
  for (uint64_t page = 20; page < pages; ++page)  // the kind of each, beyond the roots of the tables
    for (int bit = 0; bit < 8; ++bit) disk.flip_bit("data/pawl.db", page * 8192, bit);
  const auto read_all = [&] {
    open();
    for (uint64_t id = 1; id <= 200; ++id) {
      store->find_execution(ExecutionId(id));
      if (auto chunks = store->load_chunks(ExecutionId(id), ChunkId(id)); !chunks) throw Doubt{chunks.error()};
    }
  };
  try {
    read_all();
    FAIL() << "everything was read";
  } catch (const Doubt& doubt) {
    EXPECT_EQ(doubt.error.code, "STORE_DAMAGED") << to_string(doubt.error);
  }
}

}  // namespace
}  // namespace pawl::store
