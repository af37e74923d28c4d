// What an invocation does not keep: values that nobody can ask for any more.
#include <gtest/gtest.h>

#include "pawl/durable_testing.h"
#include "sdk/invocation.h"

namespace pawl::durable {
namespace {

using namespace std::chrono_literals;
using testing::RunStatus;
using testing::TestRunner;

// Spec: 13.1.2
TEST(Future, ReleasesItsValueWithTheLastOfItsCopies) {
  bool was_there = false;
  bool is_there_for_a_copy = false;
  bool is_there_afterwards = true;
  TestRunner runner([&](Context& ctx) -> Task<int> {
    const detail::Operation* operation = nullptr;
    int sum = 0;
    {
      std::optional<Future<int>> first = ctx.step("value", [] { return 21; });
      Future<int> copy = *first;
      operation = copy.operation().get();
      sum += co_await *first;
      was_there = operation->payload().has_value();
      first.reset();
      is_there_for_a_copy = operation->payload().has_value();
      sum += co_await copy;
    }
    is_there_afterwards = operation->payload().has_value();
    co_return sum;
  });
  EXPECT_EQ(runner.run().result, "42");
  EXPECT_TRUE(was_there);
  EXPECT_TRUE(is_there_for_a_copy);
  EXPECT_FALSE(is_there_afterwards);
}

TEST(Future, ThatIsDroppedEarlyKeepsNothingOfItsOperation) {
  const detail::Operation* operation = nullptr;
  bool is_kept = true;
  TestRunner runner([&](Context& ctx) -> Task<int> {
    operation = ctx.step("unread", [] { return 1; }).operation().get();
    const int second = co_await ctx.step("read", [] { return 2; });
    co_await ctx.step("later", [] {});
    is_kept = !operation->settled() || operation->payload().has_value();
    co_return second;
  });
  EXPECT_EQ(runner.run().result, "2");
  EXPECT_FALSE(is_kept);
}

OperationRecord recorded_step(std::uint64_t place, OperationStatus status, const std::string& result) {
  OperationRecord record;
  record.id = detail::key_of("", place).id;
  record.status = status;
  record.name = "step";
  record.sub_type = "Step";
  record.result = result;
  return record;
}

// Answers as AWS does: with what was just told to it.
class Echo final : public DurableService {
 public:
  CheckpointAnswer checkpoint(const CheckpointRequest& request, Deadline) override {
    CheckpointAnswer answer;
    answer.token = request.token;
    for (const OperationUpdate& update : request.updates)
      if (update.action == OperationAction::Succeed)
        answer.operations.push_back(recorded_step(2, OperationStatus::Succeeded, *update.payload));
    return answer;
  }
  StatePage state(const std::string&, const std::string&, const std::string&, Deadline) override { return {}; }
};

// Spec: 13.1.2: neither what was read on a replay nor what the answers of the service repeat.
TEST(Invocation, DoesNotKeepRecordedResultsThatItsOperationsHave) {
  for (const CheckpointMode mode : {CheckpointMode::Eager, CheckpointMode::Batched}) {
    const Handler handler([](Context& ctx) -> Task<int> {
      const int before = co_await ctx.step("step", [] { return 0; });
      co_return before + co_await ctx.step("step", [] { return 2; });
    });
    InvocationEvent event;
    OperationRecord execution;
    execution.id = "execution";
    execution.type = OperationType::Execution;
    event.operations = {execution, recorded_step(1, OperationStatus::Succeeded, "40")};
    Echo service;
    Config config;
    config.mode = mode;
    detail::Invocation invocation(handler, std::move(event), service, config);
    EXPECT_EQ(invocation.run().result, "42");
    for (const std::uint64_t place : {1, 2}) {
      const OperationRecord* record = invocation.find(detail::key_of("", place).id);
      ASSERT_NE(record, nullptr) << place;
      EXPECT_EQ(record->status, OperationStatus::Succeeded);
      EXPECT_EQ(record->result, std::nullopt) << place;
    }
  }
}

}  // namespace
}  // namespace pawl::durable
