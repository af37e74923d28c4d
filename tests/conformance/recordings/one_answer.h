// A task that answers every call alike: what a recording of an API call tells of its tasks.
#pragma once

#include <utility>

#include "engine/task.h"

namespace pawl::conformance {

class OneAnswer final : public engine::TaskHandler {
 public:
  explicit OneAnswer(engine::TaskAnswer answer) : answer_(std::move(answer)) {}

  Expect start(const engine::TaskRequest&, engine::AnswerTask answer) override {
    answer(answer_);
    return Expect::kAnswer;
  }
  void cancel(engine::TaskId) override {}

 private:
  engine::TaskAnswer answer_;
};

}  // namespace pawl::conformance
