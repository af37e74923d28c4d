// The stores are driven with the same random operations and must give the same answers and the same dump.
#include "store/store.h"

#include <cstdlib>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "base/random.h"
#include "store/memory/memory_store.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl::store {
namespace {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "pawl-store-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Timestamp at(int64_t ms) { return Timestamp(Duration(ms)); }

// Makes batches as an engine would: executions start, go on, close and are removed.
class RandomBatches {
 public:
  explicit RandomBatches(uint64_t seed, Epoch epoch) : random_(seed), epoch_(epoch) {}

  Batch next() {
    Batch batch;
    batch.shard = ShardId(1);
    batch.epoch = epoch_;
    for (uint64_t i = random_.next() % 6; i > 0; --i) change(batch);
    return batch;
  }

  uint64_t executions() const { return last_; }
  ChunkId head_of(ExecutionId id) const {
    const auto found = heads_.find(id);
    return found == heads_.end() ? ChunkId() : found->second;
  }
  SeededRandom& random() { return random_; }

 private:
  void change(Batch& batch) {
    const uint64_t choice = random_.next() % 10;
    if (choice < 3 || open_.empty()) return start(batch);
    if (choice < 7) return go_on(batch, pick(open_));
    if (choice < 9) return close(batch, pick(open_));
    if (!closed_.empty()) remove(batch);
    if (random_.next() % 2 == 0) batch.documents.push_back(document());
  }

  ExecutionId pick(const std::map<ExecutionId, ExecutionRow>& from) {
    auto found = from.begin();
    std::advance(found, static_cast<std::ptrdiff_t>(random_.next() % from.size()));
    return found->first;
  }

  void start(Batch& batch) {
    ExecutionRow row;
    row.id = ExecutionId(++last_ << 12 | random_.next() % 4096);
    row.definition = DefinitionId(1 + random_.next() % 3);
    row.started = at(static_cast<int64_t>(last_) * 10);
    if (random_.next() % 2 == 0) {
      row.name = "name-" + std::to_string(random_.next() % 20);
      batch.names.push_back({std::hash<std::string>{}(row.name), row.id});
    }
    if (random_.next() % 4 == 0) return start_closed(batch, row);
    batch.started.push_back(row);
    open_[row.id] = row;
    go_on(batch, row.id);
  }

  void start_closed(Batch& batch, ExecutionRow row) {
    append_chunk(batch, row.id);
    row.status = ExecutionStatus::kSucceeded;
    row.closed = at(4000);
    row.head = heads_[row.id];
    batch.started.push_back(row);
    batch.retention.push_back({at(9000), row.id});
    closed_[row.id] = row;
  }

  void append_chunk(Batch& batch, ExecutionId id) {
    Chunk chunk;
    chunk.id = ChunkId(++last_chunk_);
    chunk.execution = id;
    chunk.first_fact = FactSeq(last_chunk_);
    chunk.previous = heads_[id];
    chunk.body = std::string(random_.next() % 300, static_cast<char>('a' + random_.next() % 26));
    heads_[id] = chunk.id;
    batch.chunks.push_back(chunk);
  }

  void go_on(Batch& batch, ExecutionId id) {
    append_chunk(batch, id);
    const Timestamp wake = random_.next() % 2 == 0 ? kNever : at(static_cast<int64_t>(random_.next() % 1000));
    batch.live.push_back({id, heads_[id], wake, random_.next() % 2 == 0});
  }

  void close(Batch& batch, ExecutionId id) {
    append_chunk(batch, id);
    ExecutionRow row = open_.at(id);
    row.status = static_cast<ExecutionStatus>(2 + random_.next() % 4);
    row.closed = at(5000);
    row.head = heads_[id];
    row.redrives = static_cast<uint32_t>(random_.next() % 2);
    batch.closed.push_back(row);
    batch.retention.push_back({at(9000), id});
    open_.erase(id);
    closed_[id] = row;
  }

  void remove(Batch& batch) {
    const ExecutionId id = pick(closed_);
    const std::string& name = closed_.at(id).name;
    batch.removed.push_back({id, name.empty() ? 0 : std::hash<std::string>{}(name), at(9000)});
    closed_.erase(id);
  }

  Document document() {
    const std::string body = random_.next() % 4 == 0 ? "" : "{\"n\":" + std::to_string(random_.next() % 9) + "}";
    return {"definition", "key-" + std::to_string(random_.next() % 5), body};
  }

  SeededRandom random_;
  Epoch epoch_;
  uint64_t last_ = 0;
  uint64_t last_chunk_ = 0;
  std::map<ExecutionId, ExecutionRow> open_;
  std::map<ExecutionId, ExecutionRow> closed_;
  std::map<ExecutionId, ChunkId> heads_;
};

void expect_same_answers(const Store& a, const Store& b, RandomBatches& source) {
  SeededRandom& random = source.random();
  for (const ExecutionRow& row : a.list_executions({})) {
    EXPECT_EQ(b.find_execution(row.id), a.find_execution(row.id));
    EXPECT_EQ(b.find_live(row.id), a.find_live(row.id));
    const ChunkId head = source.head_of(row.id);
    EXPECT_EQ(b.load_chunks(row.id, head).value(), a.load_chunks(row.id, head).value());
  }
  const Timestamp until = at(static_cast<int64_t>(random.next() % 1000));
  const Wake after{at(static_cast<int64_t>(random.next() % 500)), ExecutionId()};
  EXPECT_EQ(b.due(until, after, 7), a.due(until, after, 7));
  EXPECT_EQ(b.next_wake(), a.next_wake());
  const ExecutionId first(random.next() % 100'000);
  EXPECT_EQ(b.needing_attention(first, 5), a.needing_attention(first, 5));
  EXPECT_EQ(b.find_names(std::hash<std::string>{}("name-3")), a.find_names(std::hash<std::string>{}("name-3")));
}

TEST(Stores, AnswerAlikeToTheSameOperations) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    const TemporaryDirectory directory;
    MemoryStore memory;
    auto sqlite = SqliteStore::open(directory.path());
    ASSERT_TRUE(sqlite.has_value()) << to_string(sqlite.error());
    const Epoch epoch = memory.acquire(ShardId(1)).value();
    ASSERT_EQ((*sqlite)->acquire(ShardId(1)).value(), epoch);
    RandomBatches batches(seed, epoch);
    for (int round = 0; round < 40; ++round) {
      const Batch batch = batches.next();
      ASSERT_TRUE(memory.commit(std::span(&batch, 1)).has_value());
      const auto committed = (*sqlite)->commit(std::span(&batch, 1));
      ASSERT_TRUE(committed.has_value()) << to_string(committed.error().error);
      ASSERT_EQ((*sqlite)->dump(), memory.dump()) << "seed " << seed << " round " << round;
    }
    EXPECT_EQ((*sqlite)->last_chunk(), memory.last_chunk());
    EXPECT_EQ((*sqlite)->last_execution(), memory.last_execution());
    expect_same_answers(memory, **sqlite, batches);
  }
}

TEST(Stores, ListAlikeByDefinitionAndStatus) {
  const TemporaryDirectory directory;
  MemoryStore memory;
  auto sqlite = SqliteStore::open(directory.path()).value();
  const Epoch epoch = memory.acquire(ShardId(1)).value();
  ASSERT_EQ(sqlite->acquire(ShardId(1)).value(), epoch);
  RandomBatches batches(77, epoch);
  for (int round = 0; round < 100; ++round) {
    const Batch batch = batches.next();
    ASSERT_TRUE(memory.commit(std::span(&batch, 1)).has_value());
    ASSERT_TRUE(sqlite->commit(std::span(&batch, 1)).has_value());
  }
  for (uint64_t definition = 0; definition <= 3; ++definition) {
    for (int status = 0; status <= 5; ++status) {
      ListFilter filter;
      if (definition != 0) filter.definition = DefinitionId(definition);
      if (status != 0) filter.status = static_cast<ExecutionStatus>(status);
      filter.limit = 5;
      const auto page = memory.list_executions(filter);
      EXPECT_EQ(sqlite->list_executions(filter), page);
      if (page.empty()) continue;
      filter.before = page.back().id;
      EXPECT_EQ(sqlite->list_executions(filter), memory.list_executions(filter));
    }
  }
}

TEST(SqliteStore, KeepsEverythingOverAReopen) {
  const TemporaryDirectory directory;
  std::string before;
  {
    auto store = SqliteStore::open(directory.path()).value();
    RandomBatches batches(5, store->acquire(ShardId(1)).value());
    for (int round = 0; round < 50; ++round) {
      const Batch batch = batches.next();
      ASSERT_TRUE(store->commit(std::span(&batch, 1)).has_value());
    }
    before = store->dump();
  }
  auto store = SqliteStore::open(directory.path()).value();
  EXPECT_EQ(store->dump(), before);
  EXPECT_FALSE(before.empty());
}

TEST(SqliteStore, RefusesASecondProcessOnTheSameDirectory) {
  const TemporaryDirectory directory;
  auto first = SqliteStore::open(directory.path()).value();
  const auto second = SqliteStore::open(directory.path());
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, "STORE_IN_USE");
}

TEST(SqliteStore, FencesAnOwnerWhoseEpochHasPassed) {
  const TemporaryDirectory directory;
  auto store = SqliteStore::open(directory.path()).value();
  Batch batch;
  batch.shard = ShardId(1);
  batch.epoch = store->acquire(ShardId(1)).value();
  batch.documents.push_back({"definition", "a", "{}"});
  ASSERT_TRUE(store->commit(std::span(&batch, 1)).has_value());
  (void)store->acquire(ShardId(1)).value();
  batch.documents[0].key = "b";
  const auto late = store->commit(std::span(&batch, 1));
  ASSERT_FALSE(late.has_value());
  EXPECT_EQ(late.error().failure, CommitFailure::kFenced);
  EXPECT_EQ(store->documents("definition").size(), 1u);
}

TEST(SqliteStore, LeavesNoTraceOfACommitThatFails) {
  const TemporaryDirectory directory;
  auto store = SqliteStore::open(directory.path()).value();
  Batch batch;
  batch.shard = ShardId(1);
  batch.epoch = store->acquire(ShardId(1)).value();
  batch.chunks.push_back({ChunkId(1), ExecutionId(1), FactSeq(1), EventId(1), ChunkId(), "a"});
  ASSERT_TRUE(store->commit(std::span(&batch, 1)).has_value());
  const std::string before = store->dump();
  batch.documents.push_back({"definition", "a", "{}"});
  EXPECT_FALSE(store->commit(std::span(&batch, 1)).has_value());  // the chunk is there already
  EXPECT_EQ(store->dump(), before);
}

TEST(SqliteStore, MakesABackupThatOpens) {
  const TemporaryDirectory directory;
  const TemporaryDirectory copy;
  auto store = SqliteStore::open(directory.path()).value();
  RandomBatches batches(9, store->acquire(ShardId(1)).value());
  for (int round = 0; round < 30; ++round) {
    const Batch batch = batches.next();
    ASSERT_TRUE(store->commit(std::span(&batch, 1)).has_value());
  }
  ASSERT_TRUE(store->backup_to(copy.path() + "/pawl.db").has_value());
  EXPECT_EQ(SqliteStore::open(copy.path()).value()->dump(), store->dump());
}

}  // namespace
}  // namespace pawl::store
