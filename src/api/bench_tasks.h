// The tasks of a workbench: how many are in flight, and when one is answered.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "base/time.h"
#include "engine/sub_workflows.h"
#include "engine/task.h"

namespace pawl::api {

// start() and cancel() are for the running thread; answers come from any. The handler outlives it.
class BenchTasks final : public engine::TaskHandler {
 public:
  // Where answers are kept, a call that is made again after a restart gets the answer of the first.
  BenchTasks(engine::TaskHandler& tasks, engine::SubWorkflows& workflows, bool keeps_answers)
      : tasks_(tasks), workflows_(workflows), keeps_answers_(keeps_answers) {}

  Expect start(const engine::TaskRequest& request, engine::AnswerTask answer) override;
  void cancel(engine::TaskId task) override;

  bool has_any_in_flight();
  // Until something was answered since the last call, the time has come, or the stop is asked for.
  void wait(Timestamp until, const std::stop_token& stop);

 private:
  // What was answered to a call so far.
  struct Call {
    std::vector<engine::TaskAnswer> answers;
    Expect expect = Expect::kAnswer;
  };
  // Outlives the tasks: a late answer finds it.
  struct Shared {
    std::mutex mutex;  // guards everything below
    std::condition_variable_any changed;
    bool has_news = false;
    std::set<engine::TaskId> in_flight;
    std::map<std::string, Call> calls;  // by idempotency key
  };

  Expect repeat(const Call& call, const engine::TaskRequest& request, const engine::AnswerTask& answer);

  engine::TaskHandler& tasks_;
  engine::SubWorkflows& workflows_;
  const bool keeps_answers_;
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

}  // namespace pawl::api
