// Tasks that are answered from a list, state by state: what MockConfigFile.json and the cases of `pawl test` say.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "connect/source.h"

namespace pawl::connect {

struct MockResponse {
  enum class Kind : uint8_t { kReturn, kThrow, kNoAnswer };
  Kind kind = Kind::kReturn;
  Value value;  // the result, or {"Error", "Cause"}
};

// The calls from `first` to `last`, counted from 0, and how they are answered.
struct MockSpan {
  uint64_t first = 0;
  uint64_t last = 0;
  MockResponse response;
};

using MockPlan = std::map<std::string, std::vector<MockSpan>, std::less<>>;  // by state

// Picks the plan of one test case out of a MockConfigFile.json: StateMachines.NAME.TestCases.CASE.STATE names a
// response, MockedResponses.NAME."0" | "1-2" has it. Where `machine` is not among several machines, or `test_case` is
// empty and there are several cases, the error (MOCKS_UNKNOWN_MACHINE, MOCKS_UNKNOWN_CASE) lists those there are. Other
// errors: MOCKS_INVALID. Their `where` is a JSON Pointer into the file.
Result<MockPlan> read_mock_config(const Value& config, std::string_view machine, std::string_view test_case);

// How the call with this number, counted from 0, is answered; null where the plan does not say, or does not name the
// state.
const MockResponse* find_response(const MockPlan& plan, std::string_view state, uint64_t call);
// Answers as the response says, at once or never.
engine::TaskHandler::Expect give_response(const MockResponse& response, const TaskRequest& request,
                                          const AnswerTask& answer);
Error mock_exhausted(std::string_view state, uint64_t call);

// Answers at once. Claims the states that its plan names; a call that the plan has no answer for is MOCK_EXHAUSTED.
class MockTasks final : public TaskSource {
 public:
  explicit MockTasks(MockPlan plan) : plan_(std::move(plan)) {}

  Result<bool> claims(const TaskRequest& request) override;
  Expect start(const TaskRequest& request, AnswerTask answer) override;
  void cancel(engine::TaskId) override {}

 private:
  uint64_t calls_of(std::string_view state) const;

  MockPlan plan_;
  std::map<std::string, uint64_t, std::less<>> calls_;  // so far, by state
};

}  // namespace pawl::connect
