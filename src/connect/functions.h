// Tasks that are functions in this process.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "connect/source.h"
#include "connect/worker_pool.h"

namespace pawl::connect {

// Runs each call on a thread of the pool: a slow function holds nothing up. Functions that are registered are called
// from any thread, several at once; a call that was cancelled is not interrupted, its answer is dropped.
class FunctionTasks final : public TaskSource {
 public:
  using Function = std::function<TaskAnswer(const TaskRequest&)>;

  // `pattern` is a Resource, exact or with '*'. An exact one comes before patterns, then the first registered.
  void add(std::string pattern, Function function);

  Result<bool> claims(const TaskRequest& request) override;
  Expect start(const TaskRequest& request, AnswerTask answer) override;
  void cancel(engine::TaskId task) override { pool_.cancel(task); }

 private:
  struct Entry {
    std::string pattern;
    Function function;
  };
  const Entry* find(std::string_view resource) const;

  std::vector<Entry> entries_;
  WorkerPool pool_;  // the last member, so that its threads end before what they use
};

}  // namespace pawl::connect
