// Executions with long histories: what it takes to wake them and to read a page, counted in facts rather than in time.
#include <gtest/gtest.h>

#include "engine/history_reader.h"
#include "engine/loaded_execution.h"
#include "kernel/toy_program.h"
#include "store/memory/memory_store.h"
#include "store/snapshot_codec.h"

namespace pawl::engine {
namespace {

using kernel::Fact;
using kernel::FactKind;

constexpr ExecutionId kExecution{1 << 12};
constexpr uint32_t kFactsAChunk = 10;
// Facts are read from a snapshot on; a page may need two such stretches.
constexpr size_t kStretchMax = kSnapshotFacts + kFactsAChunk;

class ToyPrograms final : public Programs {
 public:
  std::shared_ptr<const kernel::Program> find(DefinitionId) override {
    return std::make_shared<kernel::ToyProgram>(kernel::kLoopForever);
  }
  std::string family_of(DefinitionId) override { return "toy"; }
};

// Writes an execution that goes round and round, a few facts a commit.
class LongHistory : public testing::Test {
 protected:
  LongHistory() : epoch_(store_.acquire(ShardId(1)).value()) {
    store::ExecutionRow row;
    row.id = kExecution;
    row.definition = DefinitionId(1);
    writer_ = std::make_unique<LoadedExecution>(row, programs_.find(DefinitionId(1)));
    add(FactKind::kExecutionStarted);
    save();
  }

  void add(FactKind kind) {
    Fact fact;
    fact.kind = kind;
    fact.scope = ScopeId(1);
    fact.event = writer_->execution().last_event().next();
    fact.time = Timestamp(Duration(fact.event.number));
    fact.value = kind == FactKind::kExecutionStarted ? input_ : writer_->execution().input();
    if (kind != FactKind::kExecutionStarted) fact.state = kernel::kLoopForever;
    if (kind != FactKind::kStateEntered) fact.next = kernel::kLoopForever;
    writer_->execution().evolve(fact);
    writer_->unsaved().push_back(std::move(fact));
  }

  void save() {
    std::vector<store::Batch> batches(1);
    batches[0].shard = ShardId(1);
    batches[0].epoch = epoch_;
    std::vector<kernel::EventShape> shapes;
    writer_->save({store::ChunkId(++last_chunk_), kKeepForever, {}}, batches[0], shapes);
    for (const store::SnapshotRow& snapshot : batches[0].snapshots) {
      last_snapshot_ = snapshot;
      snapshot_bytes_ += snapshot.body.size();
    }
    for (const store::Chunk& chunk : batches[0].chunks) chunk_bytes_ += chunk.body.size();
    ASSERT_TRUE(store_.commit(batches));
  }

  void grow_to(uint64_t facts) {
    while (writer_->execution().last_fact().number < facts) {
      for (uint32_t i = 0; i < kFactsAChunk; i += 2) {
        add(FactKind::kStateEntered);
        add(FactKind::kStateExited);
      }
      save();
    }
  }

  std::unique_ptr<LoadedExecution> load() { return LoadedExecution::load(kExecution, store_, programs_).value(); }

  // Folds every fact, as if there were no snapshots.
  json::Value folded_from_facts() const {
    kernel::Execution execution;
    store::ChunkDecoder decoder;
    const auto chunks = store_.load_chunks(kExecution, store::ChunkId(last_chunk_)).value();
    for (const store::Chunk& chunk : chunks) {
      const auto facts = decoder.decode(chunk.body).value();
      for (const Fact& fact : facts) execution.evolve(fact);
    }
    return execution.dump();
  }

  void replace_last_snapshot(std::string body) {
    last_snapshot_.body = std::move(body);
    put(last_snapshot_);
  }

  void put(const store::SnapshotRow& snapshot) {
    std::vector<store::Batch> batches(1);
    batches[0].shard = ShardId(1);
    batches[0].epoch = epoch_;
    batches[0].snapshots = {snapshot};
    ASSERT_TRUE(store_.commit(batches));
  }

  static std::vector<uint32_t> events_of(const HistoryPart& part, uint32_t first, uint32_t last) {
    std::vector<uint32_t> events;
    for (const Fact& fact : part.facts)
      if (fact.event.number >= first && fact.event.number <= last) events.push_back(fact.event.number);
    return events;
  }

  json::Value input_ = json::Value::string("an input that is too long to be stored inline");
  store::MemoryStore store_;
  ToyPrograms programs_;
  Epoch epoch_;
  std::unique_ptr<LoadedExecution> writer_;
  uint64_t last_chunk_ = 0;
  store::SnapshotRow last_snapshot_;
  size_t snapshot_bytes_ = 0;
  size_t chunk_bytes_ = 0;
};

TEST_F(LongHistory, WakesWithNoMoreFactsThanAShortOne) {
  for (const uint64_t facts : {500u, 5'000u, 1'000'000u}) {
    grow_to(facts);
    EXPECT_LE(load()->facts_folded(), kStretchMax) << facts;
    EXPECT_EQ(load()->execution().last_fact(), writer_->execution().last_fact());
  }
}

TEST_F(LongHistory, FoldsToTheSameFromASnapshotAndFromTheFacts) {
  for (uint64_t facts = 950; facts < 4'000; facts += 50) {
    grow_to(facts);
    EXPECT_EQ(load()->execution().dump(), writer_->execution().dump()) << facts;
    EXPECT_EQ(folded_from_facts(), writer_->execution().dump()) << facts;
  }
}

TEST_F(LongHistory, GoesOnWithWhatWasLoaded) {
  for (uint64_t facts = 900; facts < 5'000; facts += 100) {
    grow_to(facts);
    writer_ = load();
  }
  grow_to(6'000);
  EXPECT_EQ(load()->execution().dump(), folded_from_facts());
  EXPECT_LE(load()->facts_folded(), kStretchMax);
}

TEST_F(LongHistory, IsFoldedFromItsFactsWhereTheSnapshotIsDamagedOrOfAnotherVersion) {
  grow_to(3'500);
  std::string damaged = last_snapshot_.body;
  damaged[damaged.size() / 2] ^= 1;
  for (const std::string& body : {damaged, std::string("short"), std::string()}) {
    replace_last_snapshot(body);
    const auto loaded = load();
    EXPECT_EQ(loaded->facts_folded(), writer_->execution().last_fact().number);
    EXPECT_EQ(loaded->execution().dump(), writer_->execution().dump());
  }
  writer_ = load();
  grow_to(5'500);
  EXPECT_LE(load()->facts_folded(), kStretchMax);
  EXPECT_EQ(load()->execution().dump(), folded_from_facts());
}

// A version that can read the snapshot again must find what follows it readable too.
TEST_F(LongHistory, BeginsAnewAfterASnapshotThatItCannotRead) {
  while (last_snapshot_.chunk.number != last_chunk_) grow_to(writer_->execution().last_fact().number + 1);
  const store::SnapshotRow readable = last_snapshot_;
  replace_last_snapshot("of another version");
  writer_ = load();
  grow_to(writer_->execution().last_fact().number + 100);
  put(readable);
  replace_last_snapshot("of another version, too");
  EXPECT_EQ(load()->facts_folded(), writer_->execution().last_fact().number);
  const auto after = store_.load_chunks_after(kExecution, readable.chunk, store::ChunkId(last_chunk_)).value();
  store::ChunkDecoder decoder;
  for (const store::Chunk& chunk : after) EXPECT_TRUE(decoder.decode(chunk.body));
}

TEST_F(LongHistory, TakesNoMoreForSnapshotsThanForFacts) {
  input_ = json::Value::string(std::string(100'000, 'x'));
  grow_to(20'000);
  EXPECT_LE(snapshot_bytes_, 2 * chunk_bytes_);
}

TEST_F(LongHistory, ReadsAPageWithoutWhatIsFarFromIt) {
  grow_to(25'000);
  const uint32_t last = writer_->execution().last_event().number;
  for (uint32_t first = 1; first + 100 <= last; first += 777) {
    const auto page = read_history_part(store_, kExecution, {EventId(first), 100, false}).value();
    EXPECT_EQ(events_of(page, first, first + 100).size(), 101u) << first;
    EXPECT_LE(page.facts.size(), 2 * kStretchMax) << first;
    const auto back = read_history_part(store_, kExecution, {EventId(first + 99), 100, true}).value();
    EXPECT_EQ(events_of(back, first, first + 99).size(), 100u) << first;
    EXPECT_LE(back.facts.size(), 2 * kStretchMax) << first;
  }
}

TEST_F(LongHistory, ReadsTheLastPageFirstWhereItIsReversed) {
  grow_to(25'000);
  const uint32_t last = writer_->execution().last_event().number;
  const auto page = read_history_part(store_, kExecution, {EventId(), 100, true}).value();
  EXPECT_EQ(events_of(page, last - 99, last).size(), 100u);
  EXPECT_LE(page.facts.size(), 2 * kStretchMax);
}

TEST_F(LongHistory, ReadsAPageFromTheFactsWhereTheSnapshotBeforeItIsDamaged) {
  grow_to(5'500);
  replace_last_snapshot("damaged");
  const uint32_t last = writer_->execution().last_event().number;
  const auto page = read_history_part(store_, kExecution, {EventId(last), 1, true}).value();
  EXPECT_EQ(page.before, nullptr);
  EXPECT_EQ(events_of(page, last, last).size(), 1u);
}

}  // namespace
}  // namespace pawl::engine
