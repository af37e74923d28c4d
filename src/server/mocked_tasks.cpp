#include "server/mocked_tasks.h"

#include <algorithm>

namespace pawl::server {

namespace {

using engine::TaskAnswer;
using json::Value;

constexpr std::string_view kMachineLabel = "mockMachine";
constexpr std::string_view kCaseLabel = "mockCase";

// States.Runtime, so that no Catch hides a mistake of whoever wrote the mocks.
TaskAnswer misconfigured(const Error& error) { return TaskAnswer::failed("States.Runtime", to_string(error)); }

// An idempotency key is the execution's name or number, a dash and the operation's number.
std::string execution_of(const std::string& idempotency_key) {
  return idempotency_key.substr(0, idempotency_key.rfind('-'));
}

}  // namespace

Value MockedTasks::labels_of(std::string_view machine, std::string_view test_case) {
  json::ObjectBuilder labels(2);
  labels.set(kMachineLabel, Value::string(machine));
  labels.set(kCaseLabel, Value::string(test_case));
  return labels.build();
}

Result<void> MockedTasks::check(std::string_view machine, std::string_view test_case) {
  const auto plan = find_plan(machine, test_case);
  if (!plan) return std::unexpected(plan.error());
  return {};
}

Result<const connect::MockPlan*> MockedTasks::find_plan(std::string_view machine, std::string_view test_case) {
  if (config_.is_null())
    return fail("MOCKS_MISSING", "This server has no test cases.", "Start it with --mocks MockConfigFile.json.");
  const std::lock_guard lock(mutex_);
  const std::pair<std::string, std::string> key{machine, test_case};
  const auto known = plans_.find(key);
  if (known != plans_.end()) return &known->second;
  PAWL_TRY(connect::MockPlan plan, connect::read_mock_config(config_, machine, test_case));
  return &plans_.emplace(key, std::move(plan)).first->second;
}

// A call that is made again, after a failed commit, keeps its number.
uint64_t MockedTasks::count_call(const engine::TaskRequest& request) {
  const std::lock_guard lock(mutex_);
  const std::string execution = execution_of(request.idempotency_key);
  const auto [found, is_new] = calls_.try_emplace(execution);
  if (is_new) counted_.push_back(execution);
  std::vector<std::string>& keys = found->second[request.state];
  const auto known = std::ranges::find(keys, request.idempotency_key);
  const auto number = static_cast<uint64_t>(known - keys.begin());
  if (known == keys.end()) keys.push_back(request.idempotency_key);
  if (counted_.size() > kMockedExecutionsMax) {
    calls_.erase(counted_.front());
    counted_.pop_front();
  }
  return number;
}

MockedTasks::Expect MockedTasks::start(const engine::TaskRequest& request, engine::AnswerTask answer) {
  const Value* machine = request.labels.find(kMachineLabel);
  const Value* test_case = request.labels.find(kCaseLabel);
  if (machine == nullptr || test_case == nullptr) return world_.start(request, std::move(answer));
  const auto plan = find_plan(machine->as_string(), test_case->as_string());
  if (!plan) {
    answer(misconfigured(plan.error()));
    return Expect::kAnswer;
  }
  if (!(*plan)->contains(request.state)) return world_.start(request, std::move(answer));
  const uint64_t call = count_call(request);
  if (const auto* response = connect::find_response(**plan, request.state, call))
    return connect::give_response(*response, request, answer);
  answer(misconfigured(connect::mock_exhausted(request.state, call)));
  return Expect::kAnswer;
}

}  // namespace pawl::server
