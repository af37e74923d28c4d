// What an engine that a test drives works with: the kernel's toy language, one token for all, tasks that nobody
// answers, activities that the test takes.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "engine/engine.h"
#include "kernel/toy_program.h"

namespace pawl::engine {

inline constexpr DefinitionId kActivity{1};
inline constexpr DefinitionId kSleep{2};

class ToyPrograms final : public Programs {
 public:
  std::shared_ptr<const kernel::Program> find(DefinitionId definition) override {
    auto program =
        std::make_shared<kernel::ToyProgram>(definition == kSleep ? kernel::kSleepMinute : kernel::kAskWorker);
    program->task_heartbeat_s = 10;
    return program;
  }
  std::string family_of(DefinitionId definition) override { return std::to_string(definition.number); }
};

class ToyTokens final : public Tokens {
 public:
  std::string mint(ExecutionId, OperationId, uint32_t) override { return "token"; }
};

class NoTasks final : public TaskHandler {
 public:
  Expect start(const TaskRequest&, AnswerTask) override { return Expect::kNothing; }
  void cancel(TaskId) override {}
};

class Offers final : public Activities {
 public:
  bool exists(std::string_view) override { return true; }
  void offer(ActivityOffer offer) override { offered.push_back(std::move(offer)); }
  void withdraw(ExecutionId, OperationId) override { ++withdrawn; }
  std::deque<ActivityOffer> offered;
  int withdrawn = 0;
};

inline StartRequest request_of(DefinitionId definition) {
  StartRequest request;
  request.definition = definition;
  return request;
}

}  // namespace pawl::engine
