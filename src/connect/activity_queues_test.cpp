#include "connect/activity_queues.h"

#include <atomic>
#include <future>
#include <memory>

#include <gtest/gtest.h>

namespace pawl::connect {
namespace {

using engine::ActivityOffer;
using namespace std::chrono_literals;

using Handed = std::expected<ActivityOffer, NoOffer>;

constexpr const char* kPack = "pack";

ActivityOffer offer_of(uint64_t execution, std::string resource = kPack) {
  return {ExecutionId(execution), OperationId(1), 0, std::move(resource)};
}

ActivityQueues::Deadline in(std::chrono::milliseconds time) { return std::chrono::steady_clock::now() + time; }

class ActivityQueuesTest : public testing::Test {
 protected:
  // A worker that waits a minute, or less.
  std::future<Handed> poll(const std::string& resource = kPack, std::chrono::milliseconds time = 60s) {
    auto promise = std::make_shared<std::promise<Handed>>();
    last_poll_ = queues_.new_poll();
    queues_.poll(last_poll_, resource, in(time), [promise](Handed handed) { promise->set_value(std::move(handed)); });
    return promise->get_future();
  }
  static bool is_ready(const std::future<Handed>& future) { return future.wait_for(0s) == std::future_status::ready; }

  ActivityQueues queues_;
  PollId last_poll_;
};

TEST_F(ActivityQueuesTest, HandsOutWhatWaitsInTheOrderItCame) {
  for (const uint64_t execution : {7, 3, 5}) queues_.offer(offer_of(execution));
  for (const uint64_t execution : {7, 3, 5}) EXPECT_EQ(poll().get()->execution, ExecutionId(execution));
  EXPECT_EQ(queues_.offers(), 0U);
}

TEST_F(ActivityQueuesTest, ServesTheWorkerThatHasWaitedLongest) {
  auto first = poll();
  auto second = poll();
  queues_.offer(offer_of(1));
  EXPECT_EQ(first.get()->execution, ExecutionId(1));
  EXPECT_FALSE(is_ready(second));
  queues_.offer(offer_of(2));
  EXPECT_EQ(second.get()->execution, ExecutionId(2));
}

TEST_F(ActivityQueuesTest, KeepsQueuesApart) {
  auto other = poll("ship");
  queues_.offer(offer_of(1));
  EXPECT_FALSE(is_ready(other));
  queues_.offer(offer_of(2, "ship"));
  EXPECT_EQ(other.get()->resource, "ship");
}

TEST_F(ActivityQueuesTest, HoldsAnOfferThatComesTwiceOnceAndAtItsPlace) {
  queues_.offer(offer_of(1));
  queues_.offer(offer_of(2));
  ActivityOffer again = offer_of(1);
  again.attempt = 4;
  queues_.offer(again);
  EXPECT_EQ(queues_.offers(), 2U);
  const Handed first = poll().get();
  EXPECT_EQ(first->execution, ExecutionId(1));
  EXPECT_EQ(first->attempt, 4U);
}

TEST_F(ActivityQueuesTest, ForgetsWhatIsWithdrawn) {
  queues_.offer(offer_of(1));
  queues_.offer(offer_of(2));
  queues_.withdraw(ExecutionId(1), OperationId(1));
  queues_.withdraw(ExecutionId(9), OperationId(1));
  EXPECT_EQ(poll().get()->execution, ExecutionId(2));
}

TEST_F(ActivityQueuesTest, EndsAWaitAtItsDeadline) {
  auto patient = poll();
  EXPECT_EQ(poll(kPack, 5ms).get().error(), NoOffer::kTimeIsUp);
  EXPECT_EQ(poll(kPack, 0ms).get().error(), NoOffer::kTimeIsUp);
  EXPECT_FALSE(is_ready(patient));
  EXPECT_EQ(queues_.pollers(), 1U);
}

TEST_F(ActivityQueuesTest, HandsNothingToAWorkerThatLeft) {
  auto gone = poll();
  queues_.leave(last_poll_);
  EXPECT_THROW(gone.get(), std::future_error);
  queues_.leave(last_poll_);
  queues_.offer(offer_of(1));
  EXPECT_EQ(poll().get()->execution, ExecutionId(1));
}

TEST_F(ActivityQueuesTest, RefusesMoreWorkersThanItsBoundButNotOfAnotherQueue) {
  std::vector<std::future<Handed>> waiting;
  for (size_t i = 0; i < kActivityPollersMax; ++i) waiting.push_back(poll());
  EXPECT_EQ(poll().get().error(), NoOffer::kTooManyPollers);
  EXPECT_FALSE(is_ready(poll("ship")));
  queues_.offer(offer_of(1));
  EXPECT_FALSE(is_ready(poll())) << "one place is free again";
}

TEST_F(ActivityQueuesTest, EndsTheWaitsOfOneQueue) {
  auto here = poll();
  auto there = poll("ship");
  queues_.end_polls(kPack);
  EXPECT_EQ(here.get().error(), NoOffer::kTimeIsUp);
  EXPECT_FALSE(is_ready(there));
}

TEST_F(ActivityQueuesTest, EndsAllWaitsWhenItClosesAndLetsNobodyWaitLater) {
  auto waiting = poll();
  queues_.close();
  queues_.offer(offer_of(1));
  EXPECT_EQ(waiting.get().error(), NoOffer::kTimeIsUp);
  EXPECT_EQ(poll().get().error(), NoOffer::kTimeIsUp);
  EXPECT_EQ(queues_.offers(), 1U) << "what was offered is not lost to a worker that cannot take it";
}

TEST_F(ActivityQueuesTest, GivesEachOfferToOneWorkerUnderContention) {
  constexpr uint64_t kOffers = 2'000;
  constexpr int kWorkers = 4;
  std::vector<std::atomic<int>> handed(kOffers + 1);
  std::atomic<uint64_t> total = 0;
  std::vector<std::thread> threads;
  for (int worker = 0; worker < kWorkers; ++worker) {
    threads.emplace_back([&] {
      while (total < kOffers) {
        std::promise<Handed> got;
        queues_.poll(queues_.new_poll(), kPack, in(1ms), [&](Handed given) { got.set_value(std::move(given)); });
        const Handed given = got.get_future().get();
        if (!given) continue;
        ++handed[given->execution.number];
        ++total;
      }
    });
  }
  for (const uint64_t parity : {0, 1})
    threads.emplace_back([&, parity] {
      for (uint64_t i = 1; i <= kOffers; ++i)
        if (i % 2 == parity) queues_.offer(offer_of(i));
    });
  for (std::thread& thread : threads) thread.join();
  for (uint64_t i = 1; i <= kOffers; ++i) EXPECT_EQ(handed[i], 1) << i;
  EXPECT_EQ(queues_.offers() + queues_.pollers(), 0U);
}

}  // namespace
}  // namespace pawl::connect
