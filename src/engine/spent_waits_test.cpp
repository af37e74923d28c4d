#include "engine/spent_waits.h"

#include <gtest/gtest.h>

#include "store/memory/memory_store.h"

namespace pawl::engine {
namespace {

using store::EventNumber;
using store::SubscriptionRow;

SubscriptionRow wait_of(uint64_t number) {
  SubscriptionRow wait;
  wait.key = {number * 0x9E3779B97F4A7C15, number};
  wait.execution = ExecutionId(number);
  wait.operation = OperationId(1);
  return wait;
}

SpentWaits spent_up_to(uint64_t last) {
  SpentWaits spent;
  for (uint64_t number = 1; number <= last; ++number) spent.add({EventNumber(number), wait_of(number)});
  return spent;
}

TEST(SpentWaits, AreLeftWhereThereAreFew) {
  const SpentWaits spent = spent_up_to(kSpentWaitsMax - 1);
  EXPECT_FALSE(spent.must_sweep());
  EXPECT_TRUE(spent.has(wait_of(7)));
  EXPECT_FALSE(spent.has(wait_of(kSpentWaitsMax)));
}

TEST(SpentWaits, AreAllTakenInTheOrderOfTheirKeys) {
  SpentWaits spent = spent_up_to(kSpentWaitsMax);
  spent.drop(wait_of(7));
  spent.add({EventNumber(kSpentWaitsMax + 1), wait_of(kSpentWaitsMax + 1)});
  std::vector<SubscriptionRow> taken;
  EventNumber swept;
  while (!swept) {
    ASSERT_TRUE(spent.must_sweep());
    const auto some = spent.take_some(swept);
    taken.insert(taken.end(), some.begin(), some.end());
    spent.add({EventNumber(kSpentWaitsMax + 2), wait_of(kSpentWaitsMax + 2)});  // after the sweep began
  }
  EXPECT_EQ(taken.size(), kSpentWaitsMax);
  EXPECT_EQ(swept, EventNumber(kSpentWaitsMax + 1));
  for (size_t i = 1; i < taken.size(); ++i)
    ASSERT_LE(static_cast<int64_t>(taken[i - 1].key.high), static_cast<int64_t>(taken[i].key.high));
  EXPECT_FALSE(spent.has(wait_of(8)));
  EXPECT_TRUE(spent.has(wait_of(kSpentWaitsMax + 2)));
  EXPECT_FALSE(spent.must_sweep());
}

TEST(SpentWaits, AreReadFromTheStore) {
  store::MemoryStore store;
  store::Batch batch;
  batch.shard = ShardId(1);
  batch.epoch = store.acquire(ShardId(1)).value();
  batch.spent.push_back({EventNumber(3), wait_of(3)});
  ASSERT_TRUE(store.commit(std::span(&batch, 1)).has_value());
  SpentWaits spent = spent_up_to(1);
  spent.load(store);
  EXPECT_TRUE(spent.has(wait_of(3)));
  EXPECT_FALSE(spent.has(wait_of(1)));
}

}  // namespace
}  // namespace pawl::engine
