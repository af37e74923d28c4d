// The tasks of a server that has a mock configuration: those of executions that were started on a test case
// (…:stateMachine:NAME#CASE) and whose states the case names are answered from it, all others by the world.
//
// A call's number counts the calls of its state in its execution. Calls are counted in memory: after a restart of the
// server they are counted anew, beginning with what is called then.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "connect/mocks.h"
#include "engine/task.h"

namespace pawl::server {

inline constexpr size_t kMockedExecutionsMax = 10'000;  // whose calls are counted; the oldest is forgotten first

// Any thread may call it.
class MockedTasks final : public engine::TaskHandler {
 public:
  // `config` is a MockConfigFile.json; null: there are no test cases.
  MockedTasks(json::Value config, engine::TaskHandler& world) : config_(std::move(config)), world_(world) {}

  // Errors: MOCKS_MISSING where the server has none, and those of connect::read_mock_config.
  Result<void> check(std::string_view machine, std::string_view test_case);
  // What an execution of the test case is started with.
  static json::Value labels_of(std::string_view machine, std::string_view test_case);

  Expect start(const engine::TaskRequest& request, engine::AnswerTask answer) override;
  void cancel(engine::TaskId task) override { world_.cancel(task); }

 private:
  using Calls = std::map<std::string, std::vector<std::string>, std::less<>>;  // idempotency keys, by state

  Result<const connect::MockPlan*> find_plan(std::string_view machine, std::string_view test_case);
  uint64_t count_call(const engine::TaskRequest& request);

  const json::Value config_;
  engine::TaskHandler& world_;
  std::mutex mutex_;  // guards the three below
  std::map<std::pair<std::string, std::string>, connect::MockPlan, std::less<>> plans_;
  std::unordered_map<std::string, Calls> calls_;  // by execution
  std::deque<std::string> counted_;               // the executions in calls_, the oldest first
};

}  // namespace pawl::server
