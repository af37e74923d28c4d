// What a run called, while mocks answer.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "connect/mocks.h"
#include "connect/router.h"

namespace pawl::cases {

using json::Value;

// Passes tasks on to mocks and writes down what was called. A call that the engine makes again, because it was
// restarted, gets the answer of the first time and is written down once. For one run, on its thread.
class MockCalls final : public engine::TaskHandler {
 public:
  struct Call {
    std::string name;
    Value input;
  };

  explicit MockCalls(connect::Router& router) : router_(router) {}

  Expect start(const engine::TaskRequest& request, engine::AnswerTask answer) override;
  void cancel(engine::TaskId task) override { router_.cancel(task); }

  const std::vector<Call>& calls() const { return calls_; }

 private:
  struct Answered {
    Expect expect = Expect::kNothing;
    std::vector<engine::TaskAnswer> answers;
  };

  connect::Router& router_;
  std::vector<Call> calls_;
  std::map<std::string, Answered> answered_;  // by idempotency key
};

}  // namespace pawl::cases
