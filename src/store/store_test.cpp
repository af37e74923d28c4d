// The stores are driven with the same random operations and must give the same answers and the same dump.
#include "store/store.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "base/random.h"
#include "store/memory/memory_store.h"
#include "store/sqlite/database.h"
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
    if (random_.next() % 2 == 0) change_events(batch);
    const uint64_t choice = random_.next() % 10;
    if (choice < 3 || open_.empty()) return start(batch);
    if (choice < 7) return go_on(batch, pick(open_));
    if (choice < 9) return close(batch, pick(open_));
    if (!closed_.empty() && random_.next() % 3 == 0) return redrive(batch, pick(closed_));
    if (!closed_.empty()) remove(batch);
    if (random_.next() % 2 == 0) batch.documents.push_back(document());
    if (random_.next() % 2 == 0) exchange_messages(batch);
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
    row.version = static_cast<uint32_t>(random_.next() % 3);
    if (random_.next() % 3 == 0) row.alias = random_.next() % 2 == 0 ? "prod" : "test";
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
    const Timestamp wake = random_.next() % 2 == 0 ? kNever : at(static_cast<int64_t>(random_.next() % 5) * 200);
    batch.live.push_back({id, heads_[id], wake, random_.next() % 2 == 0});
    if (random_.next() % 3 != 0) return;
    const auto event = EventId(static_cast<uint32_t>(last_chunk_));
    batch.snapshots.push_back({id, FactSeq(last_chunk_), event, heads_[id], "snapshot " + std::to_string(last_chunk_)});
  }

  void close(Batch& batch, ExecutionId id) {
    append_chunk(batch, id);
    ExecutionRow row = open_.at(id);
    row.status = static_cast<ExecutionStatus>(2 + random_.next() % 4);
    row.closed = at(5000);
    row.head = heads_[id];
    batch.closed.push_back(row);
    batch.retention.push_back({at(9000), id});
    open_.erase(id);
    closed_[id] = row;
  }

  // As an engine would: what is redriven goes on, or has closed again before the commit.
  void redrive(Batch& batch, ExecutionId id) {
    if (wrote_in(batch, id)) return;
    ExecutionRow row = closed_.at(id);
    closed_.erase(id);
    row.status = ExecutionStatus::kRunning;
    row.closed = kNever;
    row.head = {};
    ++row.redrives;
    row.redriven = at(6000 + row.redrives);
    batch.reopened.push_back(row);
    batch.dropped.push_back({at(9000), id});
    open_[id] = row;
    if (random_.next() % 3 == 0)
      close(batch, id);
    else
      go_on(batch, id);
  }

  static bool wrote_in(const Batch& batch, ExecutionId id) {
    return std::ranges::count(batch.chunks, id, &Chunk::execution) != 0;
  }

  void remove(Batch& batch) {
    const ExecutionId id = pick(closed_);
    const std::string& name = closed_.at(id).name;
    std::vector<uint64_t> hashes;
    if (!name.empty()) hashes.push_back(std::hash<std::string>{}(name));
    batch.removed.push_back({id, hashes, at(9000)});
    closed_.erase(id);
  }

  // Some are heeded twice, and some in the commit that sends them.
  void exchange_messages(Batch& batch) {
    batch.sent.push_back({MessageId(++last_message_), pick(open_), std::string(random_.next() % 50, 'm')});
    batch.heeded.emplace_back(1 + random_.next() % last_message_);
  }

  EventKey some_key() { return {random_.next() % 3, UINT64_MAX - random_.next() % 2}; }

  SubscriptionRow some_subscription() {
    SubscriptionRow row;
    row.key = some_key();
    row.definition = DefinitionId(1 + random_.next() % 3);
    row.execution = ExecutionId(1 + random_.next() % 5);
    row.operation = OperationId(static_cast<uint32_t>(1 + random_.next() % 3));
    row.filter = static_cast<uint32_t>(random_.next() % 2);
    return row;
  }

  // Some waits are removed that are not there, some sets and items in the commit that brings them.
  void change_events(Batch& batch) {
    SubscriptionRow row = some_subscription();
    row.after = EventNumber(random_.next() % 100);
    row.known = EventNumber(random_.next() % 100);
    row.made = at(static_cast<int64_t>(random_.next() % 1000));
    const bool is_new = subscribed_.insert(row.place()).second;
    if (is_new) batch.subscribed.push_back(row);
    const SubscriptionRow gone = some_subscription();
    if (random_.next() % 2 == 0) {
      batch.unsubscribed.push_back(gone);
      subscribed_.erase(gone.place());
    }
    ++last_event_;
    if (random_.next() % 2 == 0) batch.spent.push_back({EventNumber(last_event_), some_subscription()});
    if (random_.next() % 5 == 0) batch.swept = EventNumber(random_.next() % (last_event_ + 1));
    batch.received.push_back({EventNumber(last_event_), some_key(), at(static_cast<int64_t>(last_event_)),
                              random_.next() % 2 == 0, std::string(random_.next() % 20, 'e')});
    if (random_.next() % 3 == 0) batch.decided.emplace_back(1 + random_.next() % last_event_);
    if (random_.next() % 5 == 0) batch.forgotten = EventNumber(random_.next() % (last_event_ + 1));
    const Timestamp due = random_.next() % 2 == 0 ? kNever : at(static_cast<int64_t>(random_.next() % 1000));
    batch.gathered.push_back({EventNumber(1 + random_.next() % 6), some_key(), due, "set"});
    if (random_.next() % 3 == 0) batch.scattered.emplace_back(1 + random_.next() % 6);
    batch.queued.push_back({SinkItemId(++last_item_), random_.next() % 2 == 0 ? "one" : "two", ExecutionId(7), "item"});
    if (random_.next() % 2 == 0) batch.delivered.emplace_back(1 + random_.next() % last_item_);
  }

  Document document() {
    const std::string body = random_.next() % 4 == 0 ? "" : "{\"n\":" + std::to_string(random_.next() % 9) + "}";
    return {"definition", "key-" + std::to_string(random_.next() % 5), body};
  }

  SeededRandom random_;
  Epoch epoch_;
  uint64_t last_ = 0;
  uint64_t last_chunk_ = 0;
  uint64_t last_message_ = 0;
  uint64_t last_event_ = 0;
  uint64_t last_item_ = 0;
  std::set<std::tuple<EventKey, DefinitionId, ExecutionId, OperationId, uint32_t>> subscribed_;
  std::map<ExecutionId, ExecutionRow> open_;
  std::map<ExecutionId, ExecutionRow> closed_;
  std::map<ExecutionId, ChunkId> heads_;
};

void expect_same_events(const Store& a, const Store& b, SeededRandom& random) {
  for (uint64_t high = 0; high < 3; ++high) {
    const EventKey key{high, UINT64_MAX - random.next() % 2};
    const auto all = a.subscriptions(key, {}, 100);
    EXPECT_EQ(b.subscriptions(key, {}, 100), all);
    EXPECT_EQ(b.subscribed_definitions(key), a.subscribed_definitions(key));
    EXPECT_EQ(b.partial_sets(key), a.partial_sets(key));
    if (all.size() < 2) continue;
    EXPECT_TRUE(b.has_subscription(all[0]));
    EXPECT_EQ(b.subscriptions(key, all[0], 1).at(0), all[1]);
    EXPECT_EQ(a.subscriptions(key, all[0], 1).at(0), all[1]);
  }
  SubscriptionRow missing;
  missing.key = {99, 99};
  EXPECT_FALSE(a.has_subscription(missing) || b.has_subscription(missing));
  EXPECT_EQ(b.last_event(), a.last_event());
  const EventNumber number(random.next() % (a.last_event().number + 1));
  for (const auto bodies : {Store::Bodies::kWith, Store::Bodies::kWithout})
    EXPECT_EQ(b.events(number, 5, bodies), a.events(number, 5, bodies));
  EXPECT_EQ(b.find_event(number), a.find_event(number));
  EXPECT_EQ(b.spent_waits(number, 5), a.spent_waits(number, 5));
  EXPECT_EQ(b.find_partial_set(EventNumber(3)), a.find_partial_set(EventNumber(3)));
  EXPECT_EQ(b.sink_queue("one", SinkItemId(2), 5), a.sink_queue("one", SinkItemId(2), 5));
  EXPECT_EQ(b.last_sink_item(), a.last_sink_item());
}

void expect_same_answers(const Store& a, const Store& b, RandomBatches& source) {
  SeededRandom& random = source.random();
  for (const ExecutionRow& row : a.list_executions({})) {
    EXPECT_EQ(b.find_execution(row.id), a.find_execution(row.id));
    EXPECT_EQ(b.find_live(row.id), a.find_live(row.id));
    const EventId event(static_cast<uint32_t>(random.next() % 500));
    const auto snapshot = a.snapshot_before(row.id, event);
    EXPECT_EQ(b.snapshot_before(row.id, event), snapshot);
    EXPECT_EQ(b.snapshot_chunk_with(row.id, event), a.snapshot_chunk_with(row.id, event));
    if (snapshot)
      EXPECT_EQ(b.load_chunks_after(row.id, snapshot->chunk, source.head_of(row.id)).value(),
                a.load_chunks_after(row.id, snapshot->chunk, source.head_of(row.id)).value());
    const ChunkId head = source.head_of(row.id);
    EXPECT_EQ(b.load_chunks(row.id, head).value(), a.load_chunks(row.id, head).value());
  }
  const Timestamp until = at(static_cast<int64_t>(random.next() % 1000));
  const Wake after{at(static_cast<int64_t>(random.next() % 500)), ExecutionId()};
  EXPECT_EQ(b.due(until, after, 7), a.due(until, after, 7));
  EXPECT_EQ(b.next_wake(), a.next_wake());
  const MessageId earlier(random.next() % 10);
  EXPECT_EQ(b.messages(earlier, 3), a.messages(earlier, 3));
  EXPECT_EQ(b.last_message(), a.last_message());
  expect_same_events(a, b, random);
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
      if (definition != 0 && status % 2 == 1) filter.redriven = status == 1;
      if (status == 4) filter.version = 2;
      if (status == 2) filter.alias = "prod";
      filter.limit = 5;
      const auto page = memory.list_executions(filter);
      EXPECT_EQ(sqlite->list_executions(filter), page);
      if (page.empty()) continue;
      filter.before = page.back().id;
      EXPECT_EQ(sqlite->list_executions(filter), memory.list_executions(filter));
    }
  }
}

TEST(Stores, ListAlikeTheOldestFirstAndByTheTimeOfTheStart) {
  const TemporaryDirectory directory;
  MemoryStore memory;
  auto sqlite = SqliteStore::open(directory.path()).value();
  const Epoch epoch = memory.acquire(ShardId(1)).value();
  ASSERT_EQ(sqlite->acquire(ShardId(1)).value(), epoch);
  RandomBatches batches(78, epoch);
  for (int round = 0; round < 100; ++round) {
    const Batch batch = batches.next();
    ASSERT_TRUE(memory.commit(std::span(&batch, 1)).has_value());
    ASSERT_TRUE(sqlite->commit(std::span(&batch, 1)).has_value());
  }
  ListFilter everything;
  everything.limit = 100'000;
  std::vector<ExecutionRow> all = memory.list_executions(everything);
  ASSERT_GT(all.size(), 10u);
  std::ranges::reverse(all);
  everything.is_oldest_first = true;
  EXPECT_EQ(memory.list_executions(everything), all);
  EXPECT_EQ(sqlite->list_executions(everything), all);

  ListFilter page = everything;
  page.definition = all[3].definition;
  page.after = all[3].id;
  page.limit = 2;
  EXPECT_EQ(sqlite->list_executions(page), memory.list_executions(page));
  EXPECT_GT(memory.list_executions(page).at(0).id, all[3].id);

  for (const bool is_oldest_first : {false, true}) {
    ListFilter timed = everything;
    timed.is_oldest_first = is_oldest_first;
    timed.started_after = all[2].started;
    timed.started_before = all[all.size() / 2].started;
    const auto found = memory.list_executions(timed);
    EXPECT_EQ(sqlite->list_executions(timed), found);
    EXPECT_FALSE(found.empty());
    for (const ExecutionRow& row : found)
      EXPECT_TRUE(row.started >= *timed.started_after && row.started <= *timed.started_before);
  }
}

// As the first version made it, with one execution that has closed.
constexpr const char* kSchemaOfVersion1 = R"sql(
CREATE TABLE chunks(id INTEGER PRIMARY KEY, execution INTEGER NOT NULL, first_fact INTEGER NOT NULL,
  first_event INTEGER NOT NULL, previous INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE executions(id INTEGER PRIMARY KEY, definition INTEGER NOT NULL, status INTEGER NOT NULL, name TEXT,
  started_ms INTEGER NOT NULL, closed_ms INTEGER, head INTEGER NOT NULL DEFAULT 0, parent INTEGER NOT NULL DEFAULT 0,
  redrives INTEGER NOT NULL DEFAULT 0);
CREATE INDEX executions_list ON executions(definition, id);
CREATE INDEX executions_bad ON executions(definition, status, id) WHERE status > 2;
CREATE TABLE live(execution INTEGER PRIMARY KEY, head INTEGER NOT NULL, wake_ms INTEGER, attention INTEGER NOT NULL);
CREATE INDEX live_attention ON live(execution) WHERE attention <> 0;
CREATE TABLE wakes(due_ms INTEGER NOT NULL, execution INTEGER NOT NULL, PRIMARY KEY(due_ms, execution)) WITHOUT ROWID;
CREATE TABLE names(hash INTEGER NOT NULL, execution INTEGER NOT NULL, PRIMARY KEY(hash, execution)) WITHOUT ROWID;
CREATE TABLE documents(kind TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY(kind, key)) WITHOUT ROWID;
CREATE TABLE shards(id INTEGER PRIMARY KEY, epoch INTEGER NOT NULL);
CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO executions VALUES(4096, 1, 3, 'old', 1000, 2000, 7, 0, 0);
PRAGMA user_version=1;
)sql";

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

TEST(SqliteStore, BringsAFileOfTheFirstVersionForward) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/pawl.db";
  {
    auto old = Database::open(file, false, "").value();
    ASSERT_TRUE(old.execute(kSchemaOfVersion1).has_value());
  }
  auto store = SqliteStore::open(directory.path()).value();
  const auto row = store->find_execution(ExecutionId(4096));
  ASSERT_TRUE(row.has_value());
  EXPECT_EQ(row->name, "old");
  EXPECT_EQ(row->redriven, kNever);
  EXPECT_EQ(row->version, 0u);
  EXPECT_EQ(row->alias, "");
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
